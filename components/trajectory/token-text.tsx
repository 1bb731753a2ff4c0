'use client';
import type { Turn } from '@/contract/trajectory';
import { ShowAll, useGrowing } from '@/components/ui/growing';
import { PlainText } from './plain-text';
import { HEAT_SCALES, heatBin, heatWords, type HeatMode } from './token-heat';

const TOKENS_AT_ONCE = 800;

/** Class of each bin; diverging scales reach from -3 to 3. */
const SHADES: Record<'sequential' | 'diverging', Record<number, string>> = {
  sequential: { 0: 'bg-s0', 1: 'bg-s1', 2: 'bg-s2', 3: 'bg-s3', 4: 'bg-s4', 5: 'bg-s5', 6: 'bg-s6' },
  diverging: {
    [-3]: 'bg-d-3',
    [-2]: 'bg-d-2',
    [-1]: 'bg-d-1',
    0: 'bg-s0',
    1: 'bg-d1',
    2: 'bg-d2',
    3: 'bg-d3',
  },
};

/** A reply token by token, shaded by one value each. */
export function TokenText({
  tokens,
  mode,
  values,
}: {
  tokens: NonNullable<Turn['tokens']>;
  mode: HeatMode;
  /** One a token. */
  values: readonly (number | null)[];
}) {
  const shades = SHADES[HEAT_SCALES[mode].kind];
  const growing = useGrowing(tokens.texts.length, TOKENS_AT_ONCE, tokens);
  return (
    <div className="font-mono text-sm/5 break-words whitespace-pre-wrap">
      {tokens.texts.slice(0, growing.shown).map((text, index) => {
        const value = values[index] ?? null;
        return (
          <span
            key={index}
            className={`rounded-sm py-px ${shades[heatBin(mode, value)] ?? ''}`}
            title={heatWords(mode, value)}
          >
            <PlainText text={text} />
          </span>
        );
      })}
      <ShowAll growing={growing} total={tokens.texts.length} unit="tokens" />
    </div>
  );
}

/** The bins of a scale with their bounds. */
export function HeatScale({ mode }: { mode: HeatMode }) {
  const { name, unit, kind, bounds } = HEAT_SCALES[mode];
  const bins = bounds.map((bound, index) => ({
    bin: index + 1,
    words: boundWords(bound, index === bounds.length - 1),
  }));
  const below =
    kind === 'diverging'
      ? bins.toReversed().map(({ bin, words }) => ({ bin: -bin, words: `−${words.replace('≥ ', '')}` }))
      : [];
  return (
    <span className="flex flex-wrap items-center gap-x-1.5 text-xs text-ink-3">
      <span>{unit ? `${name}, ${unit}` : name}</span>
      {[...below, ...bins].map(({ bin, words }) => (
        <span key={bin} className="inline-flex items-center gap-0.5">
          <i aria-hidden className={`inline-block h-2.25 w-2.5 border border-line ${SHADES[kind][bin]}`} />
          {kind === 'diverging' && bin > 0 ? `+${words.replace('≥ ', '')}` : words}
        </span>
      ))}
    </span>
  );
}

function boundWords(bound: number, isLast: boolean): string {
  return isLast ? `≥ ${bound}` : String(bound);
}
