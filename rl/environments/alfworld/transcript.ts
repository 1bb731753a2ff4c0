import { z } from 'zod';
import { pythonStrip } from '../babyai/python-strip';
import type { StepResult } from '../environment';
import { Comparison, parseRecord, type Replay } from '../replay';
import { AlfWorldEpisode, NOTHING_HAPPENS } from './episode';
import type { Game } from './game';
import type { World } from './world';

/** Text versions of a transcript: `v1` plays the game file's own rules and words, `v2` those of alfworld 0.4 and after. */
const TEXT_VERSIONS = ['v1', 'v2'] as const;
export type TextVersion = (typeof TEXT_VERSIONS)[number];

const SAID = { obs: z.string(), admissible: z.array(z.string()), won: z.boolean() };

/** An episode recorded from TextWorld's engine. */
export const RecordedAlfWorldTranscript = z.object({
  /** Folder of the game below `json_2.1.1`. */
  game: z.string().regex(/^\w+\/[^/]+\/[^/]+$/),
  version: z.enum(TEXT_VERSIONS),
  initial: z.object(SAID),
  steps: z.array(z.object({ cmd: z.string(), ...SAID, score: z.number(), done: z.boolean() })),
});
export type RecordedAlfWorldTranscript = z.infer<typeof RecordedAlfWorldTranscript>;

/**
 * Replays one recorded episode and compares observation, admissible commands, won flag, score and done at every step.
 * Throws AppError where `record` is no transcript, and whatever `openGame` throws.
 */
export function replayAlfWorldTranscript(
  openGame: (game: string, version: TextVersion) => Game,
  record: unknown,
): Replay {
  const { game, version, initial, steps } = parseRecord(RecordedAlfWorldTranscript, 'ALFWorld', record);
  const task = { id: `alfworld/${game}`, taskType: 'recorded', split: 'train' } as const;
  const episode = new AlfWorldEpisode(task, openGame(game, version), { maxTurns: null });
  const comparison = new Comparison(`${task.id} ${version}`);
  const start = episode.observe();
  comparison.check('reset', 'observation', start.text, initial.obs);
  comparison.check('reset', 'admissible', start.availableActions, initial.admissible);
  comparison.check('reset', 'won', episode.world.won, initial.won);
  let over = false;
  for (const [index, { cmd, obs, admissible, won, score, done }] of steps.entries()) {
    const said: Said = over ? playOn(episode.world, cmd) : episode.step(cmd);
    over ||= said.done;
    comparison.check(index, 'observation', said.observation.text, obs);
    comparison.check(index, 'admissible', said.observation.availableActions, admissible);
    comparison.check(index, 'won, score, done', [said.success, said.reward, said.done], [won, score, done]);
  }
  return comparison.result(steps.length);
}

type Said = Pick<StepResult, 'observation' | 'reward' | 'success' | 'done'>;

/** Upstream's engine plays on after a win, which an episode does not. */
function playOn(world: World, command: string): Said {
  const text = world.command(pythonStrip(command)) ?? NOTHING_HAPPENS;
  const { won } = world;
  const observation = { text, availableActions: world.admissible.commands };
  return { observation, reward: won ? 1 : 0, success: won, done: won };
}
