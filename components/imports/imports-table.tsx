import { Link } from '@/components/ui/link';
import { CircleDashed, CircleSlash, CircleX, Import } from 'lucide-react';
import { formatBytes, formatCount, MISSING } from '@/contract/format';
import { IMPORT_FORMATS, type ImportCounts, type ImportRow, type SkippedPart } from '@/contract/imports';
import { StateWord } from '@/components/ui/state-word';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { Ago } from '@/components/ui/time';

/** Each import with what was read, and place and reason of what was not. */
export function ImportsTable({ imports, now }: { imports: readonly ImportRow[]; now: number | null }) {
  return (
    <Table>
      <thead>
        <tr>
          <HeadCell>State</HeadCell>
          <HeadCell>Source</HeadCell>
          <HeadCell>Run</HeadCell>
          <HeadCell numeric>Points</HeadCell>
          <HeadCell numeric>Trajectories</HeadCell>
          <HeadCell numeric>Evaluations</HeadCell>
          <HeadCell numeric>Capability results</HeadCell>
          <HeadCell>Left out</HeadCell>
          <HeadCell numeric>Size</HeadCell>
          <HeadCell numeric>Imported</HeadCell>
        </tr>
      </thead>
      <tbody>
        {imports.map((row) => (
          <ImportCells key={row.id} row={row} now={now} />
        ))}
      </tbody>
    </Table>
  );
}

const COUNTED: readonly (keyof ImportCounts)[] = ['points', 'trajectories', 'evaluations', 'capabilities'];

function ImportCells({ row, now }: { row: ImportRow; now: number | null }) {
  return (
    <Row className="align-top">
      <Cell>
        <State row={row} />
      </Cell>
      <Cell className="max-w-96">
        <span className="block font-mono text-mono break-all">{row.path}</span>
        <span className="text-xs text-ink-3">
          {row.format === null ? 'no known format' : IMPORT_FORMATS[row.format]}
        </span>
      </Cell>
      <Cell>
        {row.runId === null ? (
          <span className="text-ink-3">{MISSING}</span>
        ) : (
          <Link href={`/runs/${encodeURIComponent(row.runId)}`} className="text-link">
            {row.runName ?? row.runId}
          </Link>
        )}
      </Cell>
      {COUNTED.map((kind) => (
        <Cell key={kind} numeric>
          {row.state === 'refused' || row.state === 'broken' ? (
            <span className="text-ink-3">{MISSING}</span>
          ) : (
            formatCount(row.counts[kind])
          )}
        </Cell>
      ))}
      <Cell className="max-w-112">
        <LeftOut row={row} />
      </Cell>
      <Cell numeric>{formatBytes(row.bytes)}</Cell>
      <Cell numeric>
        <Ago at={row.createdAt} now={now} />
      </Cell>
    </Row>
  );
}

function State({ row }: { row: ImportRow }) {
  switch (row.state) {
    case 'imported':
      return (
        <StateWord icon={Import} tone="ok">
          imported
        </StateWord>
      );
    case 'storing':
      return (
        <StateWord icon={CircleDashed} tone="info">
          being stored
        </StateWord>
      );
    case 'refused':
      return (
        <StateWord icon={CircleX} tone="bad">
          refused
        </StateWord>
      );
    case 'broken':
      return (
        <StateWord icon={CircleSlash} tone="bad">
          broke off
        </StateWord>
      );
  }
}

function LeftOut({ row }: { row: ImportRow }) {
  if (row.refusal) return <span className="break-words">{row.refusal.message}</span>;
  if (row.skippedCount === 0) return <span className="text-ink-3">nothing</span>;
  const unlisted = row.skippedCount - row.skipped.length;
  const [first] = row.skipped;
  if (row.skippedCount === 1 && first) return <Skipped part={first} />;
  return (
    <details>
      <summary className="cursor-pointer">
        {formatCount(row.skippedCount)} parts, with the reason of each
      </summary>
      <ul>
        {row.skipped.map((part, index) => (
          <li key={index}>
            <Skipped part={part} />
          </li>
        ))}
      </ul>
      {unlisted > 0 && <p className="text-ink-3">{formatCount(unlisted)} more are not listed.</p>}
    </details>
  );
}

function Skipped({ part: { file, line, reason } }: { part: SkippedPart }) {
  return (
    <span className="break-words">
      <span className="font-mono text-mono">
        {file}
        {line !== null && `:${line}`}
      </span>{' '}
      {reason}
    </span>
  );
}
