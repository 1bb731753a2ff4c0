'use client';
import { Button } from '@/components/ui/button';
import { Note } from '@/components/ui/panel';
import { formatClock } from '@/components/ui/time';
import type { SaveState } from './report-draft';
import type { OpenDraft } from './use-report-draft';

/** Whether what is on screen is stored, in a word. */
export function SaveWords({ state }: { state: SaveState }) {
  return (
    <span className="text-sm text-ink-3" role="status">
      {wordsOf(state)}
    </span>
  );
}

function wordsOf(state: SaveState): string {
  switch (state.kind) {
    case 'saved':
      return `Saved ${formatClock(state.at)}`;
    case 'unsaved':
      return 'Not saved yet';
    case 'saving':
      return 'Saving';
    case 'conflict':
      return 'Not saved: changed elsewhere';
    case 'failed':
      return 'Not saved';
  }
}

/** What keeps a report from being stored, and what can be done about it. */
export function SaveNote({ draft: { state, save, takeStored } }: { draft: OpenDraft }) {
  if (state.kind !== 'conflict' && state.kind !== 'failed') return null;
  return (
    <div className="mb-2.5 print:hidden">
      <Note tone="bad" role="alert">
        {state.kind === 'failed' ? (
          <>
            <span>Not saved: {state.message}. What you wrote is kept until this tab is closed.</span>
            <Button size="small" onClick={() => void save()}>
              Save again
            </Button>
          </>
        ) : (
          <>
            <span>
              The report was changed elsewhere since you opened it. Nothing is saved until you choose
              {state.message !== null && `; the other change could not be read: ${state.message}`}.
            </span>
            <Button size="small" onClick={() => void takeStored()}>
              Take the other change
            </Button>
            <Button size="small" variant="danger" onClick={() => void save()}>
              Keep mine, over it
            </Button>
          </>
        )}
      </Note>
    </div>
  );
}
