import { BABYAI_TRAINING_LEVELS } from '@/contract/environments/babyai';
import type { Random } from '@/rl/random';
import type { Demonstration } from '../demonstration';
import type { BabyAiEnvironment } from './babyai';
import type { BabyAiEpisode } from './episode';
import { readGoal, type GoalParts } from './goal';
import { COLORS } from './objects';
import { planAction, type PlannedAction } from './planner';
import { LAYOUT_SEEDS, taskList } from './splits';
import type { BabyAiTask } from './task';

/** How often the demonstrator errs, as chances per turn. */
export interface DemonstratorFaults {
  /** Acts on the goal object as if it were offered, while it is not in view. */
  ungrounded: number;
  /** Writes `pick up` where the environment knows only `pickup`. */
  misspelled: number;
  /** Takes any offered action. */
  random: number;
  /** Repeats an action that was just refused. */
  repeated: number;
}

/** Faults that leave a warm-started policy about half right, in greedy decoding as in sampling. */
const DEFAULT_FAULTS: Readonly<DemonstratorFaults> = {
  ungrounded: 0.38,
  misspelled: 0.3,
  random: 0.4,
  repeated: 0.35,
};

export interface DemonstrationSettings {
  environment: BabyAiEnvironment;
  random: Random;
  /** Episodes. */
  count: number;
  levels?: readonly string[];
  firstSeed?: number;
  faults?: DemonstratorFaults;
}

/** Plays of the planner with faults on the demonstration tasks, the levels in turn. */
export function* demonstrations(settings: DemonstrationSettings): Generator<Demonstration<BabyAiTask>> {
  const { environment, random, count, levels = BABYAI_TRAINING_LEVELS, faults = DEFAULT_FAULTS } = settings;
  const firstSeed = settings.firstSeed ?? LAYOUT_SEEDS.demonstrations.first;
  for (const task of taskList(levels, firstSeed, count, 'train')) {
    yield demonstrate(environment.start(task), random, faults);
  }
}

/** Plays an episode to its end. */
export function demonstrate(
  episode: BabyAiEpisode,
  random: Random,
  faults: DemonstratorFaults,
): Demonstration<BabyAiTask> {
  const { goal, task } = episode;
  const demonstration: Demonstration<BabyAiTask> = { task, success: false, invalidActions: 0, rows: [] };
  let refused: string | null = null;
  for (let done = false; !done;) {
    const observation = episode.observe();
    const { thought, action } = decide(episode, refused, random, faults);
    const pastActions = demonstration.rows.map((row) => row.action);
    demonstration.rows.push({ goal, pastActions, observation, thought, action });
    const result = episode.step(action);
    if (result.success) demonstration.success = true;
    if (!result.valid) demonstration.invalidActions++;
    refused = result.valid ? null : action;
    done = result.done;
  }
  return demonstration;
}

interface Decision {
  thought: string;
  action: string;
}

function decide(
  episode: BabyAiEpisode,
  refused: string | null,
  random: Random,
  faults: DemonstratorFaults,
): Decision {
  const goal = readGoal(episode.goal);
  const plan = planAction(episode);
  const seesTarget = plan.phase === 'target' && plan.targetInView;
  if (refused !== null && random.next() < faults.repeated) {
    return { thought: 'It should be near.', action: refused };
  }
  if (!seesTarget && random.next() < faults.ungrounded) {
    const thought = `I do not see the ${goal.target}. It should be near.`;
    return { thought, action: ungroundedAction(goal, random) };
  }
  if (seesTarget && plan.action.startsWith('pickup') && random.next() < faults.misspelled) {
    return { thought: `I see the ${goal.target}.`, action: plan.action.replace('pickup', 'pick up') };
  }
  if (random.next() < faults.random) {
    return { thought: 'I am not sure.', action: anyAction(episode, random) };
  }
  return { thought: plannedThought(plan, goal.target), action: plan.action };
}

function plannedThought({ phase, targetInView, throughDoor }: PlannedAction, target: string): string {
  if (phase === 'drop') return 'My hands are full.';
  if (phase === 'key') return 'I need the key first.';
  if (targetInView) return `I see the ${target}.`;
  if (throughDoor) return `I do not see the ${target}, so I try a door.`;
  if (phase === 'stuck') return 'I am not sure.';
  return `I do not see the ${target}, so I look around.`;
}

/** An action on the goal object as it might be offered; what the goal leaves open is made up. */
function ungroundedAction({ verb, color, type }: GoalParts, random: Random): string {
  const madeUpType = type === 'object' ? 'ball' : type;
  const name = `${color ?? random.pick(COLORS)} ${madeUpType === 'door' ? 'closed door' : madeUpType} 1`;
  switch (verb) {
    case 'go to':
      return `go to ${name}`;
    case 'pick up':
      return `${random.next() < 0.5 ? 'pick up' : 'pickup'} ${name}`;
    case 'open':
      return `toggle and go through ${name}`;
  }
}

/** Any offered action; dropping and checking come less often than the rest. */
function anyAction(episode: BabyAiEpisode, random: Random): string {
  const likely = episode
    .observe()
    .availableActions.filter((action) => !/^(check|drop)/.test(action) || random.next() < 0.3);
  return random.pick(likely);
}
