import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { ExportMenu } from '@/components/export/export-menu';
import type { ExportTable } from '@/components/export/table-formats';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { spreadWords, type SeedSpread, type SeedValue } from './seed-spread';

/** The spread over evaluation seeds and over training seeds, each in a column of its own. */
export function SeedsPanel({
  spreads,
  exported,
}: {
  spreads: readonly SeedSpread[];
  exported: () => ExportTable;
}) {
  if (spreads.every(({ evaluation, training }) => evaluation.length === 1 && training.length === 1))
    return (
      <Panel aria-label="Seeds">
        <PanelHead title="Seeds" />
        <PanelBody className="text-sm text-ink-2">
          One evaluation seed and one training seed each, so no spread is known. Another evaluation of a
          checkpoint adds an evaluation seed; the same recipe and config run with another seed, compared at
          the same step, adds a training seed.
        </PanelBody>
      </Panel>
    );
  return (
    <Panel aria-label="Seeds">
      <PanelHead title="Seeds" caption="success, %, mean ± sample standard deviation, N seeds">
        <ExportMenu table={exported} />
      </PanelHead>
      <Table>
        <thead>
          <tr>
            <HeadCell>Checkpoint</HeadCell>
            <HeadCell>Split</HeadCell>
            <HeadCell numeric title="The same checkpoint, evaluated again">
              Evaluation seeds
            </HeadCell>
            <HeadCell numeric title="Runs of the same recipe and config, at the same step">
              Training seeds
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {spreads.map(({ row, split, evaluation, training }) => (
            <Row key={`${row.name}/${split}`}>
              <Cell>{row.title}</Cell>
              <Cell>{split}</Cell>
              <SpreadCell values={evaluation} />
              <SpreadCell values={training} />
            </Row>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

function SpreadCell({ values }: { values: readonly SeedValue[] }) {
  return (
    <Cell numeric>
      {spreadWords(values)}
      <span className="block text-xs text-ink-3">
        {values.length === 1 ? 'seed ' : 'seeds '}
        {values.map(({ seed }) => seed ?? 'not recorded').join(', ')}
      </span>
    </Cell>
  );
}
