'use client';
import { Link } from '@/components/ui/link';
import { useState } from 'react';
import { isSameCheckpoint, type CheckpointReference } from '@/contract/checkpoint';
import { formatDecimals } from '@/contract/format';
import { MAX_FORK_SAMPLES } from '@/contract/recipes/requested-work';
import type { Fork } from '@/contract/forks';
import { isFinalStatus } from '@/contract/run';
import { useForks, useRequestForks } from '@/components/data/requested-queries';
import { RunStatusWord } from '@/components/run/run-status';
import { Block } from '@/components/trajectory/block';
import { Button } from '@/components/ui/button';
import { Rate } from '@/components/ui/rate';
import { SideTag } from './side-tag';

interface ForkingSide {
  name: 'a' | 'b';
  checkpoint: CheckpointReference;
}

/** Goes on from a turn of a recorded trajectory, several times by each checkpoint, and lists what came of it. */
export function ForkPanel({
  trajectoryId,
  turn,
  sides,
}: {
  trajectoryId: string;
  turn: number;
  sides: readonly ForkingSide[];
}) {
  const [samples, setSamples] = useState(8);
  const query = useForks(trajectoryId);
  const request = useRequestForks(trajectoryId);
  const checkpoints = sides
    .map(({ checkpoint }) => checkpoint)
    .filter((each, index, all) => all.findIndex((other) => isSameCheckpoint(each, other)) === index);
  const forks = (query.data ?? []).filter((fork) => fork.turn === turn);
  return (
    <Block
      label={`Continue from turn ${turn + 1}`}
      aside={
        <form
          className="flex items-center gap-1.5"
          onSubmit={(event) => {
            event.preventDefault();
            request.mutate({ turn, checkpoints, samples });
          }}
        >
          <input
            type="number"
            aria-label="How often"
            min={1}
            max={MAX_FORK_SAMPLES}
            value={samples}
            onChange={(event) => setSamples(Number(event.target.value))}
            className="h-5.5 w-13 rounded-md border border-line-2 bg-surface px-1 text-right text-xs"
          />
          <Button type="submit" size="small" disabled={request.isPending || samples < 1}>
            {checkpoints.length === 2 ? 'times from A and from B' : 'times'}
          </Button>
        </form>
      }
    >
      {forks.length === 0 ? (
        <p className="text-sm text-ink-3">
          {query.error
            ? `Could not be read: ${query.error.message}`
            : 'Not continued yet. The recorded actions are replayed up to this turn, what follows is the checkpoint’s own.'}
        </p>
      ) : (
        <ul className="flex flex-col gap-1">
          {forks.map((fork) => (
            <ForkRow
              key={fork.runId}
              fork={fork}
              side={sides.find(({ checkpoint }) => isSameCheckpoint(checkpoint, fork.checkpoint))?.name}
            />
          ))}
        </ul>
      )}
      {request.error && <p className="mt-1 text-xs text-bad">{request.error.message}</p>}
    </Block>
  );
}

function ForkRow({ fork, side }: { fork: Fork; side: 'a' | 'b' | undefined }) {
  const { runId, checkpoint, status, reason, samples, temperature, trajectories } = fork;
  const successes = trajectories.filter(({ success }) => success).length;
  const errors = trajectories.filter(({ stopReason }) => stopReason === 'error').length;
  const isOver = isFinalStatus(status);
  return (
    <li className="text-sm">
      <div className="flex flex-wrap items-baseline gap-x-1.5">
        {side && <SideTag side={side} className="size-4" />}
        <Link href={`/runs/${encodeURIComponent(runId)}`}>
          {checkpoint.runId} step {checkpoint.step}
        </Link>
        {trajectories.length > 0 && <Rate successes={successes} n={trajectories.length} />}
        {!(isOver && trajectories.length === samples) && <RunStatusWord status={status} reason={reason} />}
      </div>
      <p className="text-xs text-ink-3">
        {trajectories.length} of {samples} played at temperature {formatDecimals(temperature, 2)}
        {errors > 0 && `, ${errors} ended in an error and count as not won`}. Wilson 95 %.{' '}
        {trajectories.length < samples && reason}
      </p>
      {trajectories.length > 0 && (
        <p className="flex flex-wrap gap-x-1.5 text-xs">
          {trajectories.map(({ id, sample, success }) => (
            <Link key={id} href={`/trajectories/${id}`} title={success ? 'success' : 'not won'}>
              {success ? '✓' : '✗'}
              {sample + 1}
            </Link>
          ))}
        </p>
      )}
    </li>
  );
}
