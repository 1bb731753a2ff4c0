import { AppError } from '@/contract/errors';
import { clipWords, type TinkerReport } from '@/contract/worker-report';
import { isSuccess, TinkerConnection, type TinkerConnectionOptions } from './connection';
import { CapabilitiesAnswer } from './wire';

const ANSWER_TIMEOUT_MS = 5000;
const REQUEST = { method: 'GET', route: 'get_server_capabilities', timeoutMs: ANSWER_TIMEOUT_MS } as const;

/** Which models a server of the Tinker protocol has now, asked once; where it is not reached, why. Never throws. */
export async function probeTinkerServer(
  options: Pick<TinkerConnectionOptions, 'address' | 'apiKey' | 'fetch'>,
): Promise<TinkerReport> {
  const connection = new TinkerConnection({ ...options, patienceMs: 0 });
  const { address } = connection;
  try {
    const reply = await connection.send(REQUEST);
    if (!isSuccess(reply)) throw connection.refusal(REQUEST, reply);
    const { supported_models: models } = connection.parse(CapabilitiesAnswer, REQUEST, reply);
    return {
      address,
      models: models.slice(0, 1000).map(({ model_name: name }) => name.slice(0, 500)),
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { address, models: [], problem: clipWords(error.message) };
  } finally {
    connection.close();
  }
}
