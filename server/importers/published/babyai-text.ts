import type { CapabilityResult, CapabilityScore } from '@/contract/capability';
import { damaged, type ImportContext, type ImportedEvent } from '../importer';
import type { PublishedDocument, StatedText } from './document';
import { countOf, statedEvaluation } from '../stated-evaluation';

/** Where the text states an evaluation with its step: success first unless the names say otherwise. */
const EVALUATIONS: Record<string, readonly RegExp[]> = {
  'v1.1': [/best eval success_rate\((?<step>\d+) step\) = (?<rate>[\d.]+)/],
  'v1.2': [/best eval sr\((?<step>\d+) step\) = (?<rate>[\d.]+)/],
  'v2.2.1': [/\| v2\.2\.1 \| glm-5 \| (?<rate>[\d.]+)\((?<step>\d+) step\)/],
  'v2.2.2': [/\| v2\.2\.2 \| glm-5\.1 \| (?<rate>[\d.]+)\((?<step>\d+) step\)/],
  'v3.1-teacher': [
    /训练完成后的teacher eval_sr=(?<rate>[\d.]+)。[\s\S]*?teacher（\S*\/iter_(?<step>\d+)_hf）/,
  ],
  'v3.2': [
    /在(?<step>\d+) steps时，达到(?<rate>[\d.]+)的eval sr/,
    /在(?<step>\d+)steps时达到(?<rate>[\d.]+)，/,
  ],
};

/** The model's name in the tables of general capability, of those that are in them. */
const CAPABILITY_ROWS: Record<string, string> = {
  'v2.2.2': 'v2.2.2',
  'v3.1-teacher': 'v3.1 teacher',
  'v3.2': 'v3.2 student',
};

/** Questions of GPQA-Diamond, all and by subject, and prompts of IFEval: the benchmarks' own numbers. */
const QUESTIONS: Record<string, number> = {
  'ifeval prompt_level': 541,
  'gpqa_diamond flexible': 198,
  'gpqa_diamond strict': 198,
  'gpqa_diamond chemistry': 93,
  'gpqa_diamond biology': 19,
  'gpqa_diamond physics': 86,
};

/** BabyAI-Text: RL, judged turns and on-policy distillation of one model, and what each cost in general capability. */
export const babyaiText: PublishedDocument = {
  mark: /BabyAI Text 的RL&OPD总结/,
  parts: Object.keys(EVALUATIONS),
  *read(text, part, context) {
    const [base = ''] = text.find(/^- (Qwen3-14B)，baseline/m, 'base model');
    Object.assign(context.facts, {
      engine: { model: base },
      environment: { id: 'babyai-text' },
      version: part,
    });
    const n = text
      .table(/task type \| count/, 'task types')
      .reduce((sum, { cells }) => sum + Number(cells[1] ?? 0), 0);
    let best = { step: 0, rate: -1 };
    for (const pattern of EVALUATIONS[part] ?? []) {
      const { groups, index } = pattern.exec(text.text) ?? {};
      if (!groups || index === undefined) throw damaged(text.file, null, `states no evaluation of ${part}`);
      const { step = '', rate = '' } = groups;
      const successes = countOf(text.file, text.lineOf(index), rate, n, 'fraction');
      if (Number(rate) > best.rate) best = { step: Number(step), rate: Number(rate) };
      const evaluation = statedEvaluation({
        step: Number(step),
        split: 'valid_seen',
        environment: 'babyai-text',
        n,
        successes,
      });
      yield { kind: 'evaluation:finished', evaluation };
      const points = [{ name: 'eval/valid_seen/success_rate', value: successes / n }];
      yield { kind: 'points:measured', step: Number(step), points };
    }
    const row = CAPABILITY_ROWS[part];
    if (row !== undefined) yield* capabilityEvents(text, { row, base, step: best.step }, context);
  },
};

function* capabilityEvents(
  text: StatedText,
  { row, base, step }: { row: string; base: string; step: number },
  context: ImportContext,
): Generator<ImportedEvent['event']> {
  context.skip({
    file: text.file,
    line: null,
    reason: `which checkpoint of ${row} the capability tables are of is not stated: taken as step ${step}, its highest evaluation`,
  });
  for (const [model, isBase] of [
    [base, true],
    [row, false],
  ] as const)
    for (const result of [ifeval(text, model), mmluRedux(text, model), gpqa(text, model)])
      yield {
        kind: 'capability:measured',
        result: { ...result, checkpoint: null, step: isBase ? 0 : step, model, isBase },
      };
}

type Stated = Omit<CapabilityResult, 'checkpoint' | 'step' | 'model' | 'isBase'>;

function ifeval(text: StatedText, model: string): Stated {
  const [value, mean, median, p95] = rowOf(text, /模型 \| IF-Eval/, 'IFEval', model);
  return {
    benchmark: 'ifeval',
    scores: [score('ifeval', 'prompt_level', value)],
    invalid: null,
    tokens: tokensOf(mean, median, p95),
  };
}

function mmluRedux(text: StatedText, model: string): Stated {
  const [micro, macro, mean, median, p95] = rowOf(text, /模型 \| Micro/, 'MMLU-Redux', model);
  const scores = [
    score('mmlu_redux', 'micro', micro),
    { ...score('mmlu_redux', 'macro', macro), isMacro: true },
  ];
  return { benchmark: 'mmlu_redux', scores, invalid: null, tokens: tokensOf(mean, median, p95) };
}

function gpqa(text: StatedText, model: string): Stated {
  const cells = rowOf(text, /模型 \| Flexible/, 'GPQA-Diamond', model);
  const [flexible, strict, chemistry, biology, physics, invalid, mean, median, p95] = cells;
  const named = { flexible, strict, chemistry, biology, physics };
  return {
    benchmark: 'gpqa_diamond',
    scores: Object.entries(named).map(([metric, value]) => score('gpqa_diamond', metric, value)),
    invalid: Number(invalid),
    tokens: tokensOf(mean, median, p95),
  };
}

function rowOf(text: StatedText, head: RegExp, what: string, model: string): string[] {
  const row = text.table(head, what).find(({ cells }) => cells[0] === model);
  if (!row) throw damaged(text.file, null, `the table of ${what} has no row ${model}`);
  return row.cells.slice(1);
}

/** With the benchmark's own number of questions where the stated value is a rate of so many. */
function score(benchmark: string, metric: string, stated = ''): CapabilityScore {
  const value = Number(stated);
  const n = QUESTIONS[`${benchmark} ${metric}`] ?? null;
  const decimals = stated.split('.')[1]?.length ?? 0;
  const isRate = n !== null && Math.abs(Math.round(value * n) / n - value) < 0.5 * 10 ** -decimals + 1e-9;
  return { metric, value, n: isRate ? n : null, isMacro: false };
}

function tokensOf(mean = '', median = '', p95 = ''): CapabilityResult['tokens'] {
  return { mean: Number(mean), median: Number(median), p95: Number(p95) };
}
