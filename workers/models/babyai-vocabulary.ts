import { CARRIABLE_TYPES, COLORS } from '@/rl/environments/babyai/objects';

const NOUNS = [...CARRIABLE_TYPES, 'door', 'object'];
const DOOR_STATES = ['closed', 'open', 'locked'];

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/**
 * The phrases that cover AgentGym's BabyAI text and the demonstrations' thoughts. A whole phrase is one token, so a turn
 * is about 50 tokens instead of 600 bytes, and a colour with its noun is one, so finding the goal object is a match of
 * one token. A phrase carries the space before it; whatever no phrase covers is written in bytes.
 */
export function babyAiPhrases(): string[] {
  return [
    ...promptPhrases(),
    ...nounPhrases(),
    ...placePhrases(),
    ...actionPhrases(),
    ...answerPhrases(),
    ...replyPhrases(),
  ];
}

function promptPhrases(): string[] {
  return [
    'Your goal:',
    '\nLast actions:',
    ' none',
    ' the',
    ' a',
    ' and',
    ' in front of you',
    ' behind you',
    ' on your left',
    ' on your right',
  ];
}

function nounPhrases(): string[] {
  return [
    ...NOUNS.map((noun) => ` ${noun}`),
    ...COLORS.flatMap((color) => [
      ...NOUNS.map((noun) => ` ${color} ${noun}`),
      ...DOOR_STATES.map((state) => ` ${color} ${state} door`),
    ]),
    ...range(1, 9).map((ordinal) => ` ${ordinal}`),
  ];
}

function placePhrases(): string[] {
  return [
    '\nIn front of you in this room, you can see several objects:',
    '\nYou cannot see any objects within sight.',
    ' There is a',
    ...range(0, 6).flatMap((steps) => [
      ` ${steps} steps in front of you and`,
      ` right in front of you ${steps} steps away. `,
    ]),
    ...range(1, 3).flatMap((steps) => [` ${steps} steps to your right. `, ` ${steps} steps to your left. `]),
    ' The room has walls around you. ',
    'The room has walls around you. ',
    ' You are carrying a',
    ' You are not carrying anything.',
    'You are carrying a',
    'You are not carrying anything.',
    ...range(1, 6).flatMap((steps) => [
      `You are facing a wall ${steps} steps away. `,
      `You are facing a box ${steps} steps away. `,
    ]),
  ];
}

function actionPhrases(): string[] {
  return [
    ...[
      ' go to',
      ' pick up',
      ' pickup',
      ' open',
      ' put',
      ' next to',
      ' drop',
      ' toggle',
      ' turn left',
      ' turn right',
    ],
    ...[' move forward', ' go through', ' toggle and go through', ' check available actions'],
    '\nAvailable actions: ["turn left", "turn right"',
    ...['pickup', 'go to', 'go through', 'toggle and go through'].map((verb) => `, "${verb}`),
    ', "move forward"',
    ', "toggle"',
    ', "drop"',
    ', "check available actions"]',
    ...range(1, 9).map((ordinal) => ` ${ordinal}"`),
  ];
}

/** What the environment answers to an action it refuses. */
function answerPhrases(): string[] {
  return [
    '\nNo change in state.',
    '\nYou can take the following actions: ',
    '\nThe action is not recognized. Please check valid actions.',
    "\nThere is a barrier in front of you, you can't move forward.",
    '\nYou cannot drop the object, as you are not carrying anything.',
    '\nYou cannot drop the object, as there is already an object in front of you.',
    '\nYou cannot',
    ', as there is no path leading to it.',
    ', as it is closed. You should toggle it first.',
    ', as you are not carrying a key.',
    ', as the color of the key you are carrying does not match the color of door.',
  ];
}

function replyPhrases(): string[] {
  return [
    'Thought:',
    ' I see',
    ' I do not see',
    ' it.',
    ', so I look around.',
    ', so I try a door.',
    ' I need the key first.',
    ' My hands are full.',
    ' It should be near.',
    ' I am not sure.',
    ' Action:',
  ];
}
