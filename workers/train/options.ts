import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { RECIPE_IDS, RECIPES, type RecipeEntry, type RecipeId } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { z } from 'zod';
import { withSetValues } from './set-values';

/** A run as its repro bundle has it. */
const RunFile = z.object({
  recipe: z.enum(RECIPE_IDS),
  preset: z.string().min(1),
  config: z.looseObject({}),
});

export const TRAIN_USAGE = `npm run train -- --recipe grpo --preset demo [--seed N] [--set path.to.key=value]... [--out DIR]
npm run train -- --config run.json [--set path.to.key=value]... [--out DIR]

  --recipe   ${RECIPE_IDS.join(', ')}
  --preset   named values of the recipe
  --config   recipe, preset and whole config of a run, as its repro bundle has them in run.json
  --seed     seed of tasks, samples and update order
  --set      replaces one setting; JSON or text; may be given many times
  --trajectories  file of recorded trajectories to learn from: a trajectory a line, or a run's events.jsonl
  --out      folder for events, metrics and checkpoints (default: .stepscope/runs/<recipe>-<preset>-seed<N>)`;

export interface TrainOptions {
  recipe: RecipeId;
  preset: string;
  config: RunSettings;
  /** Absolute; holds no earlier run. */
  outDir: string;
  /** Absolute; null without one. */
  trajectoriesPath: string | null;
}

/**
 * Reads the arguments of the train command. Throws `invalid_input` naming the argument or setting that is wrong
 * and what would be valid.
 */
export function parseTrainOptions(argv: readonly string[], homeDir: string): TrainOptions {
  const values = parseArguments(argv);
  const { recipe, preset, base } =
    values.config === undefined ? namedBase(values) : baseOfFile(values.config, values);
  const entry: RecipeEntry = RECIPES[recipe];
  const seedAssignments = values.seed === undefined ? [] : [`seed=${values.seed}`];
  const resolved = withSetValues(base, [...seedAssignments, ...(values.set ?? [])]);
  const config = parseOrThrow(entry.config, resolved, 'config', 'config');
  const outDir =
    values.out === undefined
      ? freeFolder(join(homeDir, 'runs', `${recipe}-${preset}-seed${config.seed}`))
      : resolve(values.out);
  if (holdsRun(outDir))
    throw new AppError('conflict', `--out ${outDir} already holds a run; expected a new folder`);
  const trajectoriesPath = values.trajectories === undefined ? null : resolve(values.trajectories);
  return { recipe, preset, config, outDir, trajectoriesPath };
}

/** What settings are set on. */
interface Base {
  recipe: RecipeId;
  preset: string;
  base: object;
}

type Arguments = ReturnType<typeof parseArguments>;

function namedBase(values: Arguments): Base {
  const recipe = requireOneOf('--recipe', values.recipe, RECIPE_IDS);
  const { presets }: RecipeEntry = RECIPES[recipe];
  const preset = requireOneOf('--preset', values.preset, Object.keys(presets));
  return { recipe, preset, base: presets[preset] ?? {} };
}

/** The run of a repro bundle's `run.json`. */
function baseOfFile(path: string, { recipe, preset }: Arguments): Base {
  if (recipe !== undefined || preset !== undefined)
    throw new AppError(
      'invalid_input',
      '--config names recipe and preset itself; expected neither beside it',
    );
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new AppError('invalid_input', `--config ${path} cannot be read as JSON`, [], { cause });
  }
  const file = parseOrThrow(RunFile, value, `--config ${path}`);
  return { recipe: file.recipe, preset: file.preset, base: file.config };
}

function parseArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      options: {
        recipe: { type: 'string' },
        preset: { type: 'string' },
        seed: { type: 'string' },
        set: { type: 'string', multiple: true },
        config: { type: 'string' },
        trajectories: { type: 'string' },
        out: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new AppError('invalid_input', error instanceof Error ? error.message : String(error), [], {
      cause: error,
    });
  }
}

function requireOneOf<T extends string>(option: string, value: string | undefined, valid: readonly T[]): T {
  const found = valid.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new AppError(
    'invalid_input',
    `${option} ${value === undefined ? 'is missing' : `${value} is unknown`}; expected one of ${valid.join(', ')}`,
  );
}

function holdsRun(dir: string): boolean {
  return existsSync(join(dir, 'events.jsonl'));
}

/** `dir`, or with the first of -2, -3, ... where it holds a run. */
function freeFolder(dir: string): string {
  let candidate = dir;
  for (let count = 2; holdsRun(candidate); count++) candidate = `${dir}-${count}`;
  return candidate;
}
