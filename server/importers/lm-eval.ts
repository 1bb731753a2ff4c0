import path from 'node:path';
import { z } from 'zod';
import type { CapabilityResult, CapabilityScore } from '@/contract/capability';
import {
  damaged,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
  type SourceFile,
} from './importer';
import { readJsonFile } from './lines';
import { readSamples } from './lm-eval-samples';

const Results = z.object({
  results: z.record(z.string(), z.record(z.string(), z.unknown())),
  'n-samples': z.record(z.string(), z.object({ effective: z.int().nonnegative() })).default({}),
  group_subtasks: z.record(z.string(), z.array(z.string())).default({}),
  model_name: z.string().nullish(),
  config: z.looseObject({ model: z.string().nullish(), model_args: z.unknown().optional() }).nullish(),
  date: z.number().nullish(),
  lm_eval_version: z.string().nullish(),
});
type Results = z.infer<typeof Results>;

/** `results_*.json` of lm-evaluation-harness, alone or in its folder with the samples that `--log_samples` wrote. */
export const lmEval: Importer = {
  format: 'lm-eval',
  recognises: ({ files }, head) =>
    files.some(({ name }) => isResults(name)) &&
    (/^\s*\{\s*"results"\s*:\s*\{/.test(head) || files.some(({ name }) => isSamples(name))),
  read: readResults,
};

function isResults(name: string): boolean {
  return /\.json$/.test(name);
}

function isSamples(name: string): boolean {
  return /(?:^|\/)samples_.+\.jsonl$/.test(name);
}

/** The task whose samples a file holds, of the results' tasks: the longest that its name begins with. */
function taskOfSamples(name: string, { results }: Results): string | null {
  const tasks = Object.keys(results).filter((task) => name.includes(`samples_${task}_`));
  return tasks.sort((a, b) => b.length - a.length)[0] ?? null;
}

async function* readResults(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  for (const file of source.files.filter(({ name }) => isResults(name))) {
    const parsed = Results.safeParse(await readJsonFile(file));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw damaged(
        file.name,
        null,
        `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not valid'}`,
      );
    }
    const samples = source.files.filter(({ name }) => isSamples(name));
    yield* fileEvents(file, parsed.data, samples, context);
  }
}

async function* fileEvents(
  file: SourceFile,
  results: Results,
  samples: readonly SourceFile[],
  context: ImportContext,
): AsyncGenerator<ImportedEvent> {
  const model = modelOf(file, results, context);
  context.facts['engine'] = { model };
  context.facts['harness'] = results.lm_eval_version ?? 'n/a';
  const at = results.date ? Math.round(results.date * 1000) : null;
  const { checkpoint, step, isBase } = context.options;
  for (const [benchmark, tasks] of benchmarksOf(results)) {
    const measured = tasks.filter((task) => !isEmpty(task, results));
    for (const task of tasks.filter((each) => isEmpty(each, results)))
      context.skip({ file: file.name, line: null, reason: `${task}: n-samples.effective is 0, no question` });
    if (measured.length === 0) continue;
    const told = await readSamples(
      samples.filter(({ name }) => measured.includes(taskOfSamples(name, results) ?? '')),
      context,
    );
    const scores = [...scoresOf(benchmark, tasks, results), ...told.scores];
    if (scores.length === 0) {
      context.skip({ file: file.name, line: null, reason: `${benchmark} states no score between 0 and 1` });
      continue;
    }
    const result: CapabilityResult = {
      checkpoint,
      step,
      model,
      isBase,
      benchmark,
      scores,
      invalid: told.invalid,
      tokens: told.tokens,
    };
    yield { file: file.name, line: null, at, event: { kind: 'capability:measured', result } };
  }
}

/** As the results name it; what names it where they do not is said. */
function modelOf(file: SourceFile, { model_name: named, config }: Results, context: ImportContext): string {
  const stated = named || modelArgument(config?.model_args);
  if (stated) return stated;
  const model = config?.model || path.basename(file.name);
  const source = config?.model ? 'config.model' : 'the file’s name';
  const reason = `model_name and config.model_args name no model: it is called ${model}, by ${source}`;
  context.skip({ file: file.name, line: null, reason });
  return model;
}

function modelArgument(given: unknown): string | null {
  if (typeof given === 'string') return /(?:^|,)(?:pretrained|model)=([^,]+)/.exec(given)?.[1] ?? null;
  const parsed = z
    .looseObject({ pretrained: z.string().optional(), model: z.string().optional() })
    .safeParse(given);
  return parsed.success ? (parsed.data.pretrained ?? parsed.data.model ?? null) : null;
}

const FAMILIES: readonly [string, RegExp][] = [
  ['ifeval', /^(?:leaderboard_)?ifeval$/],
  ['gpqa_diamond', /^gpqa_diamond/],
  ['mmlu_redux', /^mmlu[-_]redux/],
];

/** Tasks by benchmark: those of a family together, any other task by itself; groups of the harness are left to their tasks. */
function benchmarksOf({ results, group_subtasks: groups }: Results): Map<string, string[]> {
  const benchmarks = new Map<string, string[]>();
  for (const task of Object.keys(results)) {
    if ((groups[task] ?? []).length > 0) continue;
    const family = FAMILIES.find(([, pattern]) => pattern.test(task))?.[0] ?? task;
    benchmarks.set(family, [...(benchmarks.get(family) ?? []), task]);
  }
  return benchmarks;
}

function scoresOf(benchmark: string, tasks: readonly string[], results: Results): CapabilityScore[] {
  const byTask = tasks.map((task) => ({ task, scores: taskScores(task, results) }));
  if (benchmark === 'mmlu_redux' && tasks.length > 1) return subjectScores(byTask);
  return byTask.flatMap(({ task, scores }) =>
    tasks.length === 1 ? scores : scores.map((score) => ({ ...score, metric: `${task} ${score.metric}` })),
  );
}

function isEmpty(task: string, results: Results): boolean {
  return results['n-samples'][task]?.effective === 0;
}

/** Names of the harness's filters as results are quoted by. */
const FILTERS: Record<string, string> = { 'strict-match': 'strict', 'flexible-extract': 'flexible' };

/** Scores of one task: keys are `metric,filter`; standard errors and what lies outside 0 to 1 are no scores. */
function taskScores(task: string, results: Results): CapabilityScore[] {
  if (isEmpty(task, results)) return [];
  const n = results['n-samples'][task]?.effective ?? null;
  return Object.entries(results.results[task] ?? {}).flatMap(([key, value]): CapabilityScore[] => {
    const [metric = '', filter = 'none'] = key.split(',');
    if (metric === 'alias' || metric.endsWith('_stderr') || typeof value !== 'number') return [];
    if (!(value >= 0 && value <= 1)) return [];
    const named = FILTERS[filter] ?? (filter === 'none' ? metric : `${metric} (${filter})`);
    // Strict and loose accuracy by instruction count instructions, whose number the results do not state.
    const counted = metric.startsWith('inst_level') ? null : n;
    return [{ metric: named, value, n: counted, isMacro: false }];
  });
}

/** Over questions (micro) and over subjects (macro), then each subject. */
function subjectScores(byTask: readonly { task: string; scores: CapabilityScore[] }[]): CapabilityScore[] {
  const subjects = byTask.flatMap(({ task, scores }) => {
    const [score] = scores;
    return score ? [{ ...score, metric: subjectOf(task) }] : [];
  });
  if (subjects.length === 0) return [];
  const macro = subjects.reduce((sum, { value }) => sum + value, 0) / subjects.length;
  const n = subjects.reduce<number | null>(
    (sum, each) => (sum === null || each.n === null ? null : sum + each.n),
    0,
  );
  const right = subjects.reduce((sum, each) => sum + each.value * (each.n ?? 0), 0);
  const micro = n === null ? [] : [{ metric: 'micro', value: right / n, n, isMacro: false }];
  return [...micro, { metric: 'macro', value: macro, n: null, isMacro: true }, ...subjects];
}

function subjectOf(task: string): string {
  return task.replace(/^mmlu[-_]redux_?/, '').replace(/_generative$/, '') || task;
}
