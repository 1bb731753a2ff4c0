'use client';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { CheckpointRow, EvaluationRow } from '@/contract/api';
import type { CheckpointFile, CheckpointLocation } from '@/contract/checkpoint';
import { formatBytes, MISSING } from '@/contract/format';
import { useNow } from '@/components/data/now';
import { Button, ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { EmptyState } from '@/components/ui/state-panel';
import { StateWord } from '@/components/ui/state-word';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';
import { checkpointEvaluations } from './evaluation-points';

/** Checkpoints that are chosen for an evaluation, the ways to change that, and what else can be done with one. */
export interface CheckpointChoice {
  chosen: readonly number[];
  toggle: (step: number) => void;
  /** Asks for an evaluation of one alone. */
  evaluate: (step: number) => void;
  /** Address at which one is played by hand. */
  playHref: (step: number) => string;
}

/** Saved weights: where they are, whether a run may start from them, how they did. */
export function CheckpointsTable({
  checkpoints,
  evaluations,
  choice,
}: {
  checkpoints: readonly CheckpointRow[];
  evaluations: readonly EvaluationRow[];
  /** Absent where no worker could load the checkpoints. */
  choice?: CheckpointChoice;
}) {
  const now = useNow();
  if (checkpoints.length === 0)
    return (
      <Panel>
        <EmptyState title="No checkpoints yet.">
          One is saved every <code>checkpoint.everySteps</code> steps.
        </EmptyState>
      </Panel>
    );
  const seen = checkpointEvaluations(evaluations, 'valid_seen', 'sampled');
  return (
    <Panel>
      <Table>
        <thead>
          <tr>
            {choice && (
              <HeadCell>
                <span className="sr-only">Chosen</span>
              </HeadCell>
            )}
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>State</HeadCell>
            <HeadCell numeric>valid_seen sampled, k/n, %</HeadCell>
            <HeadCell numeric>Trained from</HeadCell>
            <HeadCell numeric>Attempt</HeadCell>
            <HeadCell numeric>Size</HeadCell>
            <HeadCell>Where</HeadCell>
            <HeadCell>Files, sha256</HeadCell>
            <HeadCell numeric>Saved</HeadCell>
            {choice && (
              <HeadCell>
                <span className="sr-only">Evaluate or play</span>
              </HeadCell>
            )}
          </tr>
        </thead>
        <tbody>
          {[...checkpoints]
            .sort((a, b) => b.step - a.step || b.attempt - a.attempt)
            .map((checkpoint) => {
              const evaluation = seen.find((each) => each.step === checkpoint.step);
              return (
                <Row key={checkpoint.id} selected={choice?.chosen.includes(checkpoint.step) || undefined}>
                  {choice && (
                    <Cell>
                      <Chosen checkpoint={checkpoint} choice={choice} />
                    </Cell>
                  )}
                  <Cell numeric>{checkpoint.step}</Cell>
                  <Cell>
                    {checkpoint.complete ? (
                      <StateWord icon={CircleCheck} tone="ok">
                        complete
                      </StateWord>
                    ) : (
                      <StateWord
                        icon={CircleDashed}
                        tone="quiet"
                        title="Not yet uploaded: no run may start from it"
                      >
                        incomplete
                      </StateWord>
                    )}
                  </Cell>
                  <Cell numeric>
                    <Rate successes={evaluation?.successes} n={evaluation?.n} />
                  </Cell>
                  <Cell numeric>
                    {checkpoint.parentStep === null ? 'base' : `step ${checkpoint.parentStep}`}
                  </Cell>
                  <Cell numeric>{checkpoint.attempt}</Cell>
                  <Cell numeric>{formatBytes(checkpoint.size)}</Cell>
                  <Cell>
                    {checkpoint.locations.map((location) => (
                      <span
                        key={location.kind}
                        title={location.kind === 'worker' ? location.path : undefined}
                        className="mr-2 whitespace-nowrap"
                      >
                        {locationWords(location)}
                      </span>
                    ))}
                    {checkpoint.locations.length === 0 && MISSING}
                  </Cell>
                  <Cell>
                    <Files files={checkpoint.files} />
                  </Cell>
                  <Cell numeric>
                    <Ago at={checkpoint.createdAt} now={now} />
                  </Cell>
                  {choice && (
                    <Cell>
                      <Work checkpoint={checkpoint} choice={choice} />
                    </Cell>
                  )}
                </Row>
              );
            })}
        </tbody>
      </Table>
    </Panel>
  );
}

function Chosen({ checkpoint, choice }: { checkpoint: CheckpointRow; choice: CheckpointChoice }) {
  const { step, complete } = checkpoint;
  return (
    <input
      type="checkbox"
      aria-label={`Choose the checkpoint of step ${step}`}
      className="size-3.25 accent-ink"
      disabled={!complete}
      checked={choice.chosen.includes(step)}
      onChange={() => choice.toggle(step)}
    />
  );
}

/** What a worker can do with one: nothing before it is whole. */
function Work({
  checkpoint: { step, complete },
  choice,
}: {
  checkpoint: CheckpointRow;
  choice: CheckpointChoice;
}) {
  return (
    <span className="flex gap-1.5">
      <Button
        size="small"
        disabled={!complete}
        title={complete ? undefined : 'Not yet uploaded: no worker could load it'}
        onClick={() => choice.evaluate(step)}
      >
        Evaluate…
      </Button>
      {complete && (
        <ButtonLink
          size="small"
          href={choice.playHref(step)}
          aria-label={`Play the checkpoint of step ${step}`}
        >
          Play
        </ButtonLink>
      )}
    </span>
  );
}

/** The weights' hash names a checkpoint; the other files open on demand. */
function Files({ files }: { files: readonly CheckpointFile[] }) {
  return (
    <details className="text-ink-2">
      <summary className="cursor-pointer whitespace-nowrap">{files.length} files</summary>
      <ul className="py-1 font-mono text-mono text-ink-3">
        {files.map((file) => (
          <li key={file.path}>
            <span title={file.sha256}>{file.sha256.slice(0, 8)}</span> {file.path}, {formatBytes(file.size)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function locationWords(location: CheckpointLocation): string {
  switch (location.kind) {
    case 'blob':
      return 'server';
    case 'worker':
      return location.workerId;
  }
}
