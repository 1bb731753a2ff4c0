import { z } from 'zod';
import { AppError, type ErrorCode } from '@/contract/errors';
import { Comparison, parseRecord, type Replay } from '../replay';
import { agentGymText, type BabyAiEnvironment } from './babyai';
import type { BabyAiEpisode } from './episode';
import type { Grid } from './grid';
import { AGENTGYM_LEVEL_COUNT } from './levels/registry';
import type { WorldObject } from './objects';
import { agentGymTask, babyAiTask } from './task';

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
const FailedTranscript = z.object({
  /** AgentGym's number. */
  level: z.int().min(1).max(AGENTGYM_LEVEL_COUNT),
  seed: z.int().nonnegative(),
  error: z.string(),
});

/**
 * Replays one recorded episode and compares every text, reward and pose, up to the end of either; an episode upstream
 * failed to start must be refused here too. Throws AppError where `record` is no transcript, with an issue for each wrong field, and where it names a
 * level that there is not.
 */
export function replayTranscript(environment: BabyAiEnvironment, record: unknown): Replay {
  const failed = FailedTranscript.safeParse(record);
  if (failed.success) return compareFailure(environment, failed.data);
  const transcript = parseRecord(RecordedTranscript, 'AgentGym’s BabyAI', record);
  const level = transcript.name.replace(/^BabyAI-/, '').replace(/-v\d+$/, '');
  return compare(environment.start(babyAiTask(level, transcript.seed, 'train')), transcript);
}

function compareFailure(
  environment: BabyAiEnvironment,
  { level, seed, error }: z.infer<typeof FailedTranscript>,
): Replay {
  const task = agentGymTask(seed * AGENTGYM_LEVEL_COUNT + level - 1, 'train');
  const comparison = new Comparison(task.id);
  const refused = refusal(() => environment.start(task)) !== null;
  comparison.check('reset', `refusal to start (${error})`, refused, true);
  return comparison.result(0);
}

function compare(episode: BabyAiEpisode, record: RecordedTranscript): Replay {
  const { world } = episode;
  const comparison = new Comparison(episode.task.id);
  comparison.check('reset', 'mission', world.mission, record.mission);
  comparison.check('reset', 'grid', printGrid(world.grid), record.grid);
  comparison.check('reset', 'max_steps', world.maxSteps, record.max_steps);
  comparison.check('reset', 'pose', pose(world.grid), [...record.agent_pos, record.agent_dir]);
  const first = agentGymText(episode.observe(), episode.goal);
  comparison.check('reset', 'observation', first, record.reset.observation);
  let score = 0;
  let over = false;
  for (const [index, { action, resp, pos, dir, step_count }] of record.steps.entries()) {
    if (over) {
      comparison.check(index, 'end', 'over', 'goes on');
      break;
    }
    const { observation, reward, done } = episode.step(action);
    over = done;
    score += reward;
    comparison.check(index, 'observation', agentGymText(observation, null), resp.observation);
    const outcome = [resp.reward, resp.score, resp.done];
    comparison.check(index, 'reward, score, done', [reward, score, done], outcome);
    const position = [world.steps, ...pose(world.grid)];
    comparison.check(index, 'steps and pose', position, [step_count, ...pos, dir]);
  }
  const { after_done } = record;
  if (after_done) {
    const code = refusal(() => episode.step(after_done.action));
    comparison.check(record.steps.length, 'refusal after the end', code, 'conflict');
  }
  return comparison.result(record.steps.length);
}

function pose({ agentX, agentY, direction }: Grid): number[] {
  return [agentX, agentY, direction];
}

/** The code of the error an action ends in; null where it ends in none. */
function refusal(act: () => unknown): ErrorCode | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

const TYPE_LETTERS = { wall: 'W', key: 'K', ball: 'A', box: 'B' } as const;

/**
 * Minigrid's print of a grid: two letters a cell, type and colour's initial, the agent as an arrow. For what is grey and no
 * door, older versions print Q, newer ones G as for green.
 */
export function printGrid(grid: Grid, grey: 'G' | 'Q' = 'G'): string {
  return Array.from({ length: grid.height }, (_row, y) =>
    Array.from({ length: grid.width }, (_cell, x) => {
      if (x === grid.agentX && y === grid.agentY) return '>V<^'.charAt(grid.direction).repeat(2);
      return printObject(grid.at(x, y), grey);
    }).join(''),
  ).join('\n');
}

function printObject(object: WorldObject | null, grey: 'G' | 'Q'): string {
  if (!object) return '  ';
  const initial = object.color.charAt(0).toUpperCase();
  if (object.type !== 'door') {
    return TYPE_LETTERS[object.type] + (object.color === 'grey' ? grey : initial);
  }
  if (object.state === 'open') return '__';
  return (object.state === 'locked' ? 'L' : 'D') + initial;
}
