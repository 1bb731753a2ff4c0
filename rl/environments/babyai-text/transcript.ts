import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { Grid } from '../babyai/grid';
import { printGrid } from '../babyai/transcript';
import { Comparison, parseRecord, skippedReplay, type Replay } from '../replay';
import type { BabyAiTextEnvironment } from './babyai-text';
import { ACTION_KINDS, type ActionKind } from './levels';
import { taskOfKind } from './task';

const Cell = z.tuple([z.int(), z.int()]);
const Direction = z.int().min(0).max(3);

/** An episode recorded from BabyAI-Text, with the world behind it. */
export const RecordedTextTranscript = z.object({
  /** Upstream's class: `Level_MixedTrainLocal`. */
  level: z.string().regex(/^Level_\w+$/),
  action_kind: z.string(),
  seed: z.int().nonnegative(),
  max_steps: z.int().positive(),
  mission: z.string(),
  /** Minigrid's print of the grid. */
  grid: z.string(),
  pos: Cell,
  dir: Direction,
  descriptions: z.array(z.string()),
  steps: z.array(
    z.object({
      a: z.string(),
      reward: z.number(),
      done: z.boolean(),
      descriptions: z.array(z.string()),
      pos: Cell,
      dir: Direction,
    }),
  ),
});
export type RecordedTextTranscript = z.infer<typeof RecordedTextTranscript>;

/** An episode upstream failed to start. */
const FailedTextTranscript = z.object({ level: z.string(), seed: z.int().nonnegative(), error: z.string() });

/** What the levels of sequences call their only action kind. */
const SEQUENCE_KIND = 'pick up seq pick up ';

/**
 * Replays one recorded episode and compares every text, reward and pose, up to the end of either. An episode that upstream failed to start is
 * skipped. Throws AppError where `record` is no transcript or names a level or an action kind that there is not.
 */
export function replayTextTranscript(environment: BabyAiTextEnvironment, record: unknown): Replay {
  const failed = FailedTextTranscript.safeParse(record);
  if (failed.success) {
    const { level, seed, error } = failed.data;
    return skippedReplay(`babyai-text/${level}/${seed}`, error);
  }
  return compare(environment, parseRecord(RecordedTextTranscript, 'BabyAI-Text', record));
}

function compare(environment: BabyAiTextEnvironment, record: RecordedTextTranscript): Replay {
  const level = record.level.replace(/^Level_/, '');
  const episode = environment.start(taskOfKind(level, kindOf(record.action_kind), record.seed, 'train'));
  const { world } = episode;
  const comparison = new Comparison(episode.task.id);
  comparison.check('reset', 'mission', world.mission, record.mission);
  comparison.check('reset', 'grid', printGrid(world.grid, 'Q'), record.grid);
  comparison.check('reset', 'max_steps', world.maxSteps, record.max_steps);
  comparison.check('reset', 'pose', poseOf(world.grid), [...record.pos, record.dir]);
  comparison.check('reset', 'descriptions', episode.descriptions, record.descriptions);
  let over = false;
  for (const [index, { a, reward, done, descriptions, pos, dir }] of record.steps.entries()) {
    if (over) {
      comparison.check(index, 'end', 'over', 'goes on');
      break;
    }
    const result = episode.step(a);
    over = result.done;
    comparison.check(index, 'descriptions', episode.descriptions, descriptions);
    comparison.check(index, 'reward, done', [result.reward, result.done], [reward, done]);
    comparison.check(index, 'pose', poseOf(world.grid), [...pos, dir]);
  }
  return comparison.result(record.steps.length);
}

function kindOf(recorded: string): ActionKind {
  if (recorded === SEQUENCE_KIND) return 'pick up seq go to';
  const kind = ACTION_KINDS.find((known) => known === recorded);
  if (kind) return kind;
  const kinds = [...ACTION_KINDS, SEQUENCE_KIND].map((known) => `"${known}"`).join(', ');
  throw new AppError('invalid_input', `There is no action kind "${recorded}". Action kinds: ${kinds}`);
}

function poseOf({ agentX, agentY, direction }: Grid): number[] {
  return [agentX, agentY, direction];
}
