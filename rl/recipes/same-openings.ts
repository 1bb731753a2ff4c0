import { AppError } from '@/contract/errors';
import type { Observation } from '@/rl/environments/environment';
import type { EpisodeOpening } from '@/rl/play';

/** Characters of each text that an error shows, from the first difference on. */
const SHOWN = 80;

/**
 * Throws `unavailable` where two episodes of a task do not begin alike, naming the task and the first difference:
 * advantages would then compare different games.
 */
export function checkSameOpenings(openings: readonly EpisodeOpening[]): void {
  const firstTexts = new Map<string, string>();
  for (const { task, observation } of openings) {
    const text = openingText(observation);
    const first = firstTexts.get(task.id);
    if (first === undefined) firstTexts.set(task.id, text);
    else if (first !== text) throw differently(task.id, first, text);
  }
}

/** What is shown before the first turn, as one text. */
function openingText({ text, availableActions }: Observation): string {
  return [text, ...availableActions].join('\n');
}

function differently(taskId: string, first: string, other: string): AppError {
  let same = 0;
  while (same < first.length && first[same] === other[same]) same++;
  const shown = (text: string) => JSON.stringify(text.slice(same, same + SHOWN));
  return new AppError(
    'unavailable',
    `the episodes of ${taskId} do not begin alike: from character ${same} on, one shows ${shown(first)}, another ${shown(other)}; expected one first observation for the group`,
  );
}
