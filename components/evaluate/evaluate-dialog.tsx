'use client';
import { useMemo, useState } from 'react';
import { useRouter } from 'next/navigation';
import { useMutation } from '@tanstack/react-query';
import type { LaunchedRun, RunDetail } from '@/contract/api';
import { formatCount } from '@/contract/format';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { apiUrl, postJson } from '@/components/data/api-client';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox, Field, TextInput } from '@/components/ui/field';
import { Note } from '@/components/ui/panel';
import { draftOf, readDraft, splitSizes, type EvaluateDraft, type ReadDraft } from './evaluate-draft';

interface EvaluateDialogProps {
  detail: RunDetail;
  /** The run's settings as this version reads them. */
  source: RunSettings;
  /** Steps of the chosen checkpoints, ascending. */
  steps: readonly number[];
  onClose: () => void;
}

/** Asks for an evaluation of checkpoints: on which tasks, drawn how, how often. */
export function EvaluateDialog({ detail, source, steps, onClose }: EvaluateDialogProps) {
  const runId = detail.run.id;
  const router = useRouter();
  const [draft, setDraft] = useState<EvaluateDraft>(() => draftOf(source, runId, steps));
  const read = useMemo(() => readDraft(draft, source, runId), [draft, source, runId]);
  const asking = useMutation({
    mutationFn: () =>
      postJson<LaunchedRun>(apiUrl(`/runs/${encodeURIComponent(runId)}/evaluations`), read.request),
    onSuccess: (launched) => router.push(`/runs/${encodeURIComponent(launched.runId)}`),
  });
  const wrong = read.trajectories === null;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Evaluate ${checkpointWords(draft.steps)}`}
      description={`A run of its own, which any worker that reaches ${draft.steps.length === 1 ? 'the checkpoint' : 'the checkpoints'} may claim. The settings are those by which “${detail.run.name}” evaluated itself at its last step.`}
      footer={
        <>
          <span className="mr-auto self-center text-sm text-ink-2">{estimateWords(read)}</span>
          <Button onClick={onClose}>Leave it</Button>
          <Button variant="primary" disabled={wrong || asking.isPending} onClick={() => asking.mutate()}>
            {asking.isPending ? 'Asking…' : 'Evaluate'}
          </Button>
        </>
      }
    >
      <DraftFields draft={draft} read={read} source={source} onDraft={setDraft} />
      {asking.error && (
        <div className="mt-2">
          <Note tone="bad" role="alert">
            {asking.error.message}
          </Note>
        </div>
      )}
    </Dialog>
  );
}

interface DraftFieldsProps {
  draft: EvaluateDraft;
  read: ReadDraft;
  source: RunSettings;
  onDraft: (draft: EvaluateDraft) => void;
}

function DraftFields({ draft, read, source, onDraft }: DraftFieldsProps) {
  const { issues } = read;
  const text = (
    name: 'seeds' | 'temperature' | 'topP' | 'topK' | 'maxTurns' | 'maxReplyTokens',
    label: string,
    description?: string,
  ) => (
    <Field label={label} error={issues[name]} description={description}>
      {(control) => (
        <TextInput
          {...control}
          inputMode="decimal"
          value={draft[name]}
          onValue={(value) => onDraft({ ...draft, [name]: value })}
        />
      )}
    </Field>
  );
  return (
    <div className="mt-2.5 flex flex-col gap-3">
      <div className="grid grid-cols-3 gap-2.5">
        {splitSizes(source).map(({ split, size }) => (
          <Field
            key={split}
            label={`Tasks of ${split}`}
            error={issues[split]}
            description={`of ${formatCount(size)}; empty = none`}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode="numeric"
                value={draft.tasks[split]}
                onValue={(tasks) => onDraft({ ...draft, tasks: { ...draft.tasks, [split]: tasks } })}
              />
            )}
          </Field>
        ))}
      </div>
      <fieldset>
        <legend className="text-sm text-ink-2">Decoding</legend>
        <div className="mt-1 flex gap-4">
          {(['greedy', 'sampled'] as const).map((decoding) => (
            <Checkbox
              key={decoding}
              checked={draft.decodings[decoding]}
              onChecked={(checked) =>
                onDraft({ ...draft, decodings: { ...draft.decodings, [decoding]: checked } })
              }
            >
              {decoding}
            </Checkbox>
          ))}
        </div>
        {issues.decodings && <p className="text-xs text-bad">{issues.decodings}</p>}
      </fieldset>
      {text('seeds', 'Seeds', 'With commas between. A greedy evaluation draws nothing and is played once.')}
      <div className="grid grid-cols-3 gap-2.5">
        {text('temperature', 'Temperature')}
        {text('topP', 'Top-p', '1 = off')}
        {text('topK', 'Top-k', '0 = off')}
        {text('maxTurns', 'Most turns')}
        {text('maxReplyTokens', 'Longest reply', 'in tokens')}
      </div>
      <Checkbox
        checked={draft.steps.includes(0)}
        onChecked={(checked) =>
          onDraft({
            ...draft,
            steps: checked ? [0, ...draft.steps] : draft.steps.filter((step) => step !== 0),
          })
        }
      >
        The untrained model too, as step 0
      </Checkbox>
      {issues.steps && <p className="text-xs text-bad">{issues.steps}</p>}
    </div>
  );
}

function checkpointWords(steps: readonly number[]): string {
  if (steps.length === 1) return `the checkpoint of step ${steps[0]}`;
  return `${steps.length} checkpoints`;
}

function estimateWords({ trajectories, evaluations }: ReadDraft): string {
  if (trajectories === null || evaluations === null) return 'The settings need mending.';
  const word = evaluations === 1 ? 'evaluation' : 'evaluations';
  return `${formatCount(trajectories)} trajectories in ${formatCount(evaluations)} ${word}`;
}
