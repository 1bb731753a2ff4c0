import type { TemplateParts } from '../prompt-template';

/** The parts of a judge's prompt that a config's `judge.template` may replace. */
export const JUDGE_PARTS = {
  system: { about: 'System message: what is judged, and the form of the answer', placeholders: [] },
  prompt: { about: 'Message of the user', placeholders: ['goal', 'turns', 'outcome', 'turn_number', 'turn'] },
  turn: { about: 'One turn of the trajectory', placeholders: ['number', 'observation', 'reply', 'action'] },
  won: { about: 'Outcome: the goal was reached', placeholders: ['observation'] },
  lost: { about: 'Outcome: it was not', placeholders: ['observation'] },
} as const satisfies TemplateParts;
