/** What scaffolds' tests show them. */
import type { Random } from '@/rl/random';
import type { EpisodeView, PastTurn } from '../scaffold';

/** A view before the first turn. */
export function viewOf(changes: Partial<EpisodeView> = {}): EpisodeView {
  return {
    goal: 'find the mug',
    past: [],
    observation: { text: 'You see a desk 1.', availableActions: ['go to desk 1', 'look'] },
    strategy: null,
    memory: null,
    ...changes,
  };
}

/** A past turn; turn `number` saw `Sight <number>.` */
export function pastTurn(
  number: number,
  reply: string,
  action: string,
  changes: Partial<PastTurn> = {},
): PastTurn {
  const observation = { text: `Sight ${number}.`, availableActions: ['go to desk 1', 'look'] };
  return { observation, reply, action, ...changes };
}

const PIECES = [
  ...[
    '<think>',
    '</think>',
    '<action>',
    '</action>',
    '<tool_call>',
    '</tool_call>',
    '<strategy>',
    '</strategy>',
  ],
  ...['<function=alfworld_step>', '<parameter=action>', '</parameter>', '</function>', '<|im_end|>'],
  ...[
    'Thought:',
    'Action:',
    '**Action:**',
    '{"name": "turn_left", "arguments": {}}',
    '{"name"',
    '{goal}',
    '{{',
    '}}',
  ],
  ...['"', "'", '\\', '`', '$&', '$1', '\n', '\r\n', '\t', ' ', '\0', '\x1c', '\x85', '\ufeff', '\u2028'],
  ...[
    '\ud800',
    '\udfff',
    '😀',
    'é',
    'İ',
    'ß',
    '走到',
    'و',
    '[',
    '('.repeat(200),
    'turn left',
    'go to desk 1',
    '',
  ],
];

/** A text of marks, tags, quotes, odd spaces and odd characters. */
export function hostileText(random: Random): string {
  return Array.from({ length: random.integer(12) }, () => random.pick(PIECES)).join('');
}
