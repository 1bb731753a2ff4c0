'use client';
import { Link } from '@/components/ui/link';
import { Note } from '@/components/ui/panel';
import { useUnsavedReports } from './use-report-draft';

/** Which reports have text that was typed in this tab and is not stored, each a link to where it can be saved. */
export function UnsavedNote() {
  const unsaved = useUnsavedReports().filter(({ why }) => why !== null);
  if (unsaved.length === 0) return null;
  return (
    <div className="mb-2.5">
      <Note tone="bad" role="alert">
        <ul>
          {unsaved.map(({ reportId, title, why }) => (
            <li key={reportId}>
              What you wrote in{' '}
              <Link href={`/reports/${reportId}?edit=1`} className="text-link">
                {title.trim() || 'Untitled report'}
              </Link>{' '}
              is not saved: {why}. It is kept until this tab is closed.
            </li>
          ))}
        </ul>
      </Note>
    </div>
  );
}
