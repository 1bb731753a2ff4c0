import type { ImportCounts, SkippedPart } from '@/contract/imports';
import { toFieldIssues } from '@/contract/parse';
import { RunEvent } from '@/contract/run-events';
import { oversizedInteger } from '../ingest/parse-events';
import {
  damaged,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportOptions,
  type ImportSource,
} from './importer';
import { EXPECTED_WHOLE } from './stated-whole';

/** Of the parts that were left out, those that are kept by place and reason. */
const SKIPPED_KEPT = 200;

/** The last time that a date can tell, ms since 1970. */
const LAST_TIME = 8.64e15;

export const NOTHING: ImportCounts = { points: 0, trajectories: 0, evaluations: 0, capabilities: 0 };

/** What a whole reading found. */
export interface Survey {
  counts: ImportCounts;
  skipped: SkippedPart[];
  skippedCount: number;
  facts: Record<string, unknown>;
  /** Of the first event; null where the source has no clock. */
  startedAt: number | null;
}

/** Reads a source to its end and checks every event, keeping what can be counted. Throws where it cannot be read whole. */
export async function surveyOf(
  importer: Importer,
  source: ImportSource,
  options: ImportOptions,
): Promise<Survey> {
  const survey: Survey = { counts: { ...NOTHING }, skipped: [], skippedCount: 0, facts: {}, startedAt: null };
  const context: ImportContext = {
    options,
    facts: survey.facts,
    skip: (part) => {
      survey.skippedCount++;
      if (survey.skipped.length < SKIPPED_KEPT) survey.skipped.push(part);
    },
  };
  let read = 0;
  for await (const imported of importer.read(source, context)) {
    if (read++ === 0) survey.startedAt = imported.at;
    count(survey.counts, checked(imported));
  }
  if (read === 0) throw damaged(source.path, null, 'nothing in it could be read');
  return survey;
}

function checked({ file, line, at, event }: ImportedEvent): ImportedEvent['event'] {
  if (at !== null && !(at >= 0 && at <= LAST_TIME))
    throw damaged(file, line, `its time is ${at}, expected ms since 1970 from 0 to ${LAST_TIME}`);
  // Readers make points of names and numbers that they have checked: there may be millions.
  const parsed =
    event.kind === 'checkpoint:written' || event.kind === 'points:measured'
      ? null
      : RunEvent.safeParse(event);
  if (parsed && !parsed.success) {
    const [issue] = toFieldIssues(parsed.error);
    throw damaged(file, line, `${issue?.path ?? event.kind}: ${issue?.message ?? 'not valid'}`);
  }
  const wide = oversizedInteger(event.kind === 'points:measured' ? { step: event.step } : event, '');
  if (wide) throw damaged(file, line, `${wide.path.slice(1)} is ${wide.value}, ${EXPECTED_WHOLE}`);
  return parsed?.data ?? event;
}

function count(counts: ImportCounts, event: ImportedEvent['event']): void {
  if (event.kind === 'points:measured') counts.points += event.points.length;
  if (event.kind === 'trajectory:finished') counts.trajectories++;
  if (event.kind === 'evaluation:finished') counts.evaluations++;
  if (event.kind === 'capability:measured') counts.capabilities++;
}
