import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { TinkerConnection } from './connection';
import { Secret } from './secret';
import { ClientConfigAnswer, SDK_VERSION } from './wire';

/** A token is exchanged this long before it expires. */
const BEFORE_EXPIRY_MS = 5 * 60_000;
const LEAST_BETWEEN_MS = 30_000;
const TokenAnswer = z.object({ jwt: z.string().min(1) });
const Claims = z.object({ exp: z.number() });

type ClientConfig = z.infer<typeof ClientConfigAnswer>;

/** What the server asks of its clients; a server without the route asks nothing. Waits for one that is away. */
export async function readClientConfig(connection: TinkerConnection): Promise<ClientConfig> {
  try {
    return await connection.request(ClientConfigAnswer, {
      route: 'client/config',
      body: { sdk_version: SDK_VERSION },
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return ClientConfigAnswer.parse({});
    throw error;
  }
}

/**
 * Exchanges the key for a token that expires, and that for the next one in time, until the connection closes. Throws
 * where the first exchange fails; a later failure shows in the requests that are then refused.
 */
export async function exchangeKey(connection: TinkerConnection): Promise<void> {
  const exchange = async (): Promise<void> => {
    const { jwt } = await connection.request(TokenAnswer, { route: 'auth/token', body: {} });
    connection.authorize(new Secret(jwt));
    const lifeMs = expiryMs(jwt) - Date.now() - BEFORE_EXPIRY_MS;
    const timer = setTimeout(
      () => void exchange().catch(() => undefined),
      Math.max(lifeMs, LEAST_BETWEEN_MS),
    );
    timer.unref();
    connection.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  };
  await exchange();
}

/** When a JSON web token expires, in ms since 1970; one that does not say is exchanged as if it lived for an hour. */
function expiryMs(jwt: string): number {
  try {
    const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8');
    return Claims.parse(JSON.parse(payload)).exp * 1000;
  } catch {
    return Date.now() + 3_600_000;
  }
}
