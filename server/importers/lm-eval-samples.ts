import { z } from 'zod';
import type { CapabilityResult, CapabilityScore } from '@/contract/capability';
import { damaged, type ImportContext, type SourceFile } from './importer';
import { jsonLinesOf } from './lines';

const Sample = z.looseObject({
  doc: z.record(z.string(), z.unknown()).default({}),
  filter: z.string().optional(),
  filtered_resps: z.array(z.unknown()).default([]),
  exact_match: z.number().optional(),
  acc: z.number().optional(),
  reply_tokens: z.number().nonnegative().optional(),
});

/** Columns of a question by which its subject is known, the first that is there. */
const SUBJECT_COLUMNS = ['High-level domain', 'subject'];
/** What the harness's filters leave where they found no answer. */
const INVALID = '[invalid]';
const FLEXIBLE = 'flexible-extract';

/** What samples tell beyond the results. */
export interface SamplesTold {
  scores: CapabilityScore[];
  invalid: number | null;
  tokens: CapabilityResult['tokens'];
}

/**
 * Scores by subject, invalid answers and lengths of replies, from samples that `--log_samples` wrote. Where a question is there
 * once a filter, the flexible one counts. The harness writes no token counts; `reply_tokens` is read where somebody added it.
 */
export async function readSamples(
  files: readonly SourceFile[],
  context: ImportContext,
): Promise<SamplesTold> {
  const subjects = new Map<string, { n: number; right: number }>();
  const lengths: number[] = [];
  let invalid = 0;
  let read = 0;
  for (const file of files) {
    const cut = (line: number) => context.skip({ file: file.name, line, reason: 'the last line is cut off' });
    for await (const { line, value } of jsonLinesOf(file, cut)) {
      const parsed = Sample.safeParse(value);
      if (!parsed.success) throw damaged(file.name, line, 'expected a sample of lm-evaluation-harness');
      const {
        doc,
        filter,
        filtered_resps: answers,
        exact_match: exact,
        acc,
        reply_tokens: length,
      } = parsed.data;
      if (filter !== undefined && filter !== 'none' && filter !== FLEXIBLE) continue;
      read++;
      if (answers[0] === INVALID) invalid++;
      if (length !== undefined) lengths.push(length);
      const subject = SUBJECT_COLUMNS.map((column) => doc[column]).find((each) => typeof each === 'string');
      const score = exact ?? acc;
      // A question that was not scored is in no rate.
      if (typeof subject !== 'string' || score === undefined) continue;
      const before = subjects.get(subject) ?? { n: 0, right: 0 };
      subjects.set(subject, { n: before.n + 1, right: before.right + score });
    }
  }
  const scores = [...subjects].map(([subject, { n, right }]) => ({
    metric: subject.toLowerCase(),
    value: right / n,
    n,
    isMacro: false,
  }));
  return { scores, invalid: read === 0 ? null : invalid, tokens: lengthsOf(lengths) };
}

function lengthsOf(lengths: readonly number[]): CapabilityResult['tokens'] {
  if (lengths.length === 0) return null;
  const sorted = [...lengths].sort((a, b) => a - b);
  const mean = sorted.reduce((sum, length) => sum + length, 0) / sorted.length;
  return { mean, median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

/** Linear between neighbours, as numpy's default. */
function quantile(sorted: readonly number[], fraction: number): number {
  const place = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(place)] ?? 0;
  const high = sorted[Math.ceil(place)] ?? low;
  return low + (high - low) * (place - Math.floor(place));
}
