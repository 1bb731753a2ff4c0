import { AGENTGYM_SPLIT_SIZES, type AgentGymGame } from '@/contract/environments/agentgym';
import { AppError } from '@/contract/errors';
import { SPLITS, type Split } from '@/contract/trajectory';
import { AGENTGYM_LEVEL_COUNT } from '@/rl/environments/babyai/levels/registry';
import { agentGymTask } from '@/rl/environments/babyai/task';
import type { Task } from '@/rl/environments/environment';
import type { TrainTaskDraw } from '@/rl/environments/suite';
import { createRandom, hashSeed } from '@/rl/random';

/** An item of AgentGym: what its lists call `babyai_12` is the id `agentgym/babyai_12`. */
export interface AgentGymTask extends Task {
  game: AgentGymGame;
  /** BabyAI's data index, or the number of an ALFWorld game. */
  index: number;
}

/** Indices from `first` up to `end`, `end` not included. */
interface IndexRange {
  first: number;
  end: number;
  /** BabyAI: whether a level of AgentGym's number is in the list. */
  level?(number: number): boolean;
}

/** GoToDoor and Pickup, kept from training. */
const HELD_OUT_LEVELS = [10, 17];
/** Number 4 is not registered upstream, and no action of AgentGym's opens the box of 26. */
const UNPLAYABLE_LEVELS = [4, 26];
/**
 * OpenRedDoor and OpenRedBlueDoorsDebug have so few starts that other seeds repeat those of training; BossLevel and
 * BossLevelNoUnlock repeat SynthSeq's of the same seed.
 */
const REPEATING_LEVELS = [13, 15, 39, 40];

function isTrainingLevel(number: number): boolean {
  return !HELD_OUT_LEVELS.includes(number) && !UNPLAYABLE_LEVELS.includes(number);
}

/**
 * A BabyAI index is 40 * layout seed + level - 1: seeds 0 to 99 are for training, those from 100 for validation.
 * ALFWorld's games from 2420 are of `valid_train`, whose rooms training sees.
 */
const RANGES: Record<AgentGymGame, Record<Split, IndexRange>> = {
  babyai: {
    train: { first: 0, end: 4000, level: isTrainingLevel },
    valid_seen: {
      first: 4000,
      end: 4240,
      level: (number) => isTrainingLevel(number) && !REPEATING_LEVELS.includes(number),
    },
    valid_unseen: { first: 4000, end: 6400, level: (number) => HELD_OUT_LEVELS.includes(number) },
  },
  alfworld: {
    train: { first: 0, end: 2420 },
    valid_seen: { first: 2420, end: 2620 },
    valid_unseen: { first: 2620, end: 2620 },
  },
};

function indicesOf({ first, end, level }: IndexRange): number[] {
  const all = Array.from({ length: end - first }, (_, offset) => first + offset);
  return level ? all.filter((index) => level((index % AGENTGYM_LEVEL_COUNT) + 1)) : all;
}

/**
 * The task of an AgentGym item. Task type: BabyAI's level has one; ALFWorld's server tells it of a game that has begun,
 * too late, so all its tasks are of the type `alfworld`. Throws where the index is not a whole number from 0.
 */
export function itemTask(game: AgentGymGame, index: number, split: Split): AgentGymTask {
  if (!Number.isSafeInteger(index) || index < 0)
    throw new AppError(
      'invalid_input',
      `the index of an AgentGym item is a whole number from 0, got ${index}`,
    );
  const taskType = game === 'babyai' ? agentGymTask(index, split).taskType : 'alfworld';
  return { id: `agentgym/${game}_${index}`, taskType, split, game, index };
}

/** The first `count` tasks of a split's fixed list. Throws where the list is shorter or there is no such split. */
export function splitTasks(game: AgentGymGame, split: Split, count: number): AgentGymTask[] {
  if (!SPLITS.includes(split))
    throw new AppError('invalid_input', `There is no split "${split}". Splits: ${SPLITS.join(', ')}`);
  const size = AGENTGYM_SPLIT_SIZES[game][split];
  if (count > size)
    throw new AppError(
      'invalid_input',
      `The split ${split} of ${game} has ${size} tasks, asked for ${count}`,
    );
  return indicesOf(RANGES[game][split])
    .slice(0, count)
    .map((index) => itemTask(game, index, split));
}

const TRAIN_INDICES: Record<AgentGymGame, readonly number[]> = {
  babyai: indicesOf(RANGES.babyai.train),
  alfworld: indicesOf(RANGES.alfworld.train),
};

/** The task of a training group: uniform over the training list, by a hash of run seed, step and group. */
export function trainTask(game: AgentGymGame, { runSeed, step, group }: TrainTaskDraw): AgentGymTask {
  const random = createRandom(hashSeed('agentgym train task', game, runSeed, step, group));
  return itemTask(game, random.pick(TRAIN_INDICES[game]), 'train');
}
