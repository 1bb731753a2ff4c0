import { z } from 'zod';
import { templateSchema, type TemplateParts } from './prompt-template';
import {
  HISTORY_10_PARTS,
  LAB_TOOL_PARTS,
  MEMORY_ACTION_PARTS,
  REACT_PARTS,
  RECENT_ACTIONS_PARTS,
  STRATA_PARTS,
  TOOL_CALL_PARTS,
  VERL_AGENT_PARTS,
  WORKING_MEMORY_PARTS,
} from './scaffold-templates';

/** Longest list of past turns in a rebuilt prompt. */
const MOST_HISTORY_TURNS = 50;

function template<Parts extends TemplateParts>(parts: Parts) {
  return templateSchema(parts)
    .optional()
    .describe('Texts that replace the scaffold’s own, for a checkpoint trained with another prompt');
}

/** The goal, the last actions, the observation and the available actions, written anew each turn. */
const RecentActionsConfig = z.strictObject({
  id: z.literal('recent-actions'),
  recentActions: z.int().min(0).max(20).describe('Past actions in the prompt'),
  template: template(RECENT_ACTIONS_PARTS),
});

/** Worlds whose rules the `react` instructions can tell. */
const WORLDS = ['none', 'babyai', 'babyai-text', 'household'] as const;

/** A chat of thoughts and actions in plain text. */
const ReactConfig = z.strictObject({
  id: z.literal('react'),
  rules: z.enum(WORLDS).describe('The world whose rules the instructions tell'),
  parser: z
    .enum(['one-action', 'last-action'])
    .describe('one-action: a reply with several actions has none (BabyAI). last-action: its last (ALFWorld)'),
  actionList: z.enum(['every-turn', 'first-turn', 'never']).describe('Turns that list the available actions'),
  template: template(REACT_PARTS),
});

const toolName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'expected a letter, then letters, digits, _ or -, 64 at most')
  .optional();

const TOOL_NAMES = {
  turnLeft: 'turn_left',
  turnRight: 'turn_right',
  goForward: 'go_forward',
  pickUp: 'pick_up',
  drop: 'drop',
  toggle: 'toggle',
} as const;
export type ToolId = keyof typeof TOOL_NAMES;

const toolNames = z
  .strictObject({
    turnLeft: toolName,
    turnRight: toolName,
    goForward: toolName,
    pickUp: toolName,
    drop: toolName,
    toggle: toolName,
  })
  .refine((names) => new Set(Object.values(namedTools(names))).size === Object.keys(TOOL_NAMES).length, {
    message: 'expected six different names',
  })
  .optional()
  .describe('Names that replace the tools’ own, for a checkpoint trained with others');

/** The name of each of the six tools. */
export function namedTools(names: Partial<Record<ToolId, string | undefined>> = {}): Record<ToolId, string> {
  const { turnLeft, turnRight, goForward, pickUp, drop, toggle } = names;
  return {
    turnLeft: turnLeft ?? TOOL_NAMES.turnLeft,
    turnRight: turnRight ?? TOOL_NAMES.turnRight,
    goForward: goForward ?? TOOL_NAMES.goForward,
    pickUp: pickUp ?? TOOL_NAMES.pickUp,
    drop: drop ?? TOOL_NAMES.drop,
    toggle: toggle ?? TOOL_NAMES.toggle,
  };
}

/** A chat of tool calls and tool responses, with thinking between them. */
const ToolCallConfig = z.strictObject({
  id: z.literal('tool-call'),
  historyTurns: z
    .int()
    .min(1)
    .max(MOST_HISTORY_TURNS)
    .optional()
    .describe('Past turns that the chat holds; none = all'),
  toolNames,
  template: template(TOOL_CALL_PARTS),
});

/** One tool call a turn; the last ten calls and what came of them stand in the message of the user. */
const History10Config = z.strictObject({
  id: z.literal('history-10'),
  toolNames,
  template: template(HISTORY_10_PARTS),
});

const historyTurns = z.int().min(0).max(MOST_HISTORY_TURNS).describe('Past turns in the prompt');

/** Two calls a turn: the action from the last memory and the last turns, then the memory from the same. */
const WorkingMemoryConfig = z.strictObject({
  id: z.literal('working-memory'),
  historyTurns,
  toolNames,
  template: template(WORKING_MEMORY_PARTS),
});

/** One call a turn that writes the memory and acts; the next prompt shows that memory and the last turns. */
const MemoryActionConfig = z.strictObject({
  id: z.literal('memory-action'),
  historyTurns,
  toolNames,
  template: template(MEMORY_ACTION_PARTS),
});

/** One message of the user a turn, as verl-agent writes it: `<think>`, then `<action>`. */
const VerlAgentConfig = z.strictObject({
  id: z.literal('verl-agent'),
  historyTurns,
  template: template(VERL_AGENT_PARTS),
});

/** A chat of calls of one tool, `alfworld_step`. */
const LabToolConfig = z.strictObject({
  id: z.literal('lab-tool'),
  actionList: z.boolean().describe('Whether every message lists the available actions'),
  template: template(LAB_TOOL_PARTS),
});

/** A strategy before the first turn, then one `<action>` a turn. */
const StrataConfig = z.strictObject({
  id: z.literal('strata'),
  historyTurns,
  template: template(STRATA_PARTS),
});

