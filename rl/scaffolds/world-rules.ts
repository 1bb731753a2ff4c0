import type { ScaffoldConfigOf } from '@/contract/scaffolds';

/** What an agent is told of the world it acts in, in our own words. */
export const WORLD_RULES: Record<ScaffoldConfigOf<'react'>['rules'], string> = {
  none: '',
  babyai: `You are in a grid of rooms and see only what is ahead of you. Things of the same kind are told apart by a number, counted anew in each observation. These are the forms of the actions:
- turn left, turn right: turn where you stand
- move forward: one cell ahead
- go to <thing> <number>: walk to where you face it
- pickup <thing> <number>: walk to it and take it; you can carry one thing
- drop: put what you carry into the cell ahead
- go through <door> <number>: walk into an open door
- toggle and go through <door> <number>: open a closed door, or a locked one whose colour your key has, and walk into it
- toggle: open or close the door you face`,
  'babyai-text': `You are in a grid of cells and see only what is ahead of you; distances are told in steps forward and to your side. These are the actions:
- turn left, turn right: turn where you stand
- go forward: one cell ahead, where nothing blocks it
- pick up: take what is in the cell ahead; you can carry one thing
- drop: put what you carry into the cell ahead
- toggle: open or close the door ahead; a locked one needs the key of its colour in your hand`,
  household: `You are in a home with places that can hold things, such as cabinets, tables and a fridge. You are at one place at a time and must go to a place before you see or reach what it holds; a closed one must be opened first. You can carry one thing. Things are cleaned at a sinkbasin, heated with a microwave and cooled with a fridge; to look at a thing under a lamp, carry it and use the lamp. Names end in a number, which belongs to the name. "Nothing happens." says that an action was not possible.`,
};
