import { TriangleAlert } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Note } from '@/components/ui/panel';
import type { CompareTable } from './compare-table';

/** Warns of evaluations under other settings than the baseline's, which are compared on demand only. */
export function CompareNotes({
  table,
  anyway,
  onAnyway,
}: {
  table: CompareTable;
  anyway: boolean;
  onAnyway: (anyway: boolean) => void;
}) {
  const unlike = table.rows.flatMap(({ title, cells }) =>
    [...cells].flatMap(([split, cell]) => {
      const differences =
        cell?.against?.kind === 'unlike' || cell?.against?.kind === 'compared'
          ? cell.against.differences
          : [];
      return differences.length === 0
        ? []
        : [`${title} on ${split}: ${differences.map(({ words }) => words).join('; ')}`];
    }),
  );
  if (unlike.length === 0) return null;
  return (
    <Note tone="warn">
      <Icon of={TriangleAlert} size="small" className="mt-0.75 text-warn" />
      <div>
        <p className="font-semibold">
          {anyway ? 'Compared under unlike settings' : 'Not compared: settings differ from the baseline’s'}
        </p>
        <ul>
          {unlike.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
      <Button size="small" className="ml-auto" onClick={() => onAnyway(!anyway)}>
        {anyway ? 'Compare like settings only' : 'Compare anyway'}
      </Button>
    </Note>
  );
}
