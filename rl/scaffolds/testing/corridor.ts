/** A tiny world, tokenizer and responder, to play scaffolds through `rl/play`. */
import type { ChatMessage, Tokenizer } from '@/contract/engine';
import type { Environment, Episode, Task } from '../../environments/environment';
import { playEpisodes, type PlayedEpisode } from '../../play';
import type { Scaffold } from '../scaffold';

/** Ends a message. No character has this code, so no text holds it. */
const END = 0xffff;

/** A token is a UTF-16 code unit. */
export const unitTokenizer: Tokenizer = {
  vocabularySize: END + 1,
  encode: (text) => Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
  decode: (ids) => ids.map((id) => String.fromCharCode(id)).join(''),
  specialId: () => END,
  renderChat: (messages) => `${messages.map(writtenMessage).join('')}assistant:`,
  encodeChat: (messages) => unitTokenizer.encode(unitTokenizer.renderChat(messages)),
};

function writtenMessage({ role, content }: ChatMessage): string {
  return `${role}:${content}${String.fromCharCode(END)}`;
}

/** As many turns as `length`, each with its own observation; every action is taken. */
export interface Corridor extends Task {
  length: number;
}

export const corridor: Environment<Corridor> = {
  id: 'corridor',
  version: '1',
  options: {},
  start(task): Episode<Corridor> {
    const actions: string[] = [];
    const observe = () => ({
      text: `Door ${actions.length}.`,
      availableActions: ['turn left', 'go forward'],
    });
    return {
      task,
      goal: 'leave',
      observe,
      step(action) {
        actions.push(action);
        const done = actions.length === task.length;
        return { observation: observe(), reward: 0, done, truncated: false, success: done, valid: true };
      },
      picture: () => null,
      stateHash: () => null,
      snapshot: () => ({ task, actions }),
    };
  },
};

interface PlayOptions {
  turns?: number;
  isCut?: (call: number) => boolean;
  /** Whether the record keeps its tokens. */
  records?: boolean;
  tokenizer?: Tokenizer;
  /** Name of the token that ends a message. */
  end?: string;
}

/**
 * Plays `turns` turns, one for each reply unless said otherwise. Replies answer the calls in order; a cut one lacks the
 * token that ends it, as at the length limit.
 */
export async function playReplies(
  scaffold: Scaffold,
  replies: readonly string[],
  {
    turns = replies.length,
    isCut = () => false,
    records = false,
    tokenizer = unitTokenizer,
    end = '',
  }: PlayOptions = {},
): Promise<PlayedEpisode> {
  const endToken = tokenizer.specialId(end);
  let call = 0;
  const { episodes } = await playEpisodes<Corridor>(
    [
      {
        task: { id: 'corridor/1', taskType: 'leave', split: 'train', length: turns },
        group: null,
        sample: 0,
        seed: 1,
      },
    ],
    {
      environment: corridor,
      scaffold,
      tokenizer,
      stopTokens: [endToken],
      respond: (pending) =>
        Promise.resolve(
          pending.map(() => {
            const ids = tokenizer.encode(replies[call] ?? '');
            const tokens = isCut(call++) ? ids : [...ids, endToken];
            return { tokens, logprobs: tokens.map(() => -1), stopReason: 'stop' as const };
          }),
        ),
      lanes: 1,
      maxPromptTokens: 1_000_000,
      step: 0,
      phase: 'train',
      decoding: 'sampled',
      records: () => records,
      clock: () => 0,
    },
  );
  const [episode] = episodes;
  if (!episode) throw new Error('the corridor was not played');
  return episode;
}
