/**
 * Runs a recipe without a server: a line a step and an evaluation on the terminal, everything else under --out.
 * Exit codes: 0 finished, 1 failed, 2 wrong arguments, 130 interrupted.
 */
import { createEngine } from './engines/engine';
import { AppError } from '@/contract/errors';
import { RECIPE_PROGRAMS } from '@/rl/recipes/registry';
import { productHome } from './env';
import { parseTrainOptions, TRAIN_USAGE, type TrainOptions } from './train/options';
import { RunRecord } from './train/record';
import { TrainReport } from './train/report';

/** @returns whether the recipe ran to its end */
async function train(options: TrainOptions, signal: AbortSignal): Promise<boolean> {
  const record = new RunRecord(options.outDir);
  const report = new TrainReport();
  console.log(`${options.recipe} ${options.preset}  seed ${options.config.seed}  ${options.outDir}`);
  try {
    const engine = await createEngine(options.config.engine);
    try {
      const events = RECIPE_PROGRAMS[options.recipe](options.config, {
        engine,
        checkpointDir: (step) => record.checkpointDir(step),
        resumeFrom: null,
        clock: () => performance.now() / 1000,
        signal,
      });
      for await (const event of events) {
        record.write(event, Date.now());
        const line = report.lineOf(event);
        if (line !== null) console.log(line);
      }
    } finally {
      await engine.close();
    }
  } finally {
    record.close();
  }
  return !signal.aborted;
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
