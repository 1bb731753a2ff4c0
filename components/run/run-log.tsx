'use client';
import { MISSING } from '@/contract/format';
import { RUN_VIEW_LOG_LINES, type LogLine } from '@/contract/run-view';
import { classNames } from '@/components/ui/class-names';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { formatClock } from '@/components/ui/time';

const LEVEL_COLOR: Record<LogLine['level'], string> = {
  info: 'text-ink-2',
  warn: 'text-warn',
  error: 'text-bad',
};

/** C0 and C1 controls but tab and line feed as pictures: what a log holds is shown, never obeyed. */
export function showControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (control) => {
    const code = control.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? '␡' : `\\x${code.toString(16)}`;
  });
}

/** The last lines of the log as text. */
export function RunLog({ log }: { log: readonly LogLine[] }) {
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
      <ol className="max-h-160 overflow-auto p-2.5 font-mono text-mono" tabIndex={0} aria-label="Log lines">
        {log.map((line) => (
          <li key={line.position} className={classNames('flex gap-3', LEVEL_COLOR[line.level])}>
            <time className="flex-none text-ink-3">{line.at ? formatClock(line.at) : MISSING}</time>
            <span className="w-10 flex-none">{line.level}</span>
            <span className="min-w-0 break-words whitespace-pre-wrap">{showControls(line.message)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
