/**
 * `npm run import -- PATH...`: reads logs of other tools into the database that the server uses or would use.
 * Exit codes: 0 all read or there already, 1 something was not read, 2 wrong arguments.
 */
import { parseArgs } from 'node:util';
import { AppError } from '@/contract/errors';
import { parseCheckpointName } from '@/contract/compare';
import { IMPORT_FORMATS } from '@/contract/imports';
import { SPLITS } from '@/contract/trajectory';
import { readServerEnvironment } from '../env';
import { importAll } from './import-all';
import type { PathOptions } from './import-paths';
import { withImportTarget } from './import-target';
import { isImportFormat } from './registry';

const USAGE = `npm run import -- [options] PATH...

  PATH          a file, or a folder with files of one run; several may be given
  --format      ${Object.keys(IMPORT_FORMATS).join(', ')} (default: recognised)
  --name        of the run (default: the name of the file or folder)
  --step N      of the checkpoint that was played or measured, where the files do not say (default 0)
  --split       ${SPLITS.join(', ')} (default valid_seen)
  --part        of a text that tells of several runs, the one to read
  --checkpoint  RUN@STEP: capability results are of this checkpoint
  --base        capability results are of the model that others are read against`;

function readArguments(): { paths: string[]; options: PathOptions } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      format: { type: 'string' },
      name: { type: 'string' },
      step: { type: 'string', default: '0' },
      split: { type: 'string', default: 'valid_seen' },
      part: { type: 'string' },
      checkpoint: { type: 'string' },
      base: { type: 'boolean', default: false },
    },
  });
  const { format = null, name = null, part = null, checkpoint = null } = values;
  if (positionals.length === 0) throw new AppError('invalid_input', 'no PATH is given');
  if (format !== null && !isImportFormat(format))
    throw new AppError(
      'invalid_input',
      `--format is ${format}, expected one of ${Object.keys(IMPORT_FORMATS).join(', ')}`,
    );
  const split = SPLITS.find((each) => each === values.split);
  if (!split)
    throw new AppError('invalid_input', `--split is ${values.split}, expected one of ${SPLITS.join(', ')}`);
  if (!/^\d{1,9}$/.test(values.step))
    throw new AppError('invalid_input', `--step is ${values.step}, expected a whole number from 0`);
  const reference = checkpoint === null ? null : parseCheckpointName(checkpoint);
  if (checkpoint !== null && !reference)
    throw new AppError(
      'invalid_input',
      `--checkpoint is ${checkpoint}, expected RUN@STEP, such as r-0003@40`,
    );
  const step = Number(values.step);
  if (reference && step !== 0 && step !== reference.step)
    throw new AppError(
      'invalid_input',
      `--step is ${step}, expected ${reference.step} as --checkpoint says, or none`,
    );
  const options = {
    format,
    name,
    split,
    step,
    checkpoint: reference,
    part,
    isBase: values.base,
  };
  return { paths: positionals, options };
}

try {
  const { paths, options } = readArguments();
  const failed = await withImportTarget(readServerEnvironment(), (target, site) =>
    importAll(target, paths, options, { site, print: (line) => console.log(line) }),
  );
  if (failed.length > 0 && paths.length > 1)
    console.error(`${failed.length} of ${paths.length} paths were not read whole: ${failed.join(', ')}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
} catch (error) {
  const isUsage = error instanceof TypeError || (error instanceof AppError && error.message.startsWith('--'));
  console.error(error instanceof Error ? error.message : error);
  if (isUsage || (error instanceof AppError && error.message.startsWith('no PATH')))
    console.error(`\n${USAGE}`);
  process.exitCode = isUsage ? 2 : 1;
}
