/** Models behind an OpenAI-compatible API: judges, teachers, and closed models that are evaluated. */
import { z } from 'zod';
import { TokenPrices } from './cost';
import type { ChatMessage, TokenCounts, ToolSpecification } from './engine';

/** What an endpoint charges: nothing is trained there. */
export const EndpointPrices = TokenPrices.omit({ trainPerMillion: true });
export type EndpointPrices = z.infer<typeof EndpointPrices>;

/** An OpenAI-compatible API and how it is asked. Descriptions are the form's texts. */
export const EndpointSettings = z.strictObject({
  address: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port/v1 or https://host/v1' })
    .refine(
      (url) => !/[?#@]/.test(url),
      'expected no user name, query or #: the key has a variable of its own',
    )
    .describe('Base address of an OpenAI-compatible API, such as https://host/v1; the route is added'),
  model: z.string().min(1, 'expected a model').max(200).describe('The model, as the API calls it'),
  // A config that could name any variable could have any secret of a worker sent anywhere.
  keyVariable: z
    .string()
    .regex(
      /^STEPSCOPE_ENDPOINT_KEY(_[A-Z0-9_]+)?$/,
      'expected STEPSCOPE_ENDPOINT_KEY, or a name that begins with STEPSCOPE_ENDPOINT_KEY_',
    )
    .nullable()
    .default(null)
    .describe('Variable of the worker’s environment that holds the key; none = no key is sent'),
  concurrency: z.int().min(1).max(64).default(4).describe('Requests at a time'),
  timeoutS: z.number().min(0.1).max(3600).default(120).describe('Seconds that an answer may take'),
  triesBeforePause: z
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe(
      'Failed tries of a request after which the run is shown as paused; it is tried on all the same',
    ),
  prices: EndpointPrices.nullable()
    .default(null)
    .describe('What the endpoint charges; none = tokens are counted and not priced'),
});
export type EndpointSettings = z.infer<typeof EndpointSettings>;

/** A call of a tool; `arguments` is JSON, as the model wrote it. */
export interface EndpointToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** A message as the API has it, with what a model said beside its text. */
export interface EndpointMessage extends ChatMessage {
  /** Of an assistant's message: its thinking, given back to it. */
  reasoning?: string;
  toolCalls?: readonly EndpointToolCall[];
  /** Of a tool message: the call that it answers. */
  toolCallId?: string;
}

export interface ChatRequest {
  messages: readonly EndpointMessage[];
  tools?: readonly ToolSpecification[];
  maxTokens: number;
  temperature: number;
  /** 1 or unset = all. */
  topP?: number;
  /** Sent along; equal requests have one answer, so that another try of the same has to have another seed. */
  seed: number;
}

export interface ChatReply {
  content: string;
  /** Thinking that the API gives apart from the text; null where it gives none. */
  reasoning: string | null;
  toolCalls: readonly EndpointToolCall[];
  stopReason: 'stop' | 'length';
  /** Tokens that the reply was billed for; null where the API does not say. */
  usage: { promptTokens: number; cachedPromptTokens: number | null; replyTokens: number } | null;
}

/** Whether something that a run asks keeps it waiting. */
export interface OutageNotice {
  /** Why a request is waited for that was tried in vain so often as the settings say; null where none is. */
  readonly trouble: string | null;
  /** Resolves when `trouble` next changes. */
  troubleChanged(): Promise<void>;
}

/** An endpoint that a run asks. */
export interface ChatEndpoint extends OutageNotice {
  readonly settings: EndpointSettings;
  /**
   * Asks until there is an answer: an endpoint that is down, slow, limited or answers nonsense is asked again for as long
   * as that takes. An equal request that was answered before is not sent. Throws, by address and status, what cannot
   * pass, of it `too_large` for a prompt that the API says is longer than the model's context, and the signal's reason once the run is stopped.
   */
  chat(request: ChatRequest): Promise<ChatReply>;
  /** Tokens billed since it was opened; NaN where the API does not say. Answers known from before count nothing. */
  counts(): TokenCounts;
}
