/**
 * Compares our RL arithmetic with vectors of the public implementations: `npm run rl:vectors -- DIR`, a folder of files as
 * `data/golden/rl` has them. Exit code 0 where all agree, 1 on a mismatch or a file that cannot be read or is of no known
 * function, 2 on wrong arguments.
 */
import { VECTOR_FUNCTIONS } from './vectors/registry';
import { vectorsCommand } from './vectors/vectors-command';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error('Name one folder: npm run rl:vectors -- DIR');
  process.exitCode = 2;
} else {
  try {
    process.exitCode = vectorsCommand(folder, VECTOR_FUNCTIONS, console.log) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
