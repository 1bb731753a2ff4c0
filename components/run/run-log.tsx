'use client';
import { MISSING } from '@/contract/format';
import { RUN_VIEW_LOG_LINES, type LogLine } from '@/contract/run-view';
import { useAwake } from '@/components/data/awake';
import { classNames } from '@/components/ui/class-names';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { PlainText } from '@/components/trajectory/plain-text';
import { formatClock } from '@/components/ui/time';

const LEVEL_COLOR: Record<LogLine['level'], string> = {
  info: 'text-ink-2',
  warn: 'text-warn',
  error: 'text-bad',
};

/** The last lines of the log as text. */
export function RunLog({ log }: { log: readonly LogLine[] }) {
  const isAwake = useAwake();
  if (log.length === 0)
    return (
      <Panel>
        <EmptyState title="The log is empty.">Lines appear here as the worker writes them.</EmptyState>
      </Panel>
    );
  return (
    <Panel>
      <PanelHead
        title="Log"
        caption={
          log.length < RUN_VIEW_LOG_LINES
            ? `${log.length} lines`
            : `last ${RUN_VIEW_LOG_LINES} lines, newest below`
        }
      />
      {/* Laid out from the bottom: a reader at the end stays at the end as lines come. */}
      <div
        className="flex max-h-160 flex-col-reverse overflow-auto"
        tabIndex={0}
        role="region"
        aria-label="Log lines"
      >
        <ol className="p-2.5 font-mono text-mono">
          {log.map((line) => (
            <li key={line.position} className={classNames('flex gap-3', LEVEL_COLOR[line.level])}>
              <time className="min-w-[8ch] flex-none text-ink-3">{clockOf(line, isAwake)}</time>
              <span className="w-10 flex-none">{line.level}</span>
              <span className="min-w-0 break-words whitespace-pre-wrap">
                <PlainText text={line.message} />
              </span>
            </li>
          ))}
        </ol>
      </div>
    </Panel>
  );
}

/** In the reader's zone, which the server does not know. */
function clockOf({ at }: LogLine, isAwake: boolean): string {
  if (!at) return MISSING;
  return isAwake ? formatClock(at) : '';
}
