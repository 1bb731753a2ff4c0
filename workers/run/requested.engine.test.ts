import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionScores } from '@/contract/action-scores';
import type { Engine } from '@/contract/engine';
import type { PlayCommand, PlayMoment } from '@/contract/play';
import { REQUESTED_RECIPES, type RequestedRecipeId } from '@/contract/recipes/requested';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { splitTasks } from '@/rl/environments/babyai/splits';
import type { RecipeContext } from '@/rl/recipes/recipe';
import { prepareRun } from '@/rl/recipes/registry';
import { createEngine } from '../engines/engine';
import { tinyConfig, writeTinyBase } from '../testing/tiny-training';
import { localContext } from './local-context';

const STEP = 2;
const CHECKPOINT = { runId: 'r-0001', step: STEP };

let dir: string;
let engine: Engine;
let trained: ReturnType<typeof tinyConfig>;
/** Sampled by checkpoint 1 and trained on in step 2. */
let recorded: Trajectory;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'stepscope-requested-'));
  await writeTinyBase(join(dir, 'base'));
  const tiny = tinyConfig(join(dir, 'base'), { steps: STEP, checkpoint: { everySteps: 1 } });
  trained = { ...tiny, environment: { ...tiny.environment, maxTurns: 3 } };
  engine = await createEngine(trained.engine);
  // A config names a folder of the repository; the engine above is what works.
  trained = { ...trained, engine: { ...trained.engine, model: 'base' } };
  const events = await all(prepareRun('grpo', trained).events(localContext(engine, folderOf)));
  const [last] = trajectoriesOf(events).slice(-1);
  if (!last) throw new Error('nothing was recorded');
  recorded = last;
});
afterAll(async () => {
  await engine.close();
  await rm(dir, { recursive: true, force: true });
});

const folderOf = (step: number): string => join(dir, `step-${step}`);

/** A worker's context with the checkpoints and the trajectory that are here, and a person who says `commands`. */
function contextOf(commands: PlayCommand[] = [], trajectory = recorded): RecipeContext {
  return {
    ...localContext(engine, folderOf),
    async openCheckpoint({ step }) {
      await engine.training.loadState(folderOf(step));
      return engine.training.saveWeightsForSampler();
    },
    trajectory: () => Promise.resolve(trajectory),
    nextCommand(after) {
      const command = commands[after];
      return Promise.resolve(command ? { number: after + 1, command } : 'idle');
    },
  };
}

function configOf(recipe: RequestedRecipeId, changes: object): unknown {
  const { horizon: _h, reward: _r, advantage: _a, update: _u, recording: _c, ...settings } = trained;
  const { groups: _g, groupSize: _s, ...rollout } = settings.rollout;
  const config = { ...settings, rollout, steps: 1, checkpoints: [CHECKPOINT], ...changes };
  return REQUESTED_RECIPES[recipe].config.parse(config);
}

async function all(events: AsyncGenerator<RecipeEvent>): Promise<RecipeEvent[]> {
  const said: RecipeEvent[] = [];
  for await (const event of events) said.push(event);
  return said;
}

const trajectoriesOf = (events: RecipeEvent[]): Trajectory[] =>
  events.flatMap((event) => (event.kind === 'trajectory:finished' ? [event.trajectory] : []));

describe('scores of recorded actions', () => {
  const scored = async (step: number, trajectory = recorded): Promise<ActionScores | undefined> => {
    const config = configOf('action-scores', {
      checkpoints: [{ ...CHECKPOINT, step }],
      trajectories: [{ id: '7', scaffold: trained.scaffold }],
    });
    const events = await all(prepareRun('action-scores', config).events(contextOf([], trajectory)));
    return events.flatMap((event) => (event.kind === 'actions:scored' ? [event.scored] : []))[0];
  };

  it('are those that were recorded under the checkpoint that sampled them, and others under another', async () => {
    const sums = recorded.turns.map(({ tokens }) =>
      (tokens?.logprobs ?? []).reduce<number>((sum, logprob) => sum + (logprob ?? NaN), 0),
    );
    const own = await scored(recorded.step);
    expect(own).toMatchObject({ trajectoryId: '7', refusal: null });
    expect(own?.turns).toHaveLength(recorded.turns.length);
    own?.turns.forEach(({ reply }, turn) => expect(reply.logprob).toBeCloseTo(sums[turn] ?? NaN, 3));
    const other = await scored(STEP);
    expect(other?.turns[0]?.reply.tokens).toBe(own?.turns[0]?.reply.tokens);
    expect(other?.turns[0]?.reply.logprob).not.toBeCloseTo(sums[0] ?? NaN, 4);
  });

  it('are refused by name where the tokens were not recorded', async () => {
    const untold = { ...recorded, turns: recorded.turns.map((turn) => ({ ...turn, tokens: null })) };
    expect(await scored(STEP, untold)).toMatchObject({
      turns: [],
      refusal: 'the tokens of turn 0 were not recorded, its text alone was',
    });
  });
});

