import type { CallTokens } from '@/rl/call-tokens';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import type { RunSetup } from './setup';

/** A call of an episode, and whether its reply keeps the scaffold's format. */
export interface JudgedReply {
  call: CallTokens;
  isWellFormed: boolean;
}

/** The calls of an episode, in their order. */
export function repliesOf(
  calls: readonly CallTokens[],
  { scaffold, context: { engine } }: Pick<RunSetup, 'scaffold' | 'context'>,
): JudgedReply[] {
  return calls.map((call) => {
    const last = call.reply[call.reply.length - 1];
    const isEnded = last !== undefined && engine.stopTokens.includes(last);
    const text = engine.tokenizer.decode(isEnded ? call.reply.slice(0, -1) : call.reply);
    return { call, isWellFormed: keepsFormat(scaffold, call.call, text) };
  });
}

/** Whether a text is what the scaffold asks of such a call. */
export function keepsFormat(scaffold: Scaffold, call: CallTokens['call'], text: string): boolean {
  switch (call) {
    case 'action':
      return scaffold.parse(text).formatOk;
    case 'strategy':
      return (scaffold.strategyCall?.parse(text) ?? null) !== null;
    case 'memory':
      return (scaffold.memoryCall?.parse(text) ?? null) !== null;
  }
}
