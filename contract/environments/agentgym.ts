import { z } from 'zod';
import type { Split } from '../trajectory';

/** Environments of AgentGym whose servers can be played. */
export const AGENTGYM_GAMES = ['babyai', 'alfworld'] as const;
export type AgentGymGame = (typeof AGENTGYM_GAMES)[number];

/** Tasks in the fixed list of each split. AgentGym's ALFWorld serves no game of rooms that training has not seen. */
export const AGENTGYM_SPLIT_SIZES = {
  babyai: { train: 3600, valid_seen: 192, valid_unseen: 120 },
  alfworld: { train: 2420, valid_seen: 200, valid_unseen: 0 },
} as const satisfies Record<AgentGymGame, Record<Split, number>>;

/** An AgentGym environment server, by its address. Descriptions are the form's texts. */
export const AgentGymConfig = z.strictObject({
  id: z.literal('agentgym'),
  game: z.enum(AGENTGYM_GAMES).describe('Environment that the server was started with'),
  address: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port or https://host' })
    .max(300)
    .refine(isBare, 'expected an address without user name, password, query and #')
    .describe('Address of the server, as the worker reaches it'),
  timeoutS: z
    .number()
    .min(0.1)
    .max(300)
    .describe(
      'Seconds that the server may take for an answer; an episode that waits longer ends with an error',
    ),
  maxTurns: z.int().min(1).max(200).describe('Turns after which an episode ends'),
  compat: z
    .enum(['none', 'agentgym'])
    .describe('none: BabyAI’s late success ends the episode, paid once. agentgym: whatever the server says'),
});
export type AgentGymConfig = z.infer<typeof AgentGymConfig>;

/** The port is the one AgentGym-RL's scripts start servers on, the time-out the one of AgentGym's own client. */
export const AGENTGYM_DEFAULTS: AgentGymConfig = {
  id: 'agentgym',
  game: 'babyai',
  address: 'http://127.0.0.1:36005',
  timeoutS: 300,
  maxTurns: 20,
  compat: 'none',
};

/** Nothing in the address is a secret, and a route can follow it. Another check says whether it is an address. */
function isBare(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}
