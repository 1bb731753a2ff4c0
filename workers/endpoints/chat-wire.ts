/** Chat completions as OpenAI-compatible APIs write them. */
import { z } from 'zod';
import type { ChatReply, ChatRequest, EndpointMessage } from '@/contract/endpoint';

/** Largest seed that every API takes. */
export const MOST_SEED = 2 ** 31;

const ToolCall = z.object({
  id: z.string().default(''),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const Message = z.object({
  content: z.string().nullish(),
  // OpenRouter and vLLM's newer versions say `reasoning`.
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  tool_calls: z.array(ToolCall).nullish(),
});

export const Usage = z.object({
  prompt_tokens: z.int().nonnegative(),
  completion_tokens: z.int().nonnegative(),
  prompt_tokens_details: z.object({ cached_tokens: z.int().nonnegative().nullish() }).nullish(),
});

const ChatAnswer = z.object({
  choices: z.array(z.object({ message: Message, finish_reason: z.string().nullish() })).min(1),
  usage: Usage.nullish(),
});

/** The body of a request; equal requests have equal bodies, letter by letter. */
export function chatBody(model: string, request: ChatRequest): string {
  const { messages, tools, maxTokens, temperature, topP = 1, seed } = request;
  return JSON.stringify({
    model,
    messages: messages.map(wireMessage),
    ...(tools?.length && { tools }),
    max_tokens: maxTokens,
    temperature,
    ...(topP < 1 && { top_p: topP }),
    seed: seed % MOST_SEED,
    stream: false,
  });
}

function wireMessage({ role, content, name, reasoning, toolCalls, toolCallId }: EndpointMessage) {
  return {
    role,
    content,
    ...(name !== undefined && { name }),
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(toolCalls?.length && {
      tool_calls: toolCalls.map(({ id, name: called, arguments: given }) => ({
        id,
        type: 'function',
        function: { name: called, arguments: given },
      })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
  };
}

/** Reads an answer. Throws a `ZodError` where it is no chat completion. */
export function readChatAnswer(value: unknown): ChatReply {
  const { choices, usage } = ChatAnswer.parse(value);
  const { message, finish_reason } = choices[0] ?? { message: {}, finish_reason: null };
  return {
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning ?? null,
    toolCalls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
      id,
      name,
      arguments: given,
    })),
    stopReason: finish_reason === 'length' ? 'length' : 'stop',
    usage: usage ? billedOf(usage) : null,
  };
}

/** What an API says that it billed. */
export function billedOf(usage: z.infer<typeof Usage>): NonNullable<ChatReply['usage']> {
  return {
    promptTokens: usage.prompt_tokens,
    cachedPromptTokens: usage.prompt_tokens_details?.cached_tokens ?? null,
    replyTokens: usage.completion_tokens,
  };
}
