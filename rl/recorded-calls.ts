import { AppError } from '@/contract/errors';
import type { Trajectory, Turn } from '@/contract/trajectory';
import type { CallTokens } from './call-tokens';
import { promptIds, type CallIds, type Reader } from './conversation-ids';
import type { EpisodeView, NoteCall } from './scaffolds/scaffold';
import { toldCalls } from './told-calls';

/**
 * The calls of a recorded trajectory as ids: prompts written anew by the scaffold, replies as they were recorded. A
 * strategy and memories come by the texts that were kept of them. Throws `invalid_input` where a turn's tokens were not
 * recorded, where the tokenizer writes other texts for them, and where a prompt comes out longer or shorter than it was:
 * the scaffold, its template or the tokenizer are then not those that played it.
 */
export function recordedCalls(trajectory: Trajectory, reader: Reader): CallTokens[] {
  const { scaffold } = reader;
  let last: CallIds | null = null;
  const acting = toldCalls(trajectory, scaffold).filter(({ call }) => call === 'action');
  const turns = acting.flatMap(({ turn: index, messages }): CallTokens[] => {
    const turn = trajectory.turns[index];
    if (!turn) return [];
    const tokens = requireTokens(turn, reader);
    const { ids: prompt } = promptIds(messages, last, reader);
    if (prompt.length !== turn.promptTokens)
      throw new AppError(
        'invalid_input',
        `the prompt of turn ${index} comes out at ${prompt.length} tokens, ${turn.promptTokens} were recorded: scaffold, template or tokenizer are not those that played it`,
      );
    const reply = tokens.ids;
    if (scaffold.history === 'extends') last = { prompt, reply };
    const call: CallTokens = {
      call: 'action',
      prompt,
      reply,
      logprobs: tokens.logprobs.map((logprob) => logprob ?? NaN),
    };
    return [call, ...memoryAfter(trajectory, index, reader)];
  });
  return [...strategyOf(trajectory, reader), ...turns];
}

function requireTokens(turn: Turn, { tokenizer }: Reader): NonNullable<Turn['tokens']> {
  const { index, tokens } = turn;
  if (!tokens)
    throw new AppError('invalid_input', `the tokens of turn ${index} were not recorded, its text alone was`);
  const other = tokens.ids.findIndex((id, i) => !isWritten(tokenizer, id, tokens.texts[i]));
  if (other !== -1)
    throw new AppError(
      'invalid_input',
      `token ${tokens.ids[other]} of turn ${index} was recorded as ${JSON.stringify(tokens.texts[other])}, which this tokenizer does not write: it is another one`,
    );
  return tokens;
}

function isWritten(tokenizer: Reader['tokenizer'], id: number, text: string | undefined): boolean {
  return id < tokenizer.vocabularySize && tokenizer.decode([id]) === text;
}

function strategyOf({ goal, strategy, turns }: Trajectory, reader: Reader): CallTokens[] {
  const first = turns[0];
  const { strategyCall } = reader.scaffold;
  if (!strategyCall || !first) return [];
  const view: EpisodeView = {
    goal,
    past: [],
    observation: { text: first.observation, availableActions: first.availableActions },
    strategy: null,
    memory: null,
  };
  return [note('strategy', strategyCall, view, strategy, reader)];
}

/** The memory that was in view after a turn, whether or not that turn wrote it anew. */
function memoryAfter({ goal, strategy, turns }: Trajectory, index: number, reader: Reader): CallTokens[] {
  const { memoryCall } = reader.scaffold;
  const [turn, next] = [turns[index], turns[index + 1]];
  if (!memoryCall || !turn || !next || turn.memory === null) return [];
  const view: EpisodeView = {
    goal,
    past: turns.slice(0, index + 1).map(({ observation, availableActions, reply, action }) => ({
      observation: { text: observation, availableActions },
      reply,
      action,
    })),
    observation: { text: next.observation, availableActions: next.availableActions },
    strategy,
    memory: turns[index - 1]?.memory ?? null,
  };
  return [note('memory', memoryCall, view, turn.memory, reader)];
}

/** A call by the text that was kept of it; one whose reply broke the format keeps none. */
function note(
  call: 'strategy' | 'memory',
  { prompt, write }: NoteCall,
  view: EpisodeView,
  text: string | null,
  { tokenizer, scaffold }: Reader,
): CallTokens {
  const reply = text === null ? [] : tokenizer.encode(write?.(text) ?? text);
  return {
    call,
    prompt: tokenizer.encodeChat(prompt(view), scaffold.tools),
    reply,
    logprobs: reply.map(() => NaN),
  };
}
