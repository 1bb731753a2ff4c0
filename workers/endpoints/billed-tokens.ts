import type { ChatReply } from '@/contract/endpoint';
import type { TokenCounts } from '@/contract/engine';

/** Tokens that an API says it billed; NaN once it did not say. */
export class BilledTokens {
  private readonly used: TokenCounts = { prompt: 0, prefilled: 0, reused: 0, sampled: 0 };

  add(usage: ChatReply['usage']): void {
    const { promptTokens, cachedPromptTokens, replyTokens } = usage ?? {
      promptTokens: NaN,
      cachedPromptTokens: NaN,
      replyTokens: NaN,
    };
    this.used.prompt += promptTokens;
    this.used.prefilled += promptTokens - (cachedPromptTokens ?? 0);
    this.used.reused += cachedPromptTokens ?? NaN;
    this.used.sampled += replyTokens;
  }

  counts(): TokenCounts {
    return { ...this.used };
  }
}
