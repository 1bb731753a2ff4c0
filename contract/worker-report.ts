import { z } from 'zod';

/** How often a worker reads its machine and its engines anew, in ms. */
export const WORKER_REPORT_EVERY_MS = 30_000;
/** A report that is older was not followed by the next ones, in ms. */
export const WORKER_REPORT_STALE_MS = 3 * WORKER_REPORT_EVERY_MS;

/** Longest text of a report, in UTF-16 code units. */
const MAX_WORDS_LENGTH = 1000;
const words = z.string().max(MAX_WORDS_LENGTH);

/** A text cut to what a report may hold; the cut is marked. */
export function clipWords(text: string): string {
  return text.length <= MAX_WORDS_LENGTH ? text : `${text.slice(0, MAX_WORDS_LENGTH - 1)}…`;
}

/** A card as the driver tells of it; null is what it does not tell. */
export const GpuReport = z.object({
  index: z.int().nonnegative(),
  name: z.string().max(200),
  memoryTotalMib: z.number().nonnegative().nullable(),
  memoryUsedMib: z.number().nonnegative().nullable(),
  /** Share of the driver's last sample period in which a kernel ran, in percent. */
  utilizationPercent: z.number().min(0).max(100).nullable(),
  /** `7.5` for sm_75. */
  computeCapability: z.string().max(20).nullable(),
  driver: z.string().max(100).nullable(),
  /** Whether it is cut into instances (MIG): a program then sees one of them, not the card. */
  mig: z.boolean(),
});
export type GpuReport = z.infer<typeof GpuReport>;

/** The type that engines on a machine are offered, and why. */
export const DtypeOffer = z.object({ dtype: z.enum(['float32', 'float16', 'bfloat16']), reason: words });
export type DtypeOffer = z.infer<typeof DtypeOffer>;

/** A provider of onnxruntime: whether it can be loaded, and if not, why. */
export const ProviderReport = z.object({ available: z.boolean(), reason: words.nullable() });
export type ProviderReport = z.infer<typeof ProviderReport>;

/** The server of the Tinker protocol that a worker is set up for. */
export const TinkerReport = z.object({
  address: z.string().max(2000),
  /** Models that it serves; none while it is not reached. */
  models: z.array(z.string().max(500)).max(1000),
  /** Why it is not reached; null while it is. */
  problem: words.nullable(),
});
export type TinkerReport = z.infer<typeof TinkerReport>;

/** Whether a worker's server has a model; a worker that tells of no server may have any. */
export function mayReachModel(tinker: TinkerReport | null | undefined, model: string): boolean {
  return !tinker || tinker.models.includes(model);
}

/** The engine command of a worker's own settings: how it stands, and more on that in words. */
export const EngineCommandReport = z.object({
  state: z.enum(['starting', 'ready', 'waiting', 'given-up', 'stopped']),
  words,
});
export type EngineCommandReport = z.infer<typeof EngineCommandReport>;

/** What a worker says of its machine and its engines; it changes while the worker is connected. */
export const WorkerReport = z.object({
  gpus: z.array(GpuReport).max(64),
  /** Why no card could be read; null where cards were. */
  gpuProblem: words.nullable(),
  dtype: DtypeOffer,
  /** onnxruntime's CUDA provider, for the embedded engine. */
  cuda: ProviderReport,
  /** Null where the worker's settings name no server. */
  tinker: TinkerReport.nullable(),
  /** Null where the worker's settings name no command. */
  engineCommand: EngineCommandReport.nullable(),
  /** Names of the variables in which it holds keys of endpoints, never the keys. Reports of older versions lack it. */
  endpointKeys: z.array(z.string().max(200)).max(100).optional(),
});
export type WorkerReport = z.infer<typeof WorkerReport>;
