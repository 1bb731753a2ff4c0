import type { DtypeOffer, GpuReport } from '@/contract/worker-report';

/** Compute capability from which a card computes in bfloat16: sm_80, Ampere. */
const BFLOAT16_CAPABILITY = 8;

/**
 * The type that engines on these cards are offered: bfloat16 where every card computes in it, float16 where one does
 * not or does not say, float32 without a card.
 */
export function offerDtype(gpus: readonly GpuReport[]): DtypeOffer {
  if (gpus.length === 0) return { dtype: 'float32', reason: 'there is no GPU, and processors compute in it' };
  const unknown = gpus.find(({ computeCapability }) => computeCapability === null);
  if (unknown)
    return {
      dtype: 'float16',
      reason: `GPU ${unknown.index} (${unknown.name}) does not tell its compute capability, and float16 works on every card`,
    };
  const weakest = gpus.reduce((least, gpu) => (capabilityOf(gpu) < capabilityOf(least) ? gpu : least));
  const named = `GPU ${weakest.index} (${weakest.name}) has compute capability ${weakest.computeCapability}`;
  return capabilityOf(weakest) < BFLOAT16_CAPABILITY
    ? { dtype: 'float16', reason: `${named}, and bfloat16 needs 8.0 (sm_80) or newer` }
    : { dtype: 'bfloat16', reason: `${named}, and bfloat16 needs 8.0 (sm_80)` };
}

function capabilityOf({ computeCapability }: GpuReport): number {
  return Number(computeCapability);
}
