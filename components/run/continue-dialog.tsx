'use client';
import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ContinueRequest, RunDetail } from '@/contract/api';
import { needsCheckpointToContinue } from '@/contract/recipes/requested';
import { continueObstacle, newestCheckpoint, type RunView } from '@/contract/run-view';
import { apiUrl, postJson } from '@/components/data/api-client';
import { refetchRun } from '@/components/data/run-queries';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Checkbox, Field, TextInput } from '@/components/ui/field';
import { Note } from '@/components/ui/panel';
import { runConfigOf } from './run-config-of';

/** What continuing this run does, in words, from what is known of it. */
export function continueEffect(view: RunView): string {
  const step = newestCheckpoint(view)?.step ?? 0;
  const repeated = view.step > step ? ` Steps ${step + 1} to ${view.step} are gone through again.` : '';
  return `Attempt ${view.attempt + 1} waits in the queue and goes on from the checkpoint of step ${step}.${repeated} Points, trajectories and evaluations stay.`;
}

/** The way back into the queue, with more steps or without the rules that ended the run. */
export function ContinueDialog({
  detail,
  open,
  onOpenChange,
}: {
  detail: RunDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { run, view } = detail;
  const config = runConfigOf(detail);
  const [steps, setSteps] = useState(String(config?.steps ?? ''));
  const [withoutRules, setWithoutRules] = useState(false);
  const client = useQueryClient();
  const continuing = useMutation({
    mutationFn: (changes: ContinueRequest) =>
      postJson<unknown>(apiUrl(`/runs/${encodeURIComponent(run.id)}/continue`), changes),
    onSuccess: async () => {
      onOpenChange(false);
      await refetchRun(client, run.id);
    },
  });
  const needsCheckpoint = needsCheckpointToContinue(run.recipe);
  const stepsError = needsCheckpoint ? stepsIssue(view, steps, config?.steps ?? 1) : undefined;
  const changes = {
    ...(needsCheckpoint && { steps: Number(steps) }),
    ...(withoutRules && { rules: null }),
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Continue ${run.name}?`}
      description={
        needsCheckpoint
          ? continueEffect(view)
          : `Attempt ${view.attempt + 1} waits in the queue and plays what is not stored yet. Trajectories and evaluations stay.`
      }
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Leave it</Button>
          <Button
            variant="primary"
            disabled={continuing.isPending || stepsError !== undefined}
            onClick={() => continuing.mutate(changes)}
          >
            {continuing.isPending ? 'Asking…' : 'Continue the run'}
          </Button>
        </>
      }
    >
      <div className="mt-2 flex flex-col gap-2">
        {needsCheckpoint && (
          <Field
            label="Steps"
            error={stepsError}
            description="Of the whole run; more than it had lengthen it."
          >
            {(control) => <TextInput {...control} inputMode="numeric" value={steps} onValue={setSteps} />}
          </Field>
        )}
        {config?.rules && (
          <Checkbox checked={withoutRules} onChecked={setWithoutRules}>
            Without its rules: what ended it may be so still, and would end it again
          </Checkbox>
        )}
        {continuing.error && (
          <Note tone="bad" role="alert">
            {continuing.error.message}
          </Note>
        )}
      </div>
    </Dialog>
  );
}

function stepsIssue(view: RunView, typed: string, fewest: number): string | undefined {
  const steps = Number(typed);
  if (!Number.isSafeInteger(steps) || steps < fewest) return `expected a whole number, ${fewest} or more`;
  return continueObstacle(view, steps) ?? undefined;
}
