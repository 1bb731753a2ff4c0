import type { Trajectory, Turn } from '@/contract/trajectory';
import { parseLastAction, parseThoughtAction } from '@/rl/scaffolds/thought-action';

/** One message of a chat: what the environment said, or what the agent wrote. */
export interface Message {
  by: 'environment' | 'agent';
  text: string;
}

/** What is known of a played episode beside its messages. */
export interface RecordedEpisode {
  taskId: string;
  taskType: string;
  /** Null where the log does not state it. */
  reward: number | null;
  success: boolean | null;
  /** Which action parser its environment has: AgentGym's for BabyAI, or the plain last `Action:`. */
  actions: 'babyai' | 'last-action' | 'whole-reply';
  stopReason: Trajectory['stopReason'];
}

const LIST = /\n?Available actions: \[([\s\S]*)\]\s*$/;
const REFUSAL = /^You cannot (?!see any)|^There is a barrier|not recognized|^Nothing happens/;
const GOAL = /Your (?:goal|task is to):? ?([^\n]+)/;

/** Every field of a trajectory that a log of messages leaves open, as not recorded. */
const UNRECORDED = {
  group: null,
  sample: 0,
  decoding: 'sampled',
  seed: null,
  shapedReward: null,
  advantage: null,
  givenTurns: 0,
  promptTokens: null,
  replyTokens: null,
  prefilledTokens: null,
  trainedTokens: null,
  evaluation: null,
  error: null,
  strategy: null,
  finalPicture: null,
} as const satisfies Partial<Trajectory>;

/** The fixed fields of a turn that a log of messages does not record. */
const UNRECORDED_TURN = {
  prompt: null,
  memory: null,
  promptTokens: null,
  replyTokens: null,
  tokens: null,
  picture: null,
  stateHash: null,
} as const satisfies Partial<Turn>;

/**
 * A trajectory from the messages of an episode, beginning with its first observation. The reward stands at the last turn, since
 * logs of messages state one an episode, and none of the turns before. An agent's message without an observation before it has an empty one.
 */
export function conversationTrajectory(
  messages: readonly Message[],
  episode: RecordedEpisode,
  place: Pick<Trajectory, 'step' | 'phase' | 'split'>,
): Trajectory {
  const exchanges = exchangesOf(messages);
  const first = exchanges[0]?.observation ?? messages[0]?.text ?? '';
  const turns = exchanges.map(({ observation, reply }, index): Turn => {
    const { text, actions } = splitList(observation);
    const { thought, action, formatOk } = parseReply(reply, episode.actions);
    const answer = exchanges[index + 1]?.observation ?? finalObservation(messages);
    const isLast = index === exchanges.length - 1;
    return {
      ...UNRECORDED_TURN,
      index,
      observation: text,
      availableActions: actions,
      reply,
      thought,
      action,
      formatOk,
      admissible: actions.includes(action),
      valid: answer === null || !REFUSAL.test(answer),
      reward: isLast ? episode.reward : null,
    };
  });
  const { taskId, taskType, reward, success, stopReason } = episode;
  const ending = finalObservation(messages);
  return {
    ...UNRECORDED,
    ...place,
    taskId,
    taskType,
    goal: GOAL.exec(first)?.[1]?.trim() ?? first.split('\n')[0]?.slice(0, 300) ?? '',
    reward,
    success,
    stopReason: turns.length === 0 ? 'error' : stopReason,
    error: turns.length === 0 ? { stage: 'import', message: 'the log holds no turn of this episode' } : null,
    turnsCount: turns.length,
    invalidActions: turns.filter(({ valid }) => !valid).length,
    flags: ['imported'],
    turns,
    finalObservation: ending === null ? null : splitList(ending).text,
  };
}

/** What the environment said last, where the agent gave no reply to it; null where the agent had the last word. */
export function finalObservation(messages: readonly Message[]): string | null {
  const last = messages.at(-1);
  return last?.by === 'environment' ? last.text : null;
}

function exchangesOf(messages: readonly Message[]): { observation: string; reply: string }[] {
  const exchanges: { observation: string; reply: string }[] = [];
  let observation = '';
  for (const { by, text } of messages) {
    if (by === 'environment') observation = observation === '' ? text : `${observation}\n${text}`;
    else {
      exchanges.push({ observation, reply: text });
      observation = '';
    }
  }
  return exchanges;
}

/** An observation without the list at its end, and the actions of that list. */
function splitList(observation: string): { text: string; actions: string[] } {
  const found = LIST.exec(observation);
  if (!found) return { text: observation, actions: [] };
  const actions = [...(found[1] ?? '').matchAll(/["']([^"']*)["']/g)].map((match) => match[1] ?? '');
  return { text: observation.slice(0, found.index), actions };
}

function parseReply(reply: string, actions: RecordedEpisode['actions']) {
  switch (actions) {
    case 'babyai':
      return parseThoughtAction(reply);
    case 'last-action':
      return parseLastAction(reply);
    case 'whole-reply':
      return { thought: null, action: reply.trim(), formatOk: reply.trim() !== '' };
  }
}
