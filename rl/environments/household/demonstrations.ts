import type { Random } from '@/rl/random';
import type { Demonstration } from '../demonstration';
import { readGoal } from './goal';
import type { HouseholdEnvironment } from './household';
import { LAMP_KIND } from './kinds';
import { drawLayout } from './layout';
import { TRAINING_ROOMS } from './rooms';
import { Searcher, type Choose, type Intention, type Purpose } from './search';
import { taskList, TASK_SEEDS } from './splits';
import type { HouseholdTask } from './task';
import { writeThought, type Fault } from './thoughts';

/** How often the demonstrator errs, as chances per turn. */
export interface DemonstratorFaults {
  /** Takes an object of the goal's kind where none has been seen. */
  ungrounded: number;
  /** Writes `put` where the household knows only `move`. */
  misspelled: number;
  /** Brings an object to its place without cleaning, heating or cooling it. */
  untreated: number;
  /** Takes any offered action. */
  random: number;
  /** Repeats an action that was just refused. */
  repeated: number;
}

/**
 * Chance that a search goes straight to where the object or the lamp lies: shorter plays show more of what comes after
 * the search.
 */
const INSIGHT = 0.5;

/** Faults that leave a warm-started policy well below half right, in greedy decoding as in sampling. */
const DEFAULT_FAULTS: Readonly<DemonstratorFaults> = {
  ungrounded: 0.15,
  misspelled: 0.3,
  untreated: 0.3,
  random: 0.08,
  repeated: 0.35,
};

export interface DemonstrationSettings {
  environment: HouseholdEnvironment;
  random: Random;
  /** Episodes. */
  count: number;
  faults?: DemonstratorFaults;
}

/** Plays of the searching script with faults on the demonstration tasks: types and rooms in turn. */
export function* demonstrations({
  environment,
  random,
  count,
  faults = DEFAULT_FAULTS,
}: DemonstrationSettings): Generator<Demonstration<HouseholdTask>> {
  for (const task of taskList(TRAINING_ROOMS, TASK_SEEDS.demonstrations.first, count, 'train'))
    yield demonstrate(environment, task, random, faults);
}

function demonstrate(
  environment: HouseholdEnvironment,
  task: HouseholdTask,
  random: Random,
  faults: DemonstratorFaults,
): Demonstration<HouseholdTask> {
  const episode = environment.start(task);
  const { goal } = episode;
  const searcher = new Searcher(readGoal(goal));
  const demonstration: Demonstration<HouseholdTask> = { task, success: false, invalidActions: 0, rows: [] };
  const places = placesByKind(task);
  /** Any receptacle, or with some luck one that holds what is sought. */
  const choose = (names: readonly string[]): string => {
    const sought = places.get(searcher.held === null ? searcher.goal.object : LAMP_KIND);
    const right = names.filter((name) => sought?.has(name));
    return right.length > 0 && random.next() < INSIGHT ? random.pick(right) : random.pick(names);
  };
  let accepted: string | null = null;
  let refused: string | null = null;
  for (let done = false; !done;) {
    const observation = episode.observe();
    searcher.notice(observation, accepted);
    const { why, action, receptacle } = decide(searcher, {
      choose,
      refused,
      offered: observation.availableActions,
      random,
      faults,
    });
    const thought = writeThought(
      why,
      { goal: searcher.goal, treatment: searcher.treatment, receptacle },
      random,
    );
    const pastActions = demonstration.rows.map((row) => row.action);
    demonstration.rows.push({ goal, pastActions, observation, thought, action });
    const result = episode.step(action);
    if (result.success) demonstration.success = true;
    if (!result.valid) demonstration.invalidActions++;
    accepted = result.valid ? action : null;
    refused = result.valid ? null : action;
    done = result.done;
  }
  return demonstration;
}

/** By kind of object: the receptacles that hold one at the start. */
function placesByKind(task: HouseholdTask): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { kind, receptacle } of drawLayout(task).objects)
    places.set(kind, (places.get(kind) ?? new Set()).add(receptacle.name));
  return places;
}

interface Decision {
  why: Purpose | Fault;
  action: string;
  receptacle: string;
}

interface Circumstances {
  choose: Choose;
  /** The action that was just refused. */
  refused: string | null;
  offered: readonly string[];
  random: Random;
  faults: DemonstratorFaults;
}

function decide(searcher: Searcher, { choose, refused, offered, random, faults }: Circumstances): Decision {
  const planned = searcher.next(choose);
  const { receptacle } = planned;
  if (refused !== null && random.next() < faults.repeated)
    return { why: 'repeated', action: refused, receptacle };
  if (isSearching(planned) && random.next() < faults.ungrounded) {
    const place = searcher.here ?? random.pick(searcher.names);
    return { why: 'ungrounded', action: `take ${searcher.goal.object} 1 from ${place}`, receptacle: place };
  }
  if (random.next() < faults.random) return { why: 'random', action: random.pick(offered), receptacle };
  const intended =
    planned.purpose === 'carry' && random.next() < faults.untreated ? searcher.bring(choose) : planned;
  const { purpose, action } = intended;
  if (purpose === 'put' && random.next() < faults.misspelled)
    return { why: 'put', action: misspelled(action), receptacle: intended.receptacle };
  return { why: purpose, action, receptacle: intended.receptacle };
}

/** The object is still to be found. */
function isSearching({ purpose }: Intention): boolean {
  return purpose === 'search' || purpose === 'open' || purpose === 'look_again';
}

/** `put pear 1 in crate 2` for `move pear 1 to crate 2`. */
function misspelled(action: string): string {
  return action.replace(/^move (.*) to /, 'put $1 in ');
}
