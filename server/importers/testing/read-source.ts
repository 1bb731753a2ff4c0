import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SkippedPart } from '@/contract/imports';
import { RunEvent } from '@/contract/run-events';
import { DEFAULT_OPTIONS, type ImportedEvent, type ImportOptions } from '../importer';
import { importerOf } from '../registry';
import { openSource } from '../source';

/** Everything that the importer of a path yields, checked as the ingest would, and what it left out. */
export async function readSource(named: string, options: Partial<ImportOptions> = {}) {
  const source = await openSource(named);
  const importer = await importerOf(source, null);
  const skipped: SkippedPart[] = [];
  const facts: Record<string, unknown> = {};
  const events: ImportedEvent['event'][] = [];
  const context = {
    options: { ...DEFAULT_OPTIONS, ...options },
    facts,
    skip: (part: SkippedPart) => skipped.push(part),
  };
  for await (const { event } of importer.read(source, context))
    events.push(event.kind === 'checkpoint:written' ? event : RunEvent.parse(event));
  return { format: importer.format, events, skipped, facts };
}

/** A file of the given text in a folder of its own. */
export async function fileOf(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stepscope-import-'));
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

/** The values of one series by step. */
export function seriesOf(events: readonly ImportedEvent['event'][], name: string) {
  return events.flatMap((event) =>
    event.kind === 'points:measured'
      ? event.points.filter((point) => point.name === name).map(({ value }) => [event.step, value] as const)
      : [],
  );
}

/** The trajectories among the events. */
export function trajectoriesOf(events: readonly ImportedEvent['event'][]) {
  return events.flatMap((event) => (event.kind === 'trajectory:finished' ? [event.trajectory] : []));
}
