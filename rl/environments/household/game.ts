import type { GameFile } from '../alfworld/game-file';
import { HOUSEHOLD_DOMAIN } from './domain';
import { goalText } from './goal';
import { householdGrammar } from './grammar';
import { drawLayout, type Layout } from './layout';
import { problemText } from './problem';
import type { HouseholdTask } from './task';

/** A game in the format of ALFWorld's `game.tw-pddl`. */
export interface HouseholdGame extends GameFile {
  solvable: true;
  /** Commands that win from the start. */
  walkthrough: string[];
}

/** The game of a task, by its room, type and seed alone. */
export function householdGame(task: HouseholdTask): HouseholdGame {
  return gameOf(drawLayout(task), `${task.room}_${task.taskType}_${task.seed}`);
}

function gameOf(layout: Layout, name: string): HouseholdGame {
  return {
    pddl_domain: HOUSEHOLD_DOMAIN,
    grammar: householdGrammar(goalText(layout.goal, layout.wording)),
    pddl_problem: problemText(layout, name),
    solvable: true,
    walkthrough: [...layout.walkthrough],
  };
}
