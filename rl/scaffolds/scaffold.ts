import type { ChatMessage, ToolSpecification } from '@/contract/engine';
import type { Observation, StepResult } from '../environments/environment';

/** What a reply says. */
export interface ParsedReply {
  thought: string | null;
  /** As sent to the environment; empty where the reply held none that a scaffold's rules accept. */
  action: string;
  /** The reply kept the scaffold's format. */
  formatOk: boolean;
}

/** A turn as a scaffold remembers it. */
export interface PastTurn {
  observation: Observation;
  reply: string;
  action: string;
  /** What the environment said of it; absent where the turn is told and was not played. */
  result?: Pick<StepResult, 'success' | 'done'>;
}

/** What an agent has lived through when it is called. */
export interface EpisodeView {
  goal: string;
  past: readonly PastTurn[];
  /** What it sees now. */
  observation: Observation;
  /** What the strategy call wrote; null where there is none. */
  strategy: string | null;
  /** What the last memory call wrote; null where there is none yet. */
  memory: string | null;
}

/** A call that does not act: its text is kept and shown in later prompts. */
export interface NoteCall {
  prompt(view: EpisodeView): ChatMessage[];
  /** Where set, decoding is masked to these replies. */
  readonly replies?: readonly string[];
  /** The text to keep, or null where the reply broke the format: what was kept before then stays. */
  parse(reply: string): string | null;
  /** The reply that says a text, so that `parse` reads it back; absent where the text is its own reply. */
  write?(text: string): string;
}

/** How an episode becomes prompts and how a reply becomes an action. */
export interface Scaffold {
  readonly id: string;
  /**
   * `extends`: the next prompt continues the last one's tokens wherever the chat template lets it, so `prompt` gives the whole
   * conversation and each past reply is an assistant message, letter by letter. `rebuilt`: each turn is its own prompt
   * and datum.
   */
  readonly history: 'extends' | 'rebuilt';
  /** Tools the chat template is told of. */
  readonly tools?: readonly ToolSpecification[];
  /** The messages before the acting reply. */
  prompt(view: EpisodeView): ChatMessage[];
  parse(reply: string): ParsedReply;
  /**
   * The reply that says an action, so that `parse` reads it back. Throws `invalid_input` for an action that the scaffold
   * cannot say; absent where nothing is demonstrated through it.
   */
  write?(thought: string, action: string): string;
  /** What stands between thought and action in a reply, where decoding can be masked to offered actions after it. */
  readonly actionMarker?: string;
  /** Once, before the first turn. */
  readonly strategyCall?: NoteCall;
  /** After every turn that did not end the episode; its view holds that turn and what came of it. */
  readonly memoryCall?: NoteCall;
}
