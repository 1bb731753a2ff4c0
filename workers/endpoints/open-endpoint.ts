import type { ChatEndpoint, EndpointSettings } from '@/contract/endpoint';
import { endpointAnswersDir, secretVariable } from '../env';
import { AnswerStore } from './answer-store';
import { ChatClient } from './chat-client';

/**
 * The endpoint of a run's config, with the key of this worker's environment; asked until `signal` aborts. Throws
 * `invalid_input` where the variable that the config names holds no key.
 */
export function openEndpoint(settings: EndpointSettings, signal: AbortSignal): ChatEndpoint {
  const apiKey = settings.keyVariable === null ? null : secretVariable(settings.keyVariable);
  return new ChatClient(settings, { apiKey, answers: new AnswerStore(endpointAnswersDir()), signal });
}
