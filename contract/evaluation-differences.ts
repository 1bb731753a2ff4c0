import { POLICY_TITLES, type EvaluationResult } from './evaluation';

/** Settings of an evaluation that its figure depends on, besides the checkpoint. */
export type EvaluationSetting =
  | 'policy'
  | 'split'
  | 'tasks'
  | 'environment'
  | 'environment_version'
  | 'environment_options'
  | 'scaffold'
  | 'sampling'
  | 'max_turns'
  | 'max_reply_tokens'
  | 'max_prompt_tokens'
  | 'seed';

export interface EvaluationDifference {
  setting: EvaluationSetting;
  /** `greedy against temperature 0.7` */
  words: string;
}

/** What the settings of an evaluation are: all of its result but what was measured. */
export type EvaluationSettings = Pick<
  EvaluationResult,
  | 'policy'
  | 'split'
  | 'splitHash'
  | 'n'
  | 'environment'
  | 'environmentVersion'
  | 'environmentOptions'
  | 'scaffold'
  | 'decoding'
  | 'temperature'
  | 'topK'
  | 'topP'
  | 'maxTurns'
  | 'maxReplyTokens'
  | 'maxPromptTokens'
  | 'seed'
>;

const HASH_DIGITS = 8;

/**
 * The settings in which two evaluations differ, in words, a's value first; empty where their figures may be laid side by
 * side. A difference that another one implies is left out: other splits have other tasks. Where only one side recorded a
 * setting, that is named too. Seeds of two greedy evaluations are no difference: nothing is drawn.
 */
export function differencesOf(a: EvaluationSettings, b: EvaluationSettings): EvaluationDifference[] {
  const differences: EvaluationDifference[] = [];
  const compare = (setting: EvaluationSetting, words: (side: EvaluationSettings) => string, prefix = '') => {
    const [left, right] = [words(a), words(b)];
    if (left !== right) differences.push({ setting, words: `${prefix}${left} against ${right}` });
  };

  compare('policy', ({ policy }) => POLICY_TITLES[policy]);
  compare('split', ({ split }) => split);
  if (a.split === b.split && a.splitHash !== b.splitHash)
    compare('tasks', tasksOf, `other tasks of ${a.split}: `);
  compare('environment', ({ environment }) => environment);
  if (a.environment === b.environment) {
    compare(
      'environment_version',
      ({ environmentVersion }) => environmentVersion,
      `version of ${a.environment} `,
    );
    differences.push(...optionDifferences(a, b));
  }
  compare('scaffold', ({ scaffold }) => scaffold, 'scaffold ');
  compare('sampling', samplingWords);
  compare('max_turns', ({ maxTurns }) => recorded(maxTurns, 'turns'), 'at most ');
  compare('max_reply_tokens', ({ maxReplyTokens }) => recorded(maxReplyTokens, 'tokens'), 'longest reply: ');
  compare(
    'max_prompt_tokens',
    ({ maxPromptTokens }) => recorded(maxPromptTokens, 'tokens'),
    'longest prompt: ',
  );
  if (a.decoding === 'sampled' || b.decoding === 'sampled')
    compare('seed', ({ seed }) => recorded(seed), 'seed ');
  return differences;
}

/** How an evaluation draws its tokens: `greedy`, `temperature 0.7, top-p 0.9, top-k 50`. */
export function samplingWords({
  decoding,
  temperature,
  topP,
  topK,
}: Pick<EvaluationSettings, 'decoding' | 'temperature' | 'topP' | 'topK'>): string {
  if (decoding === 'greedy') return 'greedy';
  return [
    `temperature ${recorded(temperature)}`,
    ...(topP === 1 ? [] : [`top-p ${recorded(topP)}`]),
    ...(topK === 0 ? [] : [`top-k ${recorded(topK)}`]),
  ].join(', ');
}

function tasksOf({ n, splitHash }: EvaluationSettings): string {
  return `${n} (hash ${recorded(splitHash.slice(0, HASH_DIGITS) || null)})`;
}

function optionDifferences(a: EvaluationSettings, b: EvaluationSettings): EvaluationDifference[] {
  const names = new Set([...Object.keys(a.environmentOptions), ...Object.keys(b.environmentOptions)]);
  return [...names].sort().flatMap((name): EvaluationDifference[] => {
    // The turn limit is a setting of its own.
    if (name === 'maxTurns') return [];
    const [left, right] = [a, b].map(({ environmentOptions }) =>
      Object.hasOwn(environmentOptions, name) ? JSON.stringify(environmentOptions[name]) : 'not set',
    );
    if (left === right) return [];
    return [{ setting: 'environment_options', words: `option ${name} ${left} against ${right}` }];
  });
}

/** A value, with its unit where it has one; evaluations that were imported need not have all of them. */
function recorded(value: number | string | null, unit?: string): string {
  if (value === null) return 'not recorded';
  return unit === undefined ? String(value) : `${value} ${unit}`;
}
