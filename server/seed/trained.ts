import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { parseLaunch } from '@/contract/recipes/registry';
import { DEFAULT_OPTIONS, type ImportContext } from '../importers/importer';
import { storeEvents, type ImportTarget } from '../importers/import-source';
import { RecordedRun } from '../importers/recorded-run';
import { openSource } from '../importers/source';
import { stepscopeEvents } from '../importers/stepscope-events';
import { findRunsNamed } from './find-runs';

const SPLITS = [
  { split: 'valid_seen', tasks: 60 },
  { split: 'valid_unseen', tasks: 30 },
] as const;

/** What of the demo preset two small runs need less of. */
const CHANGES = {
  steps: 4,
  rollout: { ...GRPO_PRESETS.demo.rollout, groups: 8 },
  evaluation: {
    ...GRPO_PRESETS.demo.evaluation,
    everySteps: 2,
    splits: SPLITS,
    finalSplits: SPLITS,
    controls: false,
  },
  checkpoint: { everySteps: 2 },
} as const;

/** A record that our own command wrote states no facts and leaves nothing out. */
const QUIET: ImportContext = { options: DEFAULT_OPTIONS, facts: {}, skip: () => undefined };

export const TRAINED_SEEDS = [1, 2] as const;

/**
 * Trains the demo for four steps with a seed, by the train command, and stores its record as a run with its checkpoints. A record
 * that is in the data folder is not made again, a run that is stored not stored again. Says what it waits for by `tell`.
 */
export async function seedTrainedRun(
  target: ImportTarget,
  home: string,
  seed: number,
  tell: (line: string) => void,
): Promise<string> {
  const name = `GRPO, BabyAI, 4 steps, seed ${seed}`;
  const named = await findRunsNamed(target.database, name);
  const stored = named.find((run) => run.name === name && run.status === 'finished');
  if (stored) return stored.id;
  const folder = path.join(home, 'seed-data', `grpo-seed-${seed}`);
  if (!existsSync(folder)) {
    tell(`training ${name}: about a minute on two cores`);
    await train(seed, folder);
  }
  const config = { ...GRPO_PRESETS.demo, ...CHANGES, seed };
  const launch = parseLaunch({ name, recipe: 'grpo', preset: 'demo', config });
  const run = await RecordedRun.open(target.database, {
    ...launch,
    kind: 'training',
    seed,
    engine: launch.config.engine.kind,
    startedAt: (await firstTime(folder)) ?? target.now,
  });
  try {
    await storeEvents(run, stepscopeEvents.read(await openSource(folder), QUIET), target);
  } catch (error) {
    await run.discard();
    throw error;
  }
  return run.runId;
}

/** When the record in a folder begins. */
async function firstTime(folder: string): Promise<number | null> {
  for await (const { at } of stepscopeEvents.read(await openSource(folder), QUIET)) return at;
  return null;
}

/** Runs the train command; its folder appears under its name only once it is whole. */
async function train(seed: number, folder: string): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const settings = Object.entries(CHANGES).flatMap(([key, value]) => [
    '--set',
    `${key}=${JSON.stringify(value)}`,
  ]);
  const child = spawn(
    process.execPath,
    [
      path.resolve('scripts/run-ts.mjs'),
      path.resolve('workers/train-cli.ts'),
      ...['--recipe', 'grpo', '--preset', 'demo', '--seed', String(seed), '--out', unfinished],
      ...settings,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`npm run train ended with ${code}: ${complaints.trim()}`);
  await rename(unfinished, folder);
}
