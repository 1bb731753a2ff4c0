import type { EvaluationResult } from '@/contract/evaluation';
import { damaged, type ImportedEvent } from '../importer';
import type { PublishedDocument, StatedText } from './document';
import { countOf, statedEvaluation, statedType } from '../stated-evaluation';

/** ALFWorld's valid_seen by task type: what the text's percentages are of. */
const VALID_SEEN: readonly [string, string, number][] = [
  ['pick', 'pick_and_place_simple', 35],
  ['clean', 'pick_clean_then_place_in_recep', 27],
  ['pick2', 'pick_two_obj_and_place', 24],
  ['heat', 'pick_heat_then_place_in_recep', 16],
  ['cool', 'pick_cool_then_place_in_recep', 25],
  ['look', 'look_at_obj_in_light', 13],
];

type Settings = Pick<
  EvaluationResult,
  'environment' | 'temperature' | 'topP' | 'topK' | 'maxTurns' | 'scaffold' | 'n'
>;

/** StraTA on ALFWorld: its curve over 150 steps, and its final evaluation by task type with two seeds. */
export const strata: PublishedDocument = {
  mark: /^# StraTA \/ /m,
  parts: ['curve', 'final'],
  *read(text, part, { facts }) {
    const settings = settingsOf(text);
    const [model] = text.find(/^base_model: (\S+)/m, 'base model');
    Object.assign(facts, {
      engine: { model },
      environment: { id: 'alfworld' },
      parameters: parametersOf(text),
      ...infrastructureOf(text),
    });
    yield* part === 'curve' ? curveEvents(text, settings) : finalEvents(text, settings);
  },
};

function settingsOf(text: StatedText): Settings {
  const [tasks = '', temperature, topP, topK, maxTurns] = text.find(
    /`val_only`, (\d+) tasks,\s+temperature ([\d.]+) \/ top_p ([\d.]+) \/ top_k (\d+), max (\d+) env steps/,
    'settings of the evaluation',
  );
  return {
    environment: 'alfworld',
    scaffold: 'strata',
    n: Number(tasks),
    temperature: Number(temperature),
    topP: Number(topP),
    topK: Number(topK),
    maxTurns: Number(maxTurns),
  };
}

function* curveEvents(text: StatedText, settings: Settings): Generator<ImportedEvent['event']> {
  for (const { line, cells } of text.table(/optimizer step \| success rate/, 'success by step')) {
    const [step, rate = ''] = cells;
    const successes = countOf(text.file, line, rate, settings.n, 'percent');
    const evaluation = statedEvaluation({ ...settings, step: Number(step), split: 'valid_seen', successes });
    yield { kind: 'evaluation:finished', evaluation };
    const points = [{ name: 'eval/valid_seen/success_rate', value: successes / settings.n }];
    yield { kind: 'points:measured', step: Number(step), points };
  }
}

function* finalEvents(text: StatedText, settings: Settings): Generator<ImportedEvent['event']> {
  const [step] = text.find(/## Final evaluation \(step (\d+), \d+ seeds\)/, 'step of the final evaluation');
  const rows = text.table(/subtask \| seed 1/, 'success by task type and seed');
  for (const seed of [1, 2]) {
    const byTaskType = VALID_SEEN.map(([short, taskType, n]) => {
      const row = rows.find(({ cells }) => cells[0] === short);
      if (!row) throw damaged(text.file, null, `the final table has no row ${short}`);
      return statedType(taskType, countOf(text.file, row.line, row.cells[seed] ?? '', n, 'percent'), n);
    });
    const successes = byTaskType.reduce((sum, count) => sum + count.successes, 0);
    const all = rows.find(({ cells }) => cells[0] === 'ALL');
    if (!all || countOf(text.file, all.line, all.cells[seed] ?? '', settings.n, 'percent') !== successes)
      throw damaged(text.file, all?.line ?? null, `seed ${seed}: the task types do not add up to ALL`);
    const evaluation = statedEvaluation({
      ...settings,
      step: Number(step),
      split: 'valid_seen',
      seed,
      successes,
      byTaskType,
    });
    yield { kind: 'evaluation:finished', evaluation };
  }
}

/** Name and value of each hyper-parameter, as stated. */
function parametersOf(text: StatedText): Record<string, string> {
  const rows = text.table(/group \| parameter \| value/, 'hyper-parameters');
  return Object.fromEntries(
    rows.map(({ cells: [group, parameter = '', value = ''] }) => [
      `${group}: ${parameter.replaceAll('`', '')}`,
      value,
    ]),
  );
}

/** The keys in which the run's resolved config differs from its model's, on both sides, and of how many. */
function infrastructureOf(text: StatedText): Record<string, unknown> {
  const rows = text.table(/key \| upstream 7B \| this run/, 'differing keys');
  const [differing, keys] = text.find(/\*\*(\d+) differing keys out of (\d+)\*\*/, 'number of keys');
  const side = (column: number) =>
    Object.fromEntries(
      rows.map(({ cells }) => [
        (cells[0] ?? '').replaceAll('`', ''),
        (cells[column] ?? '').replaceAll('`', ''),
      ]),
    );
  return { differingKeys: Number(differing), keys: Number(keys), upstream: side(1), resolved: side(2) };
}
