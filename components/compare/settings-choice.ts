import type { ComparedCheckpoint } from '@/contract/compare';
import type { EvaluationResult } from '@/contract/evaluation';
import { samplingWords } from '@/contract/evaluation-differences';
import { MISSING } from '@/contract/format';
import { hashSeed } from '@/rl/random';

/** Settings under which a checkpoint was evaluated. */
export interface SettingsChoice {
  /** Their name in the address, the same whatever they are offered beside. */
  key: string;
  /** What sets them apart from the others: `temperature 0.7, at most 10 turns`. */
  words: string;
}

/** The key of the settings of an evaluation, whatever its split, its tasks and its seed. */
export function settingsKey(evaluation: EvaluationResult): string {
  return hashSeed(...settingWords(evaluation)).toString(36);
}

/**
 * The settings that some of the checkpoints were evaluated under, whatever the split, the tasks and the seed; those of most
 * evaluations first.
 */
export function settingsChoices(
  checkpoints: readonly Pick<ComparedCheckpoint, 'evaluations'>[],
): SettingsChoice[] {
  const groups = new Map<string, { key: string; words: string[]; count: number }>();
  for (const { evaluation } of checkpoints.flatMap(({ evaluations }) => evaluations)) {
    if (evaluation.n === 0) continue;
    const key = settingsKey(evaluation);
    const count = (groups.get(key)?.count ?? 0) + 1;
    groups.set(key, { key, words: settingWords(evaluation), count });
  }
  const found = [...groups.values()].sort((a, b) => b.count - a.count);
  const first = found[0]?.words ?? [];
  const told = first
    .map((_, place) => place)
    .filter((place) => found.some(({ words }) => words[place] !== first[place]));
  return found.map(({ key, words }) => ({ key, words: told.map((place) => words[place]).join(', ') }));
}

/** Every setting that forbids a comparison where it differs, each at a place of its own. */
function settingWords(evaluation: EvaluationResult): string[] {
  const { environment, environmentVersion, environmentOptions, scaffold } = evaluation;
  const { maxTurns, maxReplyTokens, maxPromptTokens } = evaluation;
  // The turn limit is a setting of its own.
  const options = Object.entries(environmentOptions)
    .filter(([name]) => name !== 'maxTurns')
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .sort();
  return [
    environment,
    `version ${environmentVersion}`,
    `options ${options.join(', ') || 'none'}`,
    `scaffold ${scaffold}`,
    samplingWords(evaluation),
    `at most ${maxTurns ?? MISSING} turns`,
    `replies of ${maxReplyTokens ?? MISSING} tokens`,
    `prompts of ${maxPromptTokens ?? MISSING} tokens`,
  ];
}
