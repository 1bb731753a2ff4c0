import type { ChatEndpoint, EndpointSettings } from '@/contract/endpoint';
import { endpointAnswersDir, secretVariable } from '../env';
import { AnswerStore } from './answer-store';
import type { Secret } from '../engines/tinker/secret';
import { ChatClient } from './chat-client';

/**
 * The endpoint of a run's config, with the key of this worker's environment; asked until `signal` aborts. Throws
 * `invalid_input` where the variable that the config names holds no key.
 */
export function openEndpoint(settings: EndpointSettings, signal: AbortSignal): ChatEndpoint {
  const apiKey = endpointKey(settings);
  return new ChatClient(settings, { apiKey, answers: new AnswerStore(endpointAnswersDir()), signal });
}

/** The key that the settings name, from this worker's environment; null where they name none. Throws where it is not there. */
export function endpointKey({ keyVariable }: EndpointSettings): Secret | null {
  return keyVariable === null ? null : secretVariable(keyVariable);
}