describe('a fork of a turn', () => {
  const fork = (trajectory = recorded) => {
    const config = configOf('fork-turn', { trajectory: '7', turn: 1, samples: 3 });
    return all(prepareRun('fork-turn', config).events(contextOf([], trajectory)));
  };

  it('replays what was recorded and goes on from there, the same every time', async () => {
    const forks = trajectoriesOf(await fork());
    expect(forks).toHaveLength(3);
    for (const [sample, trajectory] of forks.entries()) {
      expect(trajectory).toMatchObject({ phase: 'fork', step: STEP, sample, givenTurns: 1, group: null });
      expect(trajectory.taskId).toBe(recorded.taskId);
      expect(trajectory.turns[0]).toEqual(recorded.turns[0]);
      expect(trajectory.turns.length).toBeGreaterThan(1);
    }
    expect(new Set(forks.map(({ seed }) => seed)).size).toBe(3);
    expect(trajectoriesOf(await fork())).toEqual(forks);
  });

  it('is refused where the environment shows something else than was recorded', async () => {
    const other = recorded.turns.map((turn) => ({ ...turn, observation: `${turn.observation} Really.` }));
    await expect(fork({ ...recorded, turns: other })).rejects.toThrow(
      /shows something else at turn 0 than was recorded/,
    );
  });
});

describe('a play by hand', () => {
  const play = async (world: object, commands: PlayCommand[]) => {
    const config = configOf('play', { world, decoding: 'greedy', idleMinutes: 1 });
    const events = await all(prepareRun('play', config).events(contextOf(commands)));
    const moments: PlayMoment[] = events.flatMap((event) =>
      event.kind === 'play:advanced' ? [event.moment] : [],
    );
    return { events, moments, trajectories: trajectoriesOf(events) };
  };
  const [first] = splitTasks('valid_seen', 1);
  const task = { kind: 'task', split: 'valid_seen', taskId: first?.id };

  it('takes turns of person and model, refuses what it cannot do, and is saved as it stood when no more came', async () => {
    const { moments, trajectories } = await play(task, [
      { kind: 'act', action: 'turn left', thought: '' },
      { kind: 'show', observation: 'A hall.', availableActions: [] },
      { kind: 'let-model-act', turns: 1 },
    ]);
    expect(moments.map(({ command, turn, refusal }) => [command, turn?.by ?? null, refusal])).toEqual([
      [0, null, null],
      [1, 'person', null],
      [2, 'person', 'a task is played here: show is for pasted observations'],
      [3, 'model', null],
      [3, 'model', null],
    ]);
    expect(moments.at(-1)).toMatchObject({ over: true, busy: false });
    const [trajectory] = trajectories;
    expect(trajectory).toMatchObject({ phase: 'manual', step: STEP, stopReason: 'stopped', turnsCount: 2 });
    expect(trajectory?.turns[0]?.action).toBe('turn left');
    expect(trajectory?.turns[1]?.tokens?.logprobs.every((logprob) => logprob !== null)).toBe(true);
  });

  it('ends with its environment, and tells of each turn that the model takes', async () => {
    const { moments, trajectories } = await play(task, [{ kind: 'let-model-act', turns: 10 }]);
    expect(moments.map(({ turn, busy }) => [turn?.index ?? null, busy])).toEqual([
      [null, false],
      [0, true],
      [1, true],
      [2, false],
      [2, false],
    ]);
    expect(moments.at(-1)).toMatchObject({ command: 1, refusal: null });
    expect(trajectories).toMatchObject([{ stopReason: 'turn_limit', turnsCount: 3 }]);
  });

  it('says which commands came after the one that ended it', async () => {
    const act: PlayCommand = { kind: 'act', action: 'turn left', thought: '' };
    const { moments, trajectories } = await play(task, [act, { kind: 'end' }, act, act]);
    expect(moments.at(-1)).toMatchObject({
      command: 4,
      over: true,
      refusal: 'the play is over: commands 3 to 4 were not carried out',
    });
    expect(trajectories).toMatchObject([{ stopReason: 'stopped', turnsCount: 1 }]);
  });

  it('shows the model pasted observations, and is over after as many as were asked for', async () => {
    const show = (observation: string): PlayCommand => ({ kind: 'show', observation, availableActions: [] });
    const { moments, trajectories } = await play({ kind: 'pasted', goal: 'go to the red ball' }, [
      show('You see a red ball.'),
      show('You see a wall.'),
      show('You see a door.'),
      show('You see nothing.'),
    ]);
    expect(moments.map(({ turn }) => turn?.observation ?? null)).toEqual([
      null,
      'You see a red ball.',
      'You see a wall.',
      'You see a door.',
      'You see a door.',
    ]);
    expect(moments.at(-1)).toMatchObject({
      command: 4,
      over: true,
      refusal: 'the play is over: command 4 was not carried out',
    });
    expect(trajectories).toMatchObject([
      { taskId: 'pasted', flags: ['pasted_observations'], stopReason: 'stopped', turnsCount: 3 },
    ]);
  });
});
