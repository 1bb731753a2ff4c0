import { encodeGridPicture } from '@/contract/grid-picture';
import type { RunEvent } from '@/contract/run-events';
import type { GridPicture, Trajectory, Turn } from '@/contract/trajectory';
import { noise, SEED_TASK_TYPES, successRate } from './curves';

const SIZE = 8;
const MAX_TURNS = 10;

/** A walled room with a ball; the agent stands in the ball's row and looks at it. */
function picture(agentX: number): string {
  const wall = (x: number, y: number) => ({ x, y, type: 'wall', color: 'grey' }) as const;
  const inside = (at: number) => at > 0 && at < SIZE - 1;
  const walls = Array.from(
    { length: SIZE * SIZE },
    (_, cell) => [cell % SIZE, Math.floor(cell / SIZE)] as const,
  )
    .filter(([x, y]) => !inside(x) || !inside(y))
    .map(([x, y]) => wall(x, y));
  const room: GridPicture = {
    kind: 'grid',
    width: SIZE,
    height: SIZE,
    objects: [...walls, { x: SIZE - 2, y: 3, type: 'ball', color: 'red', target: true }],
    agent: { x: agentX, y: 3, direction: 'right' },
    carrying: null,
    visible: '1'.repeat(SIZE * SIZE),
  };
  return encodeGridPicture(room);
}

/** What an invented trajectory is of. */
export interface SeedTask {
  run: number;
  step: number;
  phase: Trajectory['phase'];
  task: number;
  group: number | null;
  sample: number;
  decoding: Trajectory['decoding'];
}

/** An invented trajectory: it walks to the ball, bumping into the wall now and then, or runs out of turns. */
export function seedTrajectory({ run, step, phase, task, group, sample, decoding }: SeedTask): RunEvent {
  const luck = noise(run + task, step, 20 + sample + (decoding === 'greedy' ? 50 : 0));
  const success = (luck + 1) / 2 < successRate(run, step);
  const count = success ? SIZE - 3 + (task % 3) : MAX_TURNS;
  const turns = Array.from({ length: count }, (_, index) =>
    seedTurn(run, task, sample, index, success && index === count - 1),
  );
  const invalidActions = turns.filter((turn) => !turn.valid).length;
  const training = phase === 'train';
  const reward = success ? 1 - 0.05 * count : 0;
  const taskType = SEED_TASK_TYPES[task % SEED_TASK_TYPES.length] ?? SEED_TASK_TYPES[0];
  return {
    kind: 'trajectory:finished',
    trajectory: {
      step,
      phase,
      split: training ? 'train' : 'valid_seen',
      taskId: `seed-data:${taskType}:${task}`,
      taskType,
      goal: 'go to the red ball (seed data)',
      group,
      sample,
      decoding,
      evaluation: null,
      seed: run * 1000 + sample,
      reward,
      shapedReward: training ? reward - 0.1 * invalidActions : null,
      advantage: training ? 0.3 * luck : null,
      success,
      turnsCount: count,
      givenTurns: 0,
      invalidActions,
      promptTokens: 60 * count,
      replyTokens: 4 * count,
      prefilledTokens: null,
      trainedTokens: null,
      stopReason: success ? 'success' : 'turn_limit',
      flags: [],
      error: null,
      strategy: null,
      turns,
      finalPicture: picture(success ? SIZE - 3 : 1),
      finalObservation: success ? 'The task is completed.' : 'You see a wall.',
    },
  };
}

function seedTurn(run: number, task: number, sample: number, index: number, last: boolean): Turn {
  const valid = noise(run + task, index, 30 + sample) > -0.6;
  const action = valid ? 'move forward' : 'go to blue box 1';
  return {
    index,
    observation: `Seed data. In front of you is a red ball 1, ${SIZE - 3 - Math.min(index, SIZE - 4)} steps away.`,
    availableActions: ['turn left', 'turn right', 'move forward', 'go to red ball 1'],
    prompt: null,
    reply: `Action: ${action}`,
    thought: null,
    action,
    formatOk: true,
    admissible: valid,
    valid,
    reward: last ? 1 : 0,
    memory: null,
    promptTokens: 60,
    replyTokens: 4,
    tokens: null,
    picture: picture(1 + Math.min(index, SIZE - 4)),
    stateHash: `seed-${Math.min(index, SIZE - 4)}`,
  };
}
