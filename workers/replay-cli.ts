/**
 * Replays recorded transcripts against an environment: `npm run env:replay -- babyai FILE...`.
 * Exit code 0 where all agree, 1 on a mismatch, 2 on wrong arguments or a malformed file.
 */
import { AppError } from '@/contract/errors';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { replayTranscript, type Replay } from '@/rl/environments/babyai/transcript';
import { fromFirstDifference } from './replay/first-difference';
import { replayFile, type FileReplay } from './replay/replay-file';

const SHOWN_MISMATCHES = 5;

function replayerOf(environment: string | undefined): (record: unknown) => Replay {
  if (environment !== 'babyai') {
    throw new AppError('invalid_input', `The environment must be babyai, got ${environment ?? 'nothing'}`);
  }
  const upstream = createBabyAi({ compat: 'agentgym' });
  return (record) => replayTranscript(upstream, record);
}

function report(path: string, result: FileReplay): void {
  const { episodes, steps, checks, mismatches, skipped } = result;
  console.log(
    `${path}: ${episodes} episodes, ${steps} turns, ${checks} checks, ${mismatches.length} mismatches`,
  );
  for (const [level, count] of skipped) console.log(`  skipped, level not built: ${level} (${count})`);
  for (const { line, at, what, expected, actual } of mismatches.slice(0, SHOWN_MISMATCHES)) {
    const place = at === 'reset' ? 'reset' : `turn ${at + 1}`;
    const [wanted, said] = fromFirstDifference(expected, actual);
    console.log(`  ${path}:${line}, ${place}, ${what}\n    expected ${wanted}\n    actual   ${said}`);
  }
  const more = mismatches.length - SHOWN_MISMATCHES;
  if (more > 0) console.log(`  and ${more} more`);
}

async function main([environment, ...paths]: readonly string[]): Promise<number> {
  const replay = replayerOf(environment);
  if (paths.length === 0) {
    throw new AppError('invalid_input', 'Name at least one file: npm run env:replay -- babyai FILE...');
  }
  let mismatches = 0;
  for (const path of paths) {
    const result = await replayFile(path, replay);
    report(path, result);
    mismatches += result.mismatches.length;
  }
  return mismatches === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
