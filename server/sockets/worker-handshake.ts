import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { WorkerHandshake } from '@/contract/socket';
import { PROTOCOL_VERSION } from '@/contract/version';
import { checkToken } from '@/server/workers/registry';
import type { Database } from '../database';

/** What any version of the protocol sends, read before the rest: another version may shape the rest otherwise. */
const Introduction = z.looseObject({
  token: z.string().max(500).optional(),
  protocol: z.number().optional(),
});

/** Accepts a worker's handshake, or throws why not: the token first, then the protocol, then the shape. */
export async function acceptWorker(database: Database, auth: unknown): Promise<WorkerHandshake> {
  const { token, protocol } = parseOrThrow(Introduction, auth, 'worker handshake');
  if (token === undefined || !(await checkToken(database, token)))
    throw new AppError('unauthorized', 'the worker token is not known to this server', [
      { path: 'token', message: 'expected the token in the server’s data folder (worker-token)' },
    ]);
  if (protocol !== PROTOCOL_VERSION)
    throw new AppError(
      'conflict',
      `the worker speaks protocol ${protocol ?? '(none)'}, this server speaks ${PROTOCOL_VERSION}: update the older of the two`,
      [{ path: 'protocol', message: `expected ${PROTOCOL_VERSION}` }],
    );
  return parseOrThrow(WorkerHandshake, auth, 'worker handshake');
}
