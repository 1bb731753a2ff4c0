import type { ChatMessage } from '@/contract/engine';
import type { Trajectory } from '@/contract/trajectory';
import type { EpisodeView, PastTurn, Scaffold } from './scaffolds/scaffold';

/** A call of a recorded trajectory, as the scaffold would write it. */
export interface ToldCall {
  /** The turn it belongs to: a memory to the turn it was written after. */
  turn: number;
  call: 'action' | 'memory';
  messages: ChatMessage[];
  reply: string;
}

/**
 * The calls of a trajectory told anew: its prompts by the scaffold, its replies as recorded. A memory is told where the scaffold
 * keeps one and the turn wrote a new one, by the text that was kept; the call that wrote a strategy is not told, for its
 * reply was not kept.
 */
export function toldCalls(trajectory: Trajectory, scaffold: Scaffold): ToldCall[] {
  const { goal, strategy, turns, success } = trajectory;
  const past: PastTurn[] = [];
  let memory: string | null = null;
  return turns.flatMap((turn, index): ToldCall[] => {
    const observation = { text: turn.observation, availableActions: turn.availableActions };
    const next = turns[index + 1];
    const before: EpisodeView = { goal, past: [...past], observation, strategy, memory };
    const acting: ToldCall = {
      turn: index,
      call: 'action',
      messages: scaffold.prompt(before),
      reply: turn.reply,
    };
    const result = { success: success === true && !next, done: !next };
    past.push({ observation, reply: turn.reply, action: turn.action, result });
    if (!scaffold.memoryCall || !next || turn.memory === null || turn.memory === memory) return [acting];
    const seen = { text: next.observation, availableActions: next.availableActions };
    const messages = scaffold.memoryCall.prompt({
      goal,
      past: [...past],
      observation: seen,
      strategy,
      memory,
    });
    memory = turn.memory;
    return [acting, { turn: index, call: 'memory', messages, reply: turn.memory }];
  });
}
