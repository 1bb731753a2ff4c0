import type { RunEvent } from '@/contract/run-events';
import { encodeStatePicture } from '@/contract/state-picture';
import type { HouseholdPicture, Trajectory, Turn } from '@/contract/trajectory';

/** What has happened to the apple when a turn begins, in order. */
const STAGES = ['found', 'taken', 'cooled', 'placed'] as const;

interface SceneState {
  place: 'countertop 1' | 'fridge 1' | 'diningtable 1' | null;
  fridgeOpen: boolean;
  /** Stages that are done, of `STAGES`. */
  done: number;
}

interface Scene {
  action: string;
  /** The state that the action leaves behind; as it was where the environment refused it. */
  after: SceneState | 'refused';
  answer: string;
  memory: string;
}

const START: SceneState = { place: null, fridgeOpen: false, done: 0 };
const AT_COUNTERTOP: SceneState = { place: 'countertop 1', fridgeOpen: false, done: 1 };
const REFUSED: Scene = {
  action: 'cool apple 1',
  after: 'refused',
  answer: 'Nothing happens.',
  memory: 'The apple is at countertop 1. Cooling it here did nothing.',
};

/** Cools the apple where it lies, over and over. */
const UNTRAINED: readonly Scene[] = [
  {
    action: 'go to countertop 1',
    after: AT_COUNTERTOP,
    answer: 'On the countertop 1, you see a bread 1 and an apple 1.',
    memory: 'The apple is at countertop 1.',
  },
  REFUSED,
  REFUSED,
  REFUSED,
];

const TRAINED: readonly Scene[] = [
  ...UNTRAINED.slice(0, 1),
  {
    action: 'take apple 1 from countertop 1',
    after: { ...AT_COUNTERTOP, done: 2 },
    answer: 'You pick up the apple 1 from the countertop 1.',
    memory: 'I hold the apple. Next: the fridge.',
  },
  {
    action: 'go to fridge 1',
    after: { place: 'fridge 1', fridgeOpen: false, done: 2 },
    answer: 'The fridge 1 is closed.',
    memory: 'I hold the apple and stand at the fridge, which is closed.',
  },
  {
    action: 'cool apple 1 with fridge 1',
    after: { place: 'fridge 1', fridgeOpen: true, done: 3 },
    answer: 'You cool the apple 1 using the fridge 1.',
    memory: 'The apple is cool. Next: the table.',
  },
  {
    action: 'go to diningtable 1',
    after: { place: 'diningtable 1', fridgeOpen: true, done: 3 },
    answer: 'On the diningtable 1, you see a fork 1.',
    memory: 'The apple is cool and I stand at the table.',
  },
  {
    action: 'put apple 1 in/on diningtable 1',
    after: { place: 'diningtable 1', fridgeOpen: true, done: 4 },
    answer: 'You put the apple 1 in/on the diningtable 1.',
    memory: 'Done.',
  },
];

function pictureOf({ place, fridgeOpen, done }: SceneState): string {
  const receptacle = (
    name: string,
    contents: string[],
    state: 'open' | 'closed' | null = null,
  ): HouseholdPicture['receptacles'][number] => ({
    name,
    state,
    contents,
    here: name === place,
    target: name.startsWith('diningtable'),
  });
  const cabinets = Array.from({ length: 12 }, (_, index) =>
    receptacle(`cabinet ${index + 1}`, index % 5 === 0 ? [`plate ${index + 1}`] : [], 'closed'),
  );
  return encodeStatePicture({
    kind: 'household',
    receptacles: [
      ...cabinets,
      receptacle('countertop 1', ['bread 1', ...(done < 2 ? ['apple 1'] : [])]),
      receptacle('diningtable 1', ['fork 1', ...(done === 4 ? ['apple 1'] : [])]),
      receptacle('fridge 1', ['apple 2', 'egg 1', 'lettuce 1'], fridgeOpen ? 'open' : 'closed'),
      receptacle('garbagecan 1', []),
      receptacle('microwave 1', [], 'closed'),
      receptacle('sinkbasin 1', ['cup 1', 'knife 1', 'soapbottle 1']),
    ],
    holding: done === 2 || done === 3 ? 'apple 1' : null,
    targets: ['apple 1', 'apple 2'],
    progress: STAGES.map((stage, index) => ({ stage, done: index < done ? 1 : 0, of: 1 })),
  });
}

/** An invented greedy probe in a household that lists no actions; step 0 loops until its context is full. */
export function householdTrajectory(step: number): RunEvent {
  const scenes = step === 0 ? UNTRAINED : TRAINED;
  const turns: Turn[] = [];
  let state = START;
  for (const [index, scene] of scenes.entries()) {
    turns.push(turnOf(scene, index, state, scenes[index - 1]?.answer ?? 'You are in a room (seed data).'));
    if (scene.after !== 'refused') state = scene.after;
  }
  const success = state.done === STAGES.length;
  const trajectory: Trajectory = {
    step,
    phase: 'probe',
    split: 'valid_seen',
    taskId: 'seed-data:cool_and_place:1',
    taskType: 'cool_and_place',
    goal: 'put a cool apple on the dining table (seed data)',
    group: null,
    sample: 0,
    decoding: 'greedy',
    evaluation: null,
    seed: 1,
    reward: success ? 1 : 0,
    shapedReward: null,
    advantage: null,
    success,
    turnsCount: turns.length,
    givenTurns: 0,
    invalidActions: turns.filter((turn) => !turn.valid).length,
    promptTokens: 300 * turns.length,
    replyTokens: 30 * turns.length,
    prefilledTokens: null,
    trainedTokens: null,
    stopReason: success ? 'success' : 'context_limit',
    flags: [],
    error: null,
    strategy: success
      ? 'Find an apple, take it, cool it with the fridge, then put it on the table.'
      : 'Cool an apple.',
    turns,
    finalPicture: pictureOf(state),
    finalObservation: scenes.at(-1)?.answer ?? null,
  };
  return { kind: 'trajectory:finished', trajectory };
}

function turnOf(
  { action, after, memory }: Scene,
  index: number,
  state: SceneState,
  observation: string,
): Turn {
  return {
    index,
    observation,
    availableActions: [],
    prompt: null,
    reply: `<action>${action}</action>`,
    thought: null,
    action,
    formatOk: true,
    admissible: false,
    valid: after !== 'refused',
    reward: after !== 'refused' && after.done === STAGES.length ? 1 : 0,
    memory,
    promptTokens: 300,
    replyTokens: 30,
    tokens: null,
    picture: pictureOf(state),
    stateHash: `seed-${JSON.stringify(state)}`,
  };
}
