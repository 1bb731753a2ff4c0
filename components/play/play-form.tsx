'use client';
import { useState } from 'react';
import { SPLITS } from '@/contract/trajectory';
import { useRequestPlay } from '@/components/data/requested-queries';
import { useProbeIndex } from '@/components/data/trajectory-queries';
import { useUrlState } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Field, Select, TextArea, TextInput } from '@/components/ui/field';
import { PageHead } from '@/components/ui/page-head';
import { Note, Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { readCheckpoint, readDraft, requestOf } from './play-draft';

const TASKS_LIST = 'tasks-of-the-probe';

/** Which checkpoint is played, in what world, for how long; its values live in the URL. */
export function PlayForm({ onLaunched }: { onLaunched: (runId: string) => void }) {
  const { params, set } = useUrlState();
  const [sent, setSent] = useState(false);
  const draft = readDraft(params);
  const asked = requestOf(draft);
  const launch = useRequestPlay(onLaunched);
  const issues = sent && 'issues' in asked ? asked.issues : {};
  return (
    <>
      <PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title="Play" />
      <form
        className="grid max-w-[880px] grid-cols-1 gap-2.5"
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if ('request' in asked) launch.mutate(asked.request);
        }}
      >
        <Panel>
          <PanelHead
            title="A checkpoint, driven by hand"
            caption="You take the turns, or let the model take them; the trajectory is saved as manual."
          />
          <PanelBody className="grid grid-cols-2 gap-x-4 gap-y-3 max-[640px]:grid-cols-1">
            <Field
              label="Checkpoint"
              error={issues.checkpoint}
              description="RUN@STEP: a step that the run saved, or 0 for its untrained model"
            >
              {(control) => (
                <TextInput
                  {...control}
                  value={draft.checkpoint}
                  placeholder="r-0001@40"
                  onValue={(c) => set({ c })}
                />
              )}
            </Field>
            <Field label="World">
              {(control) => (
                <Select
                  {...control}
                  value={draft.world}
                  onValue={(world) => set({ world: world === 'task' ? null : world })}
                  options={[
                    { value: 'task', title: 'A task of its environment' },
                    { value: 'pasted', title: 'Pasted observations' },
                  ]}
                />
              )}
            </Field>
            {draft.world === 'task' ? (
              <TaskFields draft={draft} issues={issues} />
            ) : (
              <Field label="Goal" error={issues.goal} description="As the scaffold’s prompts name it">
                {(control) => <TextArea {...control} value={draft.goal} onValue={(goal) => set({ goal })} />}
              </Field>
            )}
          </PanelBody>
        </Panel>
        <Panel>
          <PanelHead title="Sampling and bounds" />
          <PanelBody className="grid grid-cols-4 gap-x-4 gap-y-3 max-[640px]:grid-cols-2">
            <Field label="Decoding" error={issues.decoding}>
              {(control) => (
                <Select
                  {...control}
                  value={draft.decoding}
                  onValue={(decoding) => set({ decoding })}
                  options={[
                    { value: 'sampled', title: 'sampled' },
                    { value: 'greedy', title: 'greedy' },
                  ]}
                />
              )}
            </Field>
            <Field label="Temperature" error={issues.temperature} description="Empty: as the run evaluates">
              {(control) => (
                <TextInput
                  {...control}
                  value={draft.temperature}
                  disabled={draft.decoding === 'greedy'}
                  onValue={(temperature) => set({ temperature })}
                />
              )}
            </Field>
            <Field label="Turns, at most" error={issues.turns} description="Empty: the run’s own bound">
              {(control) => (
                <TextInput {...control} value={draft.turns} onValue={(turns) => set({ turns })} />
              )}
            </Field>
            <Field
              label="Ends when idle, min"
              error={issues.idle}
              description="A play holds its worker for as long as it lasts"
            >
              {(control) => <TextInput {...control} value={draft.idle} onValue={(idle) => set({ idle })} />}
            </Field>
          </PanelBody>
        </Panel>
        {launch.error && (
          <Note tone="bad" role="alert">
            {launch.error.message}
          </Note>
        )}
        <div>
          <Button type="submit" variant="primary" disabled={launch.isPending}>
            {launch.isPending ? 'Asking…' : 'Play'}
          </Button>
        </div>
      </form>
    </>
  );
}

function TaskFields({
  draft,
  issues,
}: {
  draft: ReturnType<typeof readDraft>;
  issues: Partial<Record<string, string>>;
}) {
  const { set } = useUrlState();
  const checkpoint = readCheckpoint(draft.checkpoint);
  return (
    <>
      <Field
        label="Task"
        error={issues.task}
        description="Its id, for instance babyai/GoToLocalS8N7/1 or GoToLocalS8N7/1; the tasks of the run’s probe are offered"
      >
        {(control) => (
          <>
            <TextInput {...control} list={TASKS_LIST} value={draft.task} onValue={(task) => set({ task })} />
            {checkpoint && <ProbeTasks runId={checkpoint.runId} />}
          </>
        )}
      </Field>
      <Field label="Split" error={issues.split}>
        {(control) => (
          <Select
            {...control}
            value={draft.split}
            onValue={(split) => set({ split })}
            options={SPLITS.map((split) => ({ value: split, title: split }))}
          />
        )}
      </Field>
    </>
  );
}

/** What the task's box offers; a run without a probe, or none of that id, offers nothing. */
function ProbeTasks({ runId }: { runId: string }) {
  const { data } = useProbeIndex(runId);
  return (
    <datalist id={TASKS_LIST}>
      {data?.tasks.map(({ taskId, goal }) => (
        <option key={taskId} value={taskId}>
          {goal}
        </option>
      ))}
    </datalist>
  );
}