/** Recent actions, with a strategy of a list before the first turn: for models too small to write their own. */
const ListedStrategiesConfig = z.strictObject({
  id: z.literal('listed-strategies'),
  recentActions: z.int().min(0).max(20).describe('Past actions in the prompt'),
  strategies: z
    .array(z.strictObject({ strategy: z.string().trim().min(1, 'expected a text').max(200) }))
    .min(2)
    .max(64)
    .refine((list) => new Set(list.map(({ strategy }) => strategy)).size === list.length, {
      message: 'expected each strategy once',
    })
    .describe('Strategies to choose from'),
  template: template(RECENT_ACTIONS_PARTS),
});

/** How an episode becomes prompts and how a reply becomes an action. Descriptions are the form's texts. */
export const ScaffoldConfig = z.discriminatedUnion('id', [
  RecentActionsConfig,
  ReactConfig,
  ToolCallConfig,
  History10Config,
  WorkingMemoryConfig,
  MemoryActionConfig,
  VerlAgentConfig,
  LabToolConfig,
  StrataConfig,
  ListedStrategiesConfig,
]);
export type ScaffoldConfig = z.infer<typeof ScaffoldConfig>;
export type ScaffoldId = ScaffoldConfig['id'];
export type ScaffoldConfigOf<Id extends ScaffoldId> = Extract<ScaffoldConfig, { id: Id }>;

interface ScaffoldEntry<Config> {
  title: string;
  /** Where a form starts when this scaffold is chosen. */
  defaults: Config;
  /** Ids of the environments whose actions it can write. */
  environments: readonly string[] | 'any';
}

/** What the form knows of a scaffold. */
export const SCAFFOLDS: { [Id in ScaffoldId]: ScaffoldEntry<ScaffoldConfigOf<Id>> } = {
  'recent-actions': {
    title: 'Recent actions',
    defaults: { id: 'recent-actions', recentActions: 4 },
    environments: 'any',
  },
  react: {
    title: 'ReAct: a chat of thoughts and actions',
    defaults: { id: 'react', rules: 'none', parser: 'one-action', actionList: 'every-turn' },
    environments: 'any',
  },
  'tool-call': {
    title: 'Tool calls: six tools, the whole chat',
    defaults: { id: 'tool-call' },
    environments: ['babyai-text'],
  },
  'history-10': {
    title: 'Tool calls: six tools, the last ten turns',
    defaults: { id: 'history-10' },
    environments: ['babyai-text'],
  },
  'working-memory': {
    title: 'Working memory: two calls a turn',
    defaults: { id: 'working-memory', historyTurns: 10 },
    environments: ['babyai-text'],
  },
  'memory-action': {
    title: 'Memory and action: one call a turn',
    defaults: { id: 'memory-action', historyTurns: 10 },
    environments: ['babyai-text'],
  },
  'verl-agent': {
    title: 'verl-agent: think, then act',
    defaults: { id: 'verl-agent', historyTurns: 2 },
    environments: 'any',
  },
  'lab-tool': {
    title: 'agentic-rl-lab: one tool, the whole chat',
    defaults: { id: 'lab-tool', actionList: true },
    environments: ['alfworld', 'household'],
  },
  strata: {
    title: 'StraTA: a strategy, then actions',
    defaults: { id: 'strata', historyTurns: 2 },
    environments: 'any',
  },
  'listed-strategies': {
    title: 'Listed strategies: one of a list, then recent actions',
    defaults: {
      id: 'listed-strategies',
      recentActions: 4,
      strategies: [{ strategy: 'I look around.' }, { strategy: 'I try a door.' }],
    },
    environments: 'any',
  },
};

/** Environments that each world's rules hold in. */
const WORLD_ENVIRONMENTS: Record<(typeof WORLDS)[number], readonly string[] | 'any'> = {
  none: 'any',
  babyai: ['babyai'],
  'babyai-text': ['babyai-text'],
  household: ['alfworld', 'household'],
};

function includesEnvironment(environments: readonly string[] | 'any', id: string): boolean {
  return environments === 'any' || environments.includes(id);
}

/** Scaffolds that can write an environment's actions. */
export function scaffoldsFor(environmentId: string): ScaffoldId[] {
  return Object.values(SCAFFOLDS)
    .filter(({ environments }) => includesEnvironment(environments, environmentId))
    .map(({ defaults }) => defaults.id);
}

/** What is wrong with a scaffold in an environment: the setting within the scaffold's config and why; null where nothing is. */
export function scaffoldMismatch(
  scaffold: ScaffoldConfig,
  environmentId: string,
): { path: string; message: string } | null {
  if (!includesEnvironment(SCAFFOLDS[scaffold.id].environments, environmentId)) {
    const fitting = scaffoldsFor(environmentId).join(', ');
    const message = `${scaffold.id} does not suit ${environmentId}; scaffolds that do: ${fitting}`;
    return { path: 'id', message };
  }
  if (scaffold.id !== 'react' || includesEnvironment(WORLD_ENVIRONMENTS[scaffold.rules], environmentId))
    return null;
  const fitting = WORLDS.filter((world) => includesEnvironment(WORLD_ENVIRONMENTS[world], environmentId));
  const message = `rules of ${scaffold.rules} do not hold in ${environmentId}; rules that do: ${fitting.join(', ')}`;
  return { path: 'rules', message };
}
