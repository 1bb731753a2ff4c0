import { z } from '@hono/zod-openapi';
import type { Hook } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { RunId } from '@/contract/bounds';
import { invalidInput } from '@/contract/parse';

/** A 200 of type T, described in words: the answers' types live in the contract as TypeScript. */
export function answers<T>(description: string) {
  const schema = z.custom<T>(() => true).openapi({ type: 'object', description });
  return { 200: { description, content: { 'application/json': { schema } } } };
}

export const RunIdParam = z.object({ runId: RunId });

/** Wrong parameters become `invalid_input` that names each. */
export const refuseInvalid: Hook<unknown, Env, string, void> = (result) => {
  if (!result.success) throw invalidInput(result.error, result.target);
};
