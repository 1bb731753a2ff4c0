/**
 * Runs a recipe without a server: a line a step and an evaluation on the terminal, everything else under --out.
 * Exit codes: 0 finished, 1 failed, 2 wrong arguments, 130 interrupted.
 */
import { createEngine } from './engines/engine';
import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { prepareRun } from '@/rl/recipes/registry';
import { productHome } from './env';
import { localContext } from './run/local-context';
import { parseTrainOptions, TRAIN_USAGE, type TrainOptions } from './train/options';
import { RunRecord } from './train/record';
import { TrainReport } from './train/report';

/** @returns whether the recipe ran to its end */
async function train(options: TrainOptions, signal: AbortSignal): Promise<boolean> {
  console.log(`${options.recipe} ${options.preset}  seed ${options.config.seed}  ${options.outDir}`);
  const { engine: settings, seed } = options.config;
  const engine = await createEngine({ ...settings, seed });
  try {
    // Only now: a model that cannot be opened leaves no folder that would count as a run.
    await record(options, engine, signal);
  } finally {
    await engine.close();
  }
  return !signal.aborted;
}

async function record(options: TrainOptions, engine: Engine, signal: AbortSignal): Promise<void> {
  const files = new RunRecord(options.outDir);
  const report = new TrainReport();
  try {
    const context = localContext(
      engine,
      (step) => files.checkpointDir(step),
      signal,
      options.trajectoriesPath,
    );
    const events = prepareRun(options.recipe, options.config).events(context);
    for await (const event of events) {
      files.write(event, Date.now());
      const line = report.lineOf(event);
      if (line !== null) console.log(line);
    }
  } finally {
    files.close();
  }
}

/** The first Ctrl-C ends the run at its next safe point, the second at once. */
function interruptible(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    console.log('stopping after what is going on; once more to stop at once');
    controller.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}

function optionsOrExit(): TrainOptions {
  try {
    return parseTrainOptions(process.argv.slice(2), productHome());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(`${error.message}\n\n${TRAIN_USAGE}`);
    process.exit(2);
  }
}

const options = optionsOrExit();
try {
  process.exitCode = (await train(options, interruptible())) ? 0 : 130;
} catch (error) {
  console.error(error instanceof AppError ? error.message : error);
  process.exitCode = 1;
}
