import { AppError } from '@/contract/errors';
import type { Replayer } from '@/rl/environments/replay';
import { fromFirstDifference } from './first-difference';
import { replayFile, type FileReplay, type PlacedMismatch } from './replay-file';

/** Replayers by the environment's id; each made when it is asked for. */
export type Replayers = Readonly<Record<string, () => Replayer>>;

/** Mismatches shown of a file. */
const SHOWN_MISMATCHES = 5;

/**
 * Replays the files of `[environment, ...files]`, says for each what came of it, and in the end names the first
 * difference and sums up in one line, `N compared, M mismatches`. True where nothing differs. Throws AppError on wrong
 * arguments and on a malformed file.
 */
export async function replayCommand(
  [environment, ...paths]: readonly string[],
  replayers: Replayers,
  print: (line: string) => void,
): Promise<boolean> {
  const replay = replayerOf(environment, replayers);
  if (paths.length === 0) {
    throw new AppError(
      'invalid_input',
      `Name at least one file: npm run env:replay -- ${environment} FILE...`,
    );
  }
  let compared = 0;
  const mismatches: { path: string; mismatch: PlacedMismatch }[] = [];
  for (const path of paths) {
    const result = await replayFile(path, replay);
    reportFile(path, result, print);
    compared += result.compared;
    mismatches.push(...result.mismatches.map((mismatch) => ({ path, mismatch })));
  }
  const [first] = mismatches;
  if (first) reportMismatch('first difference: ', first.path, first.mismatch, print);
  print(`${compared} compared, ${mismatches.length} mismatches`);
  return mismatches.length === 0;
}

function replayerOf(environment: string | undefined, replayers: Replayers): Replayer {
  const open =
    environment !== undefined && Object.hasOwn(replayers, environment) ? replayers[environment] : undefined;
  if (open) return open();
  const known = Object.keys(replayers).join(', ');
  throw new AppError(
    'invalid_input',
    `The environment must be one of ${known}, got ${environment ?? 'nothing'}`,
  );
}

function reportFile(path: string, result: FileReplay, print: (line: string) => void): void {
  const { episodes, turns, compared, mismatches, skipped } = result;
  print(
    `${path}: ${episodes} episodes, ${turns} turns, ${compared} compared, ${mismatches.length} mismatches`,
  );
  for (const { line, episode, error } of skipped) {
    print(`  line ${line}, ${episode}: skipped, upstream did not start it (${error})`);
  }
  for (const mismatch of mismatches.slice(0, SHOWN_MISMATCHES)) reportMismatch('  ', path, mismatch, print);
  const more = mismatches.length - SHOWN_MISMATCHES;
  if (more > 0) print(`  and ${more} more`);
}

function reportMismatch(
  lead: string,
  path: string,
  { line, episode, at, what, expected, actual }: PlacedMismatch,
  print: (line: string) => void,
): void {
  const [wanted, said] = fromFirstDifference(expected, actual);
  const place = at === 'reset' ? 'reset' : `step ${at} (turn ${at + 1})`;
  print(`${lead}${path}:${line}, ${episode}, ${place}, ${what}`);
  print(`    expected ${wanted}`);
  print(`    actual   ${said}`);
}
