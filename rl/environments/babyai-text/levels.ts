import { AppError } from '@/contract/errors';
import { BABYAI_TEXT_TASK_TYPES, type BabyAiTextTaskType } from '@/contract/environments/babyai-text';
import type { LayoutSource } from '../babyai/level';
import type { Color } from '../babyai/objects';
import { drawInstruction } from './missions';

/** What a mission asks for, in upstream's words. */
export const ACTION_KINDS = ['goto', 'pickup', 'open', 'putnext', 'pick up seq go to'] as const;
export type ActionKind = (typeof ACTION_KINDS)[number];

/** A level of BabyAI-Text. Upstream draws its action kind, unseeded, when it is constructed; here the task says it. */
export interface TextLevel {
  readonly name: string;
  readonly taskTypes: readonly BabyAiTextTaskType[];
  /** Which part of a sequence comes first: as drawn from the seed, or always the same. */
  readonly order: 'drawn' | 'before' | 'after';
  /** Whether missions name the held-out pairs alone, or never. */
  readonly heldOut: 'only' | 'never';
  /** Colours of the locked door. */
  readonly doorColors: readonly Color[];
  /** Missions to open always name the door's colour; else half of them do. */
  readonly namesDoorColor: boolean;
}

const SEEN = {
  heldOut: 'never',
  doorColors: ['yellow', 'green', 'blue', 'purple'],
  namesDoorColor: false,
} as const;

export const TEXT_LEVELS: readonly TextLevel[] = [
  { name: 'MixedTrainLocal', taskTypes: BABYAI_TEXT_TASK_TYPES, order: 'drawn', ...SEEN },
  {
    name: 'MixedTestLocal',
    taskTypes: BABYAI_TEXT_TASK_TYPES,
    order: 'drawn',
    heldOut: 'only',
    doorColors: ['red', 'grey'],
    namesDoorColor: true,
  },
  {
    name: 'PickUpSeqGoToLocal',
    taskTypes: ['pick_up_then_go_to', 'go_to_after_pick_up'],
    order: 'drawn',
    ...SEEN,
  },
  { name: 'PickUpThenGoToLocal', taskTypes: ['pick_up_then_go_to'], order: 'before', ...SEEN },
  { name: 'GoToAfterPickUpLocal', taskTypes: ['go_to_after_pick_up'], order: 'after', ...SEEN },
];

const BY_NAME = new Map(TEXT_LEVELS.map((level) => [level.name, level]));

/** The level of a name. Throws where there is none. */
export function findTextLevel(name: string): TextLevel {
  const level = BY_NAME.get(name);
  if (!level) {
    const names = TEXT_LEVELS.map((known) => known.name).join(', ');
    throw new AppError('invalid_input', `There is no BabyAI-Text level "${name}". Levels: ${names}`);
  }
  return level;
}

const ROOM_SIZE = 8;

/** What the layouts of a level's action kind are drawn from: one room, or two with a locked door between. */
export function layoutSource(level: TextLevel, kind: ActionKind): LayoutSource {
  return {
    id: `babyai-text/${level.name}/${kind}`,
    shape: { roomSize: ROOM_SIZE, rows: 1, columns: kind === 'open' ? 2 : 1 },
    maxSteps: null,
    unblocking: false,
    build: (grid) => drawInstruction(grid, level, kind),
  };
}
