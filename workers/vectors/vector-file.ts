import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import type { VectorFunction } from './vector-function';

const VectorCase = z.object({
  name: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  outputs: z.record(z.string(), z.unknown()),
});
export type VectorCase = z.infer<typeof VectorCase>;

const VectorFile = z.object({
  tolerance: z.object({ relative: z.number().min(0), absolute: z.number().min(0) }),
  cases: z.array(VectorCase),
});
export type VectorFile = z.infer<typeof VectorFile>;

/** Reads a file of cases. Throws AppError naming it where it is not one. */
export function readVectorFile(path: string): VectorFile {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('invalid_input', `${path} cannot be read as JSON: ${reason}`, [], { cause });
  }
  return parseOrThrow(VectorFile, content, path);
}

/**
 * The function that a file's cases are of: the one whose name the file has, or, where it was renamed, the only one that takes
 * exactly the inputs of every case and gives its outputs. Throws where there is none, or several.
 */
export function functionOf(
  path: string,
  { cases }: VectorFile,
  functions: readonly VectorFunction[],
): VectorFunction {
  const stem = basename(path, '.json');
  const named = functions.find(({ name }) => name === stem);
  if (named) return named;
  const fitting = functions.filter((each) => cases.length > 0 && cases.every((given) => fits(given, each)));
  const [only, another] = fitting;
  if (only && !another) return only;
  const known = functions.map(({ name }) => name).join(', ');
  throw new AppError(
    'invalid_input',
    another
      ? `${path} could hold cases of ${fitting.map(({ name }) => name).join(' and ')}; name it after one of them`
      : `${path} holds cases of no known function; expected one of ${known}`,
  );
}

function fits({ inputs, outputs }: VectorCase, candidate: VectorFunction): boolean {
  if (!candidate.inputs.strict().safeParse(inputs).success) return false;
  if ('error' in outputs) return true;
  try {
    const computed = candidate.run(inputs);
    return Object.keys(outputs).every((name) => name in computed);
  } catch {
    return false;
  }
}
