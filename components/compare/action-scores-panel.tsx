'use client';
import { probabilityOf, type ActionScoresAnswer, type TurnScore } from '@/contract/action-scores';
import { isSameCheckpoint, type CheckpointReference } from '@/contract/checkpoint';
import { MISSING, formatDecimals } from '@/contract/format';
import { isFinalStatus } from '@/contract/run';
import { useActionScores, useRequestActionScores } from '@/components/data/requested-queries';
import { RunStatusWord } from '@/components/run/run-status';
import { Block } from '@/components/trajectory/block';
import { Button, ButtonLink } from '@/components/ui/button';
import { probabilityWords } from './probability-words';
import { SideTag } from './side-tag';
import type { SideName } from './pair-model';

/**
 * How likely one side's action at a turn is to the checkpoints of both sides, A first. `ids` are the trajectories of A and
 * B, `of` the side whose turn it is.
 */
export function ActionScoresPanel({
  ids,
  of,
  turn,
}: {
  ids: readonly [string, string];
  of: SideName;
  turn: number;
}) {
  const query = useActionScores(ids);
  const request = useRequestActionScores(ids);
  const answer = query.data;
  if (!answer)
    return (
      <Block label="Scored under both checkpoints">
        <p className="text-sm text-ink-3">
          {query.error ? `Could not be read: ${query.error.message}` : 'Loading'}
        </p>
      </Block>
    );
  const missing = answer.sides.some(({ checkpoint, obstacle }) => {
    if (!checkpoint || obstacle) return false;
    const scored = answer.scores.filter((each) => isSameCheckpoint(each.checkpoint, checkpoint)).length;
    const run = runOf(answer, checkpoint);
    return scored < new Set(ids).size && (!run || isFinalStatus(run.status));
  });
  return (
    <Block
      label="Scored under both checkpoints"
      aside={
        missing ? (
          <Button size="small" onClick={() => request.mutate()} disabled={request.isPending}>
            Score these two
          </Button>
        ) : undefined
      }
    >
      <Movement answer={answer} trajectoryId={ids[of === 'a' ? 0 : 1]} turn={turn} />
      {request.error && <p className="mt-1 text-xs text-bad">{request.error.message}</p>}
    </Block>
  );
}

function Movement({
  answer,
  trajectoryId,
  turn,
}: {
  answer: ActionScoresAnswer;
  trajectoryId: string;
  turn: number;
}) {
  const scores = answer.sides.map(({ checkpoint }) => scoreOf(answer, checkpoint, trajectoryId, turn));
  const [from, to] = scores.map((score) => (score?.action ? probabilityOf(score.action) : null));
  const part = scores.find((score) => score?.action)?.action;
  return (
    <div className="flex flex-col gap-0.5 text-sm">
      {from !== null && from !== undefined && to !== null && to !== undefined && (
        <p>
          The action moved from <b className="font-semibold">{probabilityWords(from)}</b> to{' '}
          <b className="font-semibold">{probabilityWords(to)}</b>.
        </p>
      )}
      {answer.sides.map((side, index) => (
        <p key={index} className="flex flex-wrap items-baseline gap-x-1.5">
          <SideTag side={index === 0 ? 'a' : 'b'} className="size-4" />
          <SideScore answer={answer} side={side} score={scores[index] ?? null} trajectoryId={trajectoryId} />
        </p>
      ))}
      {part && <p className="text-xs text-ink-3">{partWords(part)}</p>}
    </div>
  );
}

function SideScore({
  answer,
  side: { checkpoint, obstacle },
  score,
  trajectoryId,
}: {
  answer: ActionScoresAnswer;
  side: ActionScoresAnswer['sides'][number];
  score: TurnScore | null;
  trajectoryId: string;
}) {
  const name = checkpoint ? `${checkpoint.runId} step ${checkpoint.step}` : 'no checkpoint';
  if (score)
    return (
      <span>
        {score.action
          ? probabilityWords(probabilityOf(score.action))
          : `${MISSING}: the reply holds no action`}{' '}
        under {name}; whole reply {formatDecimals(score.reply.logprob, 2)} nats over {score.reply.tokens}{' '}
        tokens
      </span>
    );
  if (!checkpoint || obstacle)
    return (
      <span className="text-ink-2">
        {MISSING}: no worker can load {name}. {obstacle}
      </span>
    );
  const refusal = answer.scores.find(
    (each) => isSameCheckpoint(each.checkpoint, checkpoint) && each.trajectoryId === trajectoryId,
  )?.refusal;
  if (refusal) return <span className="text-ink-2">{`${MISSING} under ${name}: ${refusal}`}</span>;
  const run = runOf(answer, checkpoint);
  if (!run) return <span className="text-ink-2">not scored under {name}</span>;
  return (
    <span className="flex flex-wrap items-baseline gap-x-1.5 text-ink-2">
      under {name}: <RunStatusWord status={run.status} reason={run.reason} />
      {run.reason && <span className="text-xs text-ink-3">{run.reason}</span>}
      <ButtonLink href={`/runs/${encodeURIComponent(run.runId)}`} variant="quiet" size="small">
        {run.runId}
      </ButtonLink>
    </span>
  );
}

/** What exactly is scored, in a sentence. */
function partWords({ part, tokens }: NonNullable<TurnScore['action']>): string {
  const counted = `${tokens} ${tokens === 1 ? 'token' : 'tokens'}`;
  const scored =
    part === 'action'
      ? `the ${counted} that ${tokens === 1 ? 'spells' : 'spell'} the action`
      : `the ${counted} after the thought, for the reply does not spell the action`;
  return `p: of ${scored}, given the recorded prompt and the reply before them, at temperature 1.`;
}

function scoreOf(
  { scores }: ActionScoresAnswer,
  checkpoint: CheckpointReference | null,
  trajectoryId: string,
  turn: number,
): TurnScore | null {
  const found = scores.find(
    (each) =>
      checkpoint && isSameCheckpoint(each.checkpoint, checkpoint) && each.trajectoryId === trajectoryId,
  );
  return found?.turns.find((each) => each.turn === turn) ?? null;
}

function runOf({ requests }: ActionScoresAnswer, checkpoint: CheckpointReference) {
  return requests.find((each) => isSameCheckpoint(each.checkpoint, checkpoint));
}
