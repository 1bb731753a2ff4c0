/**
 * "The teacher continues the student's prefix": how often the whole keeps the format where a teacher goes on from the first part
 * of a student's reply, by how much of it is given and by how long it was. Where that falls, the teacher has lost the thread, and its
 * log-probabilities there say little. After the BabyAI-Text line's diagnosis of v3.1.
 */
import type { ContinuationRow, ContinuationTable } from '@/contract/continuation-table';
import type { OpdConfig } from '@/contract/recipes/opd';
import type { Teacher } from '@/contract/teacher';
import { createRandom, hashSeed } from '@/rl/random';
import { keepsFormat, type JudgedReply } from './reply-format';
import type { RunSetup } from './setup';

/** Some of a step's replies, without repetition. */
export function drawReplies(
  replies: readonly JudgedReply[],
  { seed, diagnosis }: Pick<OpdConfig, 'seed' | 'diagnosis'>,
  step: number,
): JudgedReply[] {
  return createRandom(hashSeed(seed, 'diagnosis', step))
    .shuffle(replies)
    .slice(0, diagnosis.replies);
}

/** What became of a reply that was gone on with. */
interface Continued {
  depth: number;
  /** Tokens of the student's reply. */
  replyTokens: number;
  isWellFormed: boolean;
}

/** Has the teacher go on from each depth of each reply. A reply too short to have a beginning at a depth has none in its figures. */
export async function tabulateContinuations(
  { config, context, scaffold }: RunSetup<OpdConfig>,
  teacher: Pick<Teacher, 'name' | 'continueText'>,
  drawn: readonly JudgedReply[],
  step: number,
): Promise<ContinuationTable> {
  const depths = config.diagnosis.depths.map(({ share }) => share);
  const lengths = config.diagnosis.lengths.map(({ tokens }) => tokens);
  const { temperature, maxReplyTokens } = config.rollout;
  const goOn = async ({ call }: JudgedReply, index: number, depth: number): Promise<Continued[]> => {
    const prefix = call.reply.slice(0, Math.floor(depth * call.reply.length));
    if (prefix.length === 0) return [];
    const continuation = await teacher.continueText({
      tokens: [...call.prompt, ...prefix],
      maxTokens: maxReplyTokens - prefix.length,
      temperature,
      seed: hashSeed(config.seed, 'continuation', step, index, depth),
    });
    const text = context.engine.tokenizer.decode(prefix) + continuation;
    const isWellFormed = keepsFormat(scaffold, call.call, text);
    return [{ depth, replyTokens: call.reply.length, isWellFormed }];
  };
  const asked = drawn.flatMap((reply, index) => depths.map((depth) => goOn(reply, index, depth)));
  const own = drawn.map(({ call, isWellFormed }): Continued => ({
    depth: 1,
    replyTokens: call.reply.length,
    isWellFormed,
  }));
  const continued = [...(await Promise.all(asked)).flat(), ...own];
  return { step, teacher: teacher.name, rows: continuationRows(continued, [...depths, 1], lengths) };
}

/** Counts by depth, over all lengths first and then by the lengths at which the table is cut. */
export function continuationRows(
  continued: readonly Continued[],
  depths: readonly number[],
  lengths: readonly number[],
): ContinuationRow[] {
  const bounds = [0, ...lengths];
  const ranges: [number, number | null][] = [
    [0, null],
    ...(lengths.length > 0
      ? bounds.map((from, i): [number, number | null] => [from, bounds[i + 1] ?? null])
      : []),
  ];
  return depths.flatMap((depth) =>
    ranges.map(([fromTokens, toTokens]) => {
      const found = continued.filter(
        (each) =>
          each.depth === depth && each.replyTokens >= fromTokens && each.replyTokens < (toTokens ?? Infinity),
      );
      const wellFormed = found.filter(({ isWellFormed }) => isWellFormed).length;
      return { depth, fromTokens, toTokens, n: found.length, wellFormed };
    }),
  );
}
