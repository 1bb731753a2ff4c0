import type { Turn } from '@/contract/trajectory';
import { PlainText } from './plain-text';
import { SURPRISE_BOUNDS, surpriseBin } from './surprise';

const SHADES = ['bg-s0', 'bg-s1', 'bg-s2', 'bg-s3', 'bg-s4', 'bg-s5', 'bg-s6'] as const;

/** A reply token by token, shaded by how unlikely the sampler found each. */
export function TokenText({ tokens }: { tokens: NonNullable<Turn['tokens']> }) {
  return (
    <p className="font-mono text-sm/5 break-words whitespace-pre-wrap">
      {tokens.texts.map((text, index) => {
        const logprob = tokens.logprobs[index] ?? null;
        return (
          <span
            key={index}
            className={`rounded-sm py-px ${SHADES[surpriseBin(logprob)]}`}
            title={logprob === null ? 'not sampled' : `surprise ${(-logprob).toFixed(2)} nats`}
          >
            <PlainText text={text} />
          </span>
        );
      })}
    </p>
  );
}

/** The bins of the shading with their bounds in nats. */
export function SurpriseScale() {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-3">
      <span>surprise, nats</span>
      {SURPRISE_BOUNDS.map((bound, index) => (
        <span key={bound} className="inline-flex items-center gap-0.5">
          <i aria-hidden className={`inline-block h-2.25 w-2.5 border border-line ${SHADES[index + 1]}`} />
          {index === SURPRISE_BOUNDS.length - 1 ? `≥ ${bound}` : bound}
        </span>
      ))}
    </span>
  );
}
