import type { ChatMessage } from '@/contract/engine';
import type { Observation } from '@/rl/environments/environment';

/** What a reply says. */
export interface ParsedReply {
  thought: string | null;
  /** As sent to the environment; empty where the reply held none or more than one. */
  action: string;
  /** The reply held exactly one action. */
  formatOk: boolean;
}

/** A turn as a scaffold remembers it. */
export interface PastTurn {
  observation: Observation;
  reply: string;
  action: string;
}

/** How an episode becomes prompts and how a reply becomes an action. */
export interface Scaffold {
  readonly id: string;
  /** `extends`: the next prompt continues the last one's tokens. `rebuilt`: each turn is its own prompt and datum. */
  readonly history: 'extends' | 'rebuilt';
  prompt(goal: string, past: readonly PastTurn[], observation: Observation): ChatMessage[];
  parse(reply: string): ParsedReply;
}
