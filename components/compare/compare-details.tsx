'use client';
import { useCallback } from 'react';
import type { ComparedTask, Comparison } from '@/contract/compare';
import type { Split } from '@/contract/trajectory';
import { usePacedWork } from '@/components/data/paced-work';
import type { UrlChanges } from '@/components/data/url-state';
import { ExportMenu } from '@/components/export/export-menu';
import type { ExportTable } from '@/components/export/table-formats';
import { Panel, SectionHead } from '@/components/ui/panel';
import { Segmented } from '@/components/ui/segmented';
import { NotRecorded, Skeleton } from '@/components/ui/state-panel';
import { changedTasks, pairHref } from './changed-tasks';
import { exportChangedTasks } from './changed-tasks-export';
import { ChangedTasksPanels } from './changed-tasks-panels';
import { exportSeeds, exportTaskTypes } from './compare-export';
import type { CompareState } from './compare-state';
import type { CompareRow, CompareTable } from './compare-table';
import { againstWords, pairingWords } from './compare-words';
import { SeedsPanel } from './seeds-panel';
import { seedSpreads } from './seed-spread';
import { TaskTypesPanel } from './task-types-panel';
import { taskTypesOf } from './task-types';

/** Beneath the matrix: the tasks of one row and split, the task types, the seeds. */
export function CompareDetails({
  table,
  comparison,
  tasks,
  selected,
  state,
  filters,
  set,
}: {
  table: CompareTable;
  comparison: Comparison;
  tasks: ReadonlyMap<string, ComparedTask>;
  selected: CompareRow | null;
  state: CompareState;
  filters: ExportTable['filters'];
  set: (changes: UrlChanges) => void;
}) {
  const { interval, holm } = state;
  const split = shownSplit(table, selected, state);
  const work = useCallback(
    () => taskTypesOf(table, comparison.tasks, split ?? 'valid_seen', { interval, holm }),
    [table, comparison, split, interval, holm],
  );
  const types = usePacedWork(work);
  const spreads = seedSpreads(table);
  if (!split) return null;
  const title = `Tasks, ${table.baseline?.title ?? 'baseline'} to ${selected?.title ?? 'nothing'}, ${split}`;
  const paired = pairedOn(table, selected, split);
  return (
    <>
      <SectionHead title={title} caption={selected ? pairing(selected, split) : undefined}>
        {paired && <ExportMenu table={() => exportChangedTasks({ title, ...paired, tasks, filters })} />}
        <Segmented
          label="Split"
          value={split}
          options={table.splits.map((value) => ({ value, title: value }))}
          onChange={(value) => set({ split: value })}
        />
      </SectionHead>
      <ChangedTasks table={table} selected={selected} split={split} tasks={tasks} state={state} set={set} />
      {types ? (
        <TaskTypesPanel types={types} exported={() => exportTaskTypes(types, filters)} />
      ) : (
        <Skeleton height={240} label="Working out the task types" />
      )}
      <SeedsPanel spreads={spreads} exported={() => exportSeeds(spreads, filters)} />
    </>
  );
}

/** What the row gained and lost on the split; null where it is not paired with the baseline there. */
function pairedOn(table: CompareTable, row: CompareRow | null, split: Split) {
  const after = row?.cells.get(split);
  const before = table.baseline?.cells.get(split);
  if (!before || after?.against?.kind !== 'compared') return null;
  const { changes } = after.against.comparison;
  return changes && { changes, sides: { before: before.played, after: after.played } };
}

/** The split of the address, else the last that the row was compared on, else the last of all. */
function shownSplit(table: CompareTable, selected: CompareRow | null, { split }: CompareState): Split | null {
  if (split !== null && table.splits.includes(split)) return split;
  const compared = table.splits.findLast((each) => selected?.cells.get(each)?.against?.kind === 'compared');
  return compared ?? table.splits.at(-1) ?? null;
}

function pairing(row: CompareRow, split: Split): string {
  const against = row.cells.get(split)?.against;
  if (!against) return `${row.title} was not compared on ${split}`;
  if (against.kind !== 'compared') return againstWords(against);
  const { comparison } = against;
  return comparison.changes
    ? `paired on task, ${comparison.n} tasks in both; ${pairingWords(comparison)}`
    : pairingWords(comparison);
}

function ChangedTasks({
  table,
  selected,
  split,
  tasks,
  state,
  set,
}: {
  table: CompareTable;
  selected: CompareRow | null;
  split: Split;
  tasks: ReadonlyMap<string, ComparedTask>;
  state: CompareState;
  set: (changes: UrlChanges) => void;
}) {
  const after = selected?.cells.get(split);
  const before = table.baseline?.cells.get(split);
  if (!before || after?.against?.kind !== 'compared') return null;
  const { comparison } = after.against;
  if (!comparison.changes)
    return (
      <Panel>
        <NotRecorded>
          Unpaired: which tasks were gained and lost needs a trajectory of each task on both sides.
          {before.played.byTask === null && ` ${table.baseline?.title} is known by its counts alone.`}
          {after.played.byTask === null && ` ${selected?.title} is known by its counts alone.`}
        </NotRecorded>
      </Panel>
    );
  return (
    <ChangedTasksPanels
      comparison={comparison}
      sides={{ before: before.played, after: after.played }}
      tasks={tasks}
      isAll={state.allTasks}
      onAll={(isAll) => set({ tasks: isAll ? 'all' : null })}
    />
  );
}

/** Address of the first gained, else lost, task of a row on the shown split; null where none is paired. */
export function firstPair(
  table: CompareTable,
  row: CompareRow,
  state: CompareState,
  tasks: ReadonlyMap<string, ComparedTask>,
): string | null {
  const split = shownSplit(table, row, state);
  const paired = split && pairedOn(table, row, split);
  if (!paired) return null;
  for (const kind of ['gained', 'lost'] as const) {
    const [first] = changedTasks(paired.changes[kind], kind, paired.sides, tasks);
    if (first) return pairHref(first);
  }
  return null;
}
