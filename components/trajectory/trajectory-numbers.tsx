import type { Trajectory, Turn } from '@/contract/trajectory';
import type { TurnCut } from '@/contract/trajectory-cut';
import { formatCount, formatNumber, MISSING } from '@/contract/format';
import { Panel, PanelHead } from '@/components/ui/panel';
import { meanSurprise } from './surprise';
import { TurnBars } from './turn-bars';

/** Figures of the shown turn, its surprise among the others', and the figures of the whole trajectory. */
export function TrajectoryNumbers({
  trajectory,
  position,
  cut,
}: {
  trajectory: Trajectory;
  position: number;
  /** What cut turns lack, where the transcript is long. */
  cut?: readonly TurnCut[];
}) {
  const turn = trajectory.turns[position];
  const surprises = trajectory.turns.map((each, index) => {
    if (each.tokens) return meanSurprise(each.tokens.logprobs);
    const meanLogprob = cut?.[index]?.meanLogprob ?? null;
    return meanLogprob === null ? null : -meanLogprob;
  });
  const recorded = surprises.some((surprise) => surprise !== null);
  return (
    <>
      <Panel>
        <PanelHead title="Surprise a turn" caption="mean −ln p, nats" />
        {recorded ? (
          <div className="p-2.5">
            <TurnBars
              values={surprises}
              current={position}
              label={`Mean surprise of ${trajectory.turns.length} turns in nats`}
            />
          </div>
        ) : (
          <p className="p-2.5 text-sm text-ink-3">
            Not recorded: the tokens of this trajectory were not kept.
          </p>
        )}
      </Panel>
      {turn ? (
        <Panel>
          <PanelHead title={`Turn ${position + 1}`} />
          <Figures rows={turnFigures(turn, surprises[position] ?? null)} />
        </Panel>
      ) : null}
      <Panel>
        <PanelHead title="Trajectory" />
        <Figures rows={trajectoryFigures(trajectory)} />
      </Panel>
    </>
  );
}

/** A prompt has tokens: where none are told, as of an action taken by hand, neither those of the reply were counted. */
export function countedTokens(
  count: number | null,
  { promptTokens }: { promptTokens: number | null },
): number | null {
  return promptTokens === 0 ? null : count;
}

function turnFigures(turn: Turn, surprise: number | null): [string, string][] {
  return [
    ['Reward of the turn', formatNumber(turn.reward)],
    ['Prompt tokens', formatCount(countedTokens(turn.promptTokens, turn))],
    ['Reply tokens', formatCount(countedTokens(turn.replyTokens, turn))],
    ['Mean log-probability, nats', surprise === null ? MISSING : formatNumber(-surprise)],
    ['Taken by the environment', turn.valid ? 'yes' : 'refused'],
    ['State', turn.stateHash?.slice(0, 12) ?? 'not recorded'],
  ];
}

function trajectoryFigures(trajectory: Trajectory): [string, string][] {
  const { promptTokens, prefilledTokens } = trajectory;
  return [
    ['Environment reward', formatNumber(trajectory.reward)],
    ['Shaped reward', formatNumber(trajectory.shapedReward)],
    ['Advantage', formatNumber(trajectory.advantage)],
    ['Turns', formatCount(trajectory.turnsCount)],
    ['Invalid actions', formatCount(trajectory.invalidActions)],
    ['Prompt tokens', formatCount(countedTokens(promptTokens, trajectory))],
    ['of them prefilled', formatCount(prefilledTokens)],
    [
      'of them reused',
      formatCount(promptTokens === null || prefilledTokens === null ? null : promptTokens - prefilledTokens),
    ],
    ['Reply tokens', formatCount(countedTokens(trajectory.replyTokens, trajectory))],
    ['Trained tokens', formatCount(trajectory.trainedTokens)],
    ['Decoding', trajectory.decoding],
    ['Seed', String(trajectory.seed ?? MISSING)],
    ['Flags', trajectory.flags.join(', ') || 'none'],
  ];
}

function Figures({ rows }: { rows: readonly [string, string][] }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-2.5 gap-y-px p-2.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="text-right break-all">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
