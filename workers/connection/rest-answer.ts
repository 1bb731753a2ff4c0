import type { z } from 'zod';
import { AppError, codeOfStatus } from '@/contract/errors';
import { withDeadline } from '../deadline';
import { untilAnswered } from '../retry';

const ANSWER_LIMIT_MS = 30_000;

/**
 * What the server answers to `GET /api/v1<path>`, as `schema` parses it. Waits while the server is away; throws what it
 * refuses.
 */
export function getAnswer<Answer>(
  serverUrl: string,
  path: string,
  schema: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  return untilAnswered(
    () =>
      withDeadline(ANSWER_LIMIT_MS, signal, async (limited) => {
        const response = await request(`${serverUrl}/api/v1${path}`, limited);
        if (!response.ok)
          throw new AppError(
            codeOfStatus(response.status) ?? 'unavailable',
            `GET ${path} answered HTTP ${response.status}`,
          );
        return schema.parse(await response.json());
      }),
    signal,
  );
}

async function request(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal });
  } catch (error) {
    throw new AppError('unavailable', `${url}: the server is away`, [], { cause: error });
  }
}
