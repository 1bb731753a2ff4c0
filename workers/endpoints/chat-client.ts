import type { ChatEndpoint, ChatReply, ChatRequest, EndpointSettings } from '@/contract/endpoint';
import type { TokenCounts } from '@/contract/engine';
import type { Secret } from '../engines/tinker/secret';
import type { AnswerStore } from './answer-store';
import { BilledTokens } from './billed-tokens';
import { chatBody, readChatAnswer } from './chat-wire';
import { EndpointClient } from './endpoint-client';

const ROUTE = 'chat/completions';

interface ChatClientParts {
  apiKey: Secret | null;
  answers: AnswerStore;
  /** Ends every wait; its reason is what `chat` throws then. */
  signal: AbortSignal;
}

/** Chats with one model of an OpenAI-compatible API. Errors name address and status; the key is in none. */
export class ChatClient implements ChatEndpoint {
  private readonly client: EndpointClient;
  private readonly billed = new BilledTokens();

  constructor(
    readonly settings: EndpointSettings,
    private readonly parts: ChatClientParts,
  ) {
    this.client = new EndpointClient(settings, parts.apiKey, parts.signal);
  }

  get trouble(): string | null {
    return this.client.trouble;
  }

  troubleChanged(): Promise<void> {
    return this.client.troubleChanged();
  }

  counts(): TokenCounts {
    return this.billed.counts();
  }

  async chat(request: ChatRequest): Promise<ChatReply> {
    const { answers } = this.parts;
    const url = this.client.urlOf(ROUTE);
    const body = chatBody(this.settings.model, request);
    const known = await answers.find(url, body);
    if (known) return known;
    const reply = await this.client.ask({
      route: ROUTE,
      body,
      what: 'chat completion',
      read: readChatAnswer,
    });
    this.billed.add(reply.usage);
    await answers.keep(url, body, reply);
    return reply;
  }
}
