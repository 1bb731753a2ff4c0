import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { agentGymText, type BabyAiEnvironment } from './babyai';
import type { BabyAiEpisode } from './episode';
import type { Grid } from './grid';
import { hasLevel } from './levels/registry';
import type { WorldObject } from './objects';
import { babyAiTask } from './task';

const Pose = z.tuple([z.int(), z.int()]);

const TranscriptStep = z.object({
  action: z.string(),
  resp: z.object({ observation: z.string(), reward: z.number(), score: z.number(), done: z.boolean() }),
  pos: Pose,
  dir: z.int().min(0).max(3),
  step_count: z.int().nonnegative(),
});

/** An episode recorded from AgentGym's BabyAI server, with the world behind it. */
export const RecordedTranscript = z.object({
  /** Gymnasium's id: `BabyAI-GoToLocalS8N7-v0`. */
  name: z.string().regex(/^BabyAI-\w+-v\d+$/),
  seed: z.int().nonnegative(),
  max_steps: z.int().positive(),
  mission: z.string(),
  /** Minigrid's print of the grid. */
  grid: z.string(),
  agent_pos: Pose,
  agent_dir: z.int().min(0).max(3),
  reset: z.object({ observation: z.string() }),
  steps: z.array(TranscriptStep),
  /** What upstream answers to an action after the end. */
  after_done: z.object({ action: z.string(), resp: z.object({ error: z.string() }) }).nullish(),
});
export type RecordedTranscript = z.infer<typeof RecordedTranscript>;

/** An episode upstream failed to start. */
const FailedTranscript = z.object({ name: z.string(), error: z.string() });

export interface Mismatch {
  /** `reset`, or the index of the step. */
  at: 'reset' | number;
  what: string;
  expected: string;
  actual: string;
}

export type Replay =
  | { skipped: string; steps: 0; checks: 0; mismatches: [] }
  | { skipped: null; steps: number; checks: number; mismatches: Mismatch[] };

/**
 * Replays one recorded episode and compares every text, reward and pose. Episodes of levels that are not built are
 * skipped, with the level's name. Throws AppError where `record` is no transcript, with an issue for each wrong field.
 */
export function replayTranscript(environment: BabyAiEnvironment, record: unknown): Replay {
  const failed = FailedTranscript.safeParse(record);
  if (failed.success) return skip(failed.data.name);
  const parsed = RecordedTranscript.safeParse(record);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
    const said = issues.map(({ path, message }) => `${path || 'record'}: ${message}`).join('; ');
    throw new AppError('invalid_input', `Not a BabyAI transcript: ${said}`, issues);
  }
  const level = parsed.data.name.replace(/^BabyAI-/, '').replace(/-v\d+$/, '');
  if (!hasLevel(level)) return skip(parsed.data.name);
  return compare(environment.start(babyAiTask(level, parsed.data.seed, 'train')), parsed.data);
}

function skip(name: string): Replay {
  return { skipped: name, steps: 0, checks: 0, mismatches: [] };
}

function compare(episode: BabyAiEpisode, record: RecordedTranscript): Replay {
  const replay = { skipped: null, steps: record.steps.length, checks: 0, mismatches: [] as Mismatch[] };
  const check = (at: Mismatch['at'], what: string, actual: unknown, expected: unknown): void => {
    replay.checks++;
    const [said, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (said !== wanted) replay.mismatches.push({ at, what, actual: said, expected: wanted });
  };
  const { world } = episode;
  check('reset', 'mission', world.mission, record.mission);
  check('reset', 'grid', printGrid(world.grid), record.grid);
  check('reset', 'max_steps', world.maxSteps, record.max_steps);
  check('reset', 'pose', pose(world.grid), [...record.agent_pos, record.agent_dir]);
  check('reset', 'observation', agentGymText(episode.observe(), episode.goal), record.reset.observation);
  let score = 0;
  record.steps.forEach(({ action, resp, pos, dir, step_count }, index) => {
    const { observation, reward, done } = episode.step(action);
    score += reward;
    check(index, 'observation', agentGymText(observation, null), resp.observation);
    check(index, 'reward, score, done', [reward, score, done], [resp.reward, resp.score, resp.done]);
    check(index, 'steps and pose', [world.steps, ...pose(world.grid)], [step_count, ...pos, dir]);
  });
  const { after_done } = record;
  if (after_done)
    check(record.steps.length, 'refusal after the end', refuses(episode, after_done.action), true);
  return replay;
}

function pose({ agentX, agentY, direction }: Grid): number[] {
  return [agentX, agentY, direction];
}

function refuses(episode: BabyAiEpisode, action: string): boolean {
  try {
    episode.step(action);
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return true;
    throw error;
  }
}

const TYPE_LETTERS = { wall: 'W', key: 'K', ball: 'A', box: 'B' } as const;

/** Minigrid's print of a grid: two letters a cell, type and colour's initial, the agent as an arrow. */
export function printGrid(grid: Grid): string {
  return Array.from({ length: grid.height }, (_row, y) =>
    Array.from({ length: grid.width }, (_cell, x) => {
      if (x === grid.agentX && y === grid.agentY) return '>V<^'.charAt(grid.direction).repeat(2);
      return printObject(grid.at(x, y));
    }).join(''),
  ).join('\n');
}

function printObject(object: WorldObject | null): string {
  if (!object) return '  ';
  const initial = object.color.charAt(0).toUpperCase();
  if (object.type !== 'door') return TYPE_LETTERS[object.type] + initial;
  if (object.state === 'open') return '__';
  return (object.state === 'locked' ? 'L' : 'D') + initial;
}
