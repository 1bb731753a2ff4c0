import { GOAL_WORDINGS, MOST_OF_A_KIND } from '@/rl/environments/household/goal';
import { LAMP_KIND, OBJECT_KINDS, RECEPTACLE_KINDS, TREATMENTS } from '@/rl/environments/household/kinds';
import { TRAINING_ROOMS } from '@/rl/environments/household/rooms';
import { THOUGHT_WORDINGS, TREATED_WORDS } from '@/rl/environments/household/thoughts';

/**
 * The phrases that cover the household's text and the demonstrations' thoughts. A receptacle's name is one token wherever
 * it stands, and so is an object's kind, in the goal as in an observation, so that finding the object is a match of one
 * token; so is what stands between two names. A phrase carries the space before it; whatever no phrase covers is written
 * in bytes.
 */
export function householdPhrases(): string[] {
  return [...namePhrases(), ...goalPhrases(), ...actionPhrases(), ...observationPhrases(), ...replyPhrases()];
}

function namePhrases(): string[] {
  const receptacles = new Set(TRAINING_ROOMS.flatMap((room) => room.receptacles.map(({ name }) => name)));
  return [
    ...[...receptacles, ...OBJECT_KINDS.map(({ name }) => name), LAMP_KIND].map((name) => ` ${name}`),
    ...Array.from({ length: MOST_OF_A_KIND }, (_, index) => ` ${index + 1}`),
  ];
}

/** What stands around the capitals of a wording, each part with the space before it. */
function partsOf(wording: string): string[] {
  return ` ${wording}`.split(/ [A-Z]{2,}/).filter((part) => part !== '');
}

function goalPhrases(): string[] {
  return [
    'Your goal:',
    ...Object.values(GOAL_WORDINGS).flat().flatMap(partsOf),
    ...['in', 'on'].flatMap((preposition) => [` ${preposition} the`, ` ${preposition} one`]),
    ...RECEPTACLE_KINDS.map(({ name }) => ` ${name}.`),
    ...GOAL_WORDINGS.examine_in_light.flatMap(partsOf).map((part) => `${part}.`),
    '\n\nYour task is to:',
  ];
}

/** Words of actions up to a name, as replies and past actions write them, and as the list of available ones does. */
function actionPhrases(): string[] {
  const verbs = ['go to', 'open', 'close', 'examine', 'take', 'move', 'put', 'use', ...TREATMENTS];
  const whole = ['inventory", "look', 'inventory', 'look'];
  const first = [...verbs, ...whole];
  return [
    ...first.map((words) => ` ${words}`),
    ...['from', 'to', 'with', 'in'].map((word) => ` ${word}`),
    '\nLast actions:',
    ' none',
    ...first.map((words) => `\nAvailable actions: ["${words}`),
    ...first.map((words) => `", "${words}`),
    '"]',
  ];
}

function observationPhrases(): string[] {
  return [
    '\nYou stand in the middle of the room. Around you:',
    '\nYou stand at the',
    '\nYou walk to the',
    '\nYou open the',
    '\nYou close the',
    '\nYou take the',
    '\nYou move the',
    ...TREATMENTS.map((treatment) => `\nYou ${treatment} the`),
    '\nYou light the',
    '\nYou carry',
    '\nYou carry nothing.',
    '\nNothing happens.',
    '\nThe',
    '\nOn the',
    '\nIn the',
    '. On the',
    '. In the',
    '. The',
    ' from the',
    ' to the',
    ' in the',
    ' on the',
    ' nothing.',
    ' is closed.',
    ' is as it was.',
    ...['clean', 'hot', 'cold', 'clean and hot', 'clean and cold'].map((state) => ` is ${state}.`),
  ];
}

function replyPhrases(): string[] {
  return [
    'Thought:',
    ' Action:',
    ...Object.values(THOUGHT_WORDINGS).flat().flatMap(partsOf),
    ...Object.values(TREATED_WORDS).map((word) => ` ${word}`),
  ];
}
