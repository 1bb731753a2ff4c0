import { formatDecimals } from '@/contract/format';
import { Panel, PanelHead } from '@/components/ui/panel';
import { meanSurprise } from '@/components/trajectory/surprise';
import { countedTokens } from '@/components/trajectory/trajectory-numbers';
import { TurnBars } from '@/components/trajectory/turn-bars';
import type { Turn } from '@/contract/trajectory';
import type { PairModel, SideModel } from './pair-model';

interface Measure {
  title: string;
  caption: string;
  measure: (turn: Turn) => number | null;
  /** Of the highest value. */
  decimals: number;
}

const MEASURES: Measure[] = [
  { title: 'Reward a turn', caption: 'environment', measure: (turn) => turn.reward, decimals: 2 },
  {
    title: 'Tokens a turn',
    caption: 'of the reply',
    measure: (turn) => countedTokens(turn.replyTokens, turn),
    decimals: 0,
  },
  {
    title: 'Surprise a turn',
    caption: 'mean −ln p, nats',
    measure: (turn) => (turn.tokens ? meanSurprise(turn.tokens.logprobs) : null),
    decimals: 2,
  },
];

/** Reward, tokens and surprise of every row, A beside B, each on its own scale. */
export function TurnFigures({ model, row }: { model: PairModel; row: number }) {
  return MEASURES.map(({ title, caption, ...measured }) => (
    <Panel key={title}>
      <PanelHead title={title} caption={caption} />
      <div className="grid grid-cols-2 gap-4 p-2.5">
        {[model.a, model.b].map((side) => (
          <SideBars key={side.name} side={side} model={model} row={row} title={title} {...measured} />
        ))}
      </div>
    </Panel>
  ));
}

function SideBars({
  side,
  model,
  row,
  title,
  measure,
  decimals,
}: {
  side: SideModel;
  model: PairModel;
  row: number;
  title: string;
} & Pick<Measure, 'measure' | 'decimals'>) {
  const values = model.rows.map((aligned) => {
    const turn = side.played?.trajectory.turns[aligned[side.name] ?? -1];
    return turn ? measure(turn) : null;
  });
  const known = values.filter((value) => value !== null);
  const name = side.name.toUpperCase();
  if (known.length === 0) return <p className="text-xs text-ink-3">{name} not recorded</p>;
  return (
    <div>
      <p className="mb-1 text-xs text-ink-3">
        <b className={side.name === 'a' ? 'text-a' : 'text-b'}>{name}</b> highest{' '}
        {formatDecimals(Math.max(...known), decimals)}
      </p>
      <TurnBars
        values={values}
        current={row}
        label={`${title}, side ${name}, ${known.length} turns`}
        color={`var(--${side.name})`}
        height={36}
      />
    </div>
  );
}
