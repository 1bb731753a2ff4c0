'use client';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { FieldIssue } from '@/contract/errors';
import { mayReachModel } from '@/contract/worker-report';
import { useWorkers } from '@/components/data/run-queries';
import { formatLeaf, type ChangedSetting } from '@/components/run/config-rows';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { Panel, PanelHead } from '@/components/ui/panel';
import { StateWord } from '@/components/ui/state-word';

/** What stands between the draft and its run. */
export function BeforeLaunch({
  issues,
  failure,
  engine,
  model,
  environment,
  pending,
  onLaunch,
}: {
  issues: readonly FieldIssue[];
  /** Why the server refused or did not answer. */
  failure: string | null;
  engine: string;
  model: string;
  environment: string;
  pending: boolean;
  onLaunch: () => void;
}) {
  const blocked = issues.length > 0;
  return (
    <Panel aria-label="Before launch">
      <PanelHead title="Before launch">
        {blocked ? (
          <StateWord icon={CircleX} tone="bad">
            {issues.length} {issues.length === 1 ? 'problem' : 'problems'}
          </StateWord>
        ) : (
          <StateWord icon={CircleCheck} tone="ok">
            no problems
          </StateWord>
        )}
      </PanelHead>
      <ul>
        {issues.map((issue) => (
          <li
            key={issue.path + issue.message}
            className="flex gap-2 border-b border-line px-2.5 py-1.5 text-sm"
          >
            <Icon of={CircleX} className="mt-0.5 text-bad" />
            <span className="min-w-0 break-words">
              <b className="font-mono text-mono font-medium">{issue.path.replace(/^config\./, '')}</b>{' '}
              {issue.message}
            </span>
          </li>
        ))}
      </ul>
      {failure && (
        <p role="alert" className="flex gap-2 border-b border-line px-2.5 py-1.5 text-sm">
          <Icon of={CircleX} className="mt-0.5 text-bad" />
          {failure} Nothing was launched, and nothing here is lost.
        </p>
      )}
      <WorkersWord engine={engine} model={model} environment={environment} />
      <div className="p-2.5">
        <Button
          variant="primary"
          className="h-8 w-full justify-center"
          disabled={blocked || pending}
          onClick={onLaunch}
        >
          {pending
            ? 'Launching…'
            : blocked
              ? `Launch: fix ${issues.length} ${issues.length === 1 ? 'problem' : 'problems'} first`
              : 'Launch'}
          <Kbd inverted>⌘/Ctrl Enter</Kbd>
        </Button>
      </div>
    </Panel>
  );
}

/** Whether some connected worker can take the run. */
function WorkersWord({ engine, model, environment }: { engine: string; model: string; environment: string }) {
  const { data } = useWorkers();
  if (!data) return null;
  const isServed = engine === 'tinker';
  const able = data.filter(
    (worker) =>
      worker.connected &&
      worker.engines.includes(engine) &&
      worker.environments.includes(environment) &&
      (!isServed || mayReachModel(worker.report?.tinker, model)),
  );
  const needs = `engine ${engine}${isServed ? ` with model ${model}` : ''} and environment ${environment}`;
  const idle = able.find((worker) => worker.runId === null);
  return (
    <p className="flex gap-2 border-b border-line px-2.5 py-1.5 text-sm text-ink-2">
      <Icon of={idle ? CircleCheck : Clock} className={idle ? 'mt-0.5 text-ok' : 'mt-0.5'} />
      {idle
        ? `${idle.name} is idle and has ${needs}.`
        : able.length > 0
          ? `${able.map((worker) => worker.name).join(', ')} ${able.length === 1 ? 'is' : 'are'} busy: the run waits in the queue.`
          : `No connected worker has ${needs}: the run waits in the queue until one comes.`}
    </p>
  );
}

/** What departs from the preset, and the way back. */
export function ChangedPanel({
  preset,
  changes,
  total,
  onReset,
}: {
  preset: string;
  changes: readonly ChangedSetting[];
  total: number;
  /** Null where nothing was typed over the values that the form opened with. */
  onReset: (() => void) | null;
}) {
  return (
    <Panel aria-label="Changed from the preset">
      <PanelHead title={`Changed from ${preset}`} caption={`${changes.length} of ${total} keys`}>
        {onReset && (
          <Button size="small" onClick={onReset}>
            Reset all
          </Button>
        )}
      </PanelHead>
      {changes.length === 0 ? (
        <p className="p-2.5 text-sm text-ink-3">Every value is the preset’s.</p>
      ) : (
        <dl className="font-mono text-mono">
          {changes.map((change) => (
            <div key={change.key} className="border-b border-line px-2.5 py-1 last:border-b-0">
              <dt className="break-words">{change.key}</dt>
              <dd className="flex gap-1.5 pl-2.5">
                <Value value={change.before} className="text-a" />
                <span className="text-ink-3">→</span>
                <Value value={change.after} className="text-b" />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

/** A value, of a long text its first lines; the field itself shows all of it. */
function Value({ value, className }: { value: unknown; className: string }) {
  return (
    <span className={classNames('line-clamp-4 min-w-0 break-words', className)}>{formatLeaf(value)}</span>
  );
}
