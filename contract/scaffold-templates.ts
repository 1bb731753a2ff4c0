import type { TemplateParts } from './prompt-template';

/*
 * The parts of each scaffold's wording that a config's `template` may replace. Placeholders of the `verl-agent` prompts
 * are those of the published template, which can therefore be given as it is.
 */

const AVAILABLE_ACTION_PARTS = {
  availableAction: { about: 'One available action in a list', placeholders: ['action'] },
  actionSeparator: { about: 'Between two available actions', placeholders: [] },
} as const satisfies TemplateParts;

export const RECENT_ACTIONS_PARTS = {
  prompt: {
    about: 'The prompt',
    placeholders: ['goal', 'last_actions', 'observation', 'available_actions'],
  },
  ...AVAILABLE_ACTION_PARTS,
} as const satisfies TemplateParts;

export const REACT_PARTS = {
  instructions: { about: 'First message of the user', placeholders: ['world_rules'] },
  acknowledgement: { about: 'First message of the assistant, the same in every episode', placeholders: [] },
  firstObservation: {
    about: 'Message with the first observation',
    placeholders: ['goal', 'observation', 'action_list'],
  },
  laterObservation: {
    about: 'Message with a later observation',
    placeholders: ['goal', 'observation', 'action_list'],
  },
  severalActions: {
    about: 'Message after a reply with several actions, where one is allowed',
    placeholders: ['goal', 'observation', 'action_list'],
  },
  actionList: { about: 'The list of available actions', placeholders: ['available_actions'] },
  ...AVAILABLE_ACTION_PARTS,
} as const satisfies TemplateParts;

const TOOL_DESCRIPTION_PARTS = {
  turnLeftTool: { about: 'What the tool that turns left does', placeholders: [] },
  turnRightTool: { about: 'What the tool that turns right does', placeholders: [] },
  goForwardTool: { about: 'What the tool that goes forward does', placeholders: [] },
  pickUpTool: { about: 'What the tool that picks up does', placeholders: [] },
  dropTool: { about: 'What the tool that drops does', placeholders: [] },
  toggleTool: { about: 'What the tool that opens and closes does', placeholders: [] },
} as const satisfies TemplateParts;

export const TOOL_CALL_PARTS = {
  system: { about: 'System message', placeholders: [] },
  task: { about: 'Message of the user', placeholders: ['goal', 'observation'] },
  toolResponse: { about: 'What a tool answers', placeholders: ['goal', 'observation'] },
  ...TOOL_DESCRIPTION_PARTS,
} as const satisfies TemplateParts;

const CALL_HISTORY_PARTS = {
  history: { about: 'The last calls, where there are any', placeholders: ['count', 'turns'] },
  historyTurn: { about: 'One of the last turns', placeholders: ['observation', 'call'] },
  noCall: { about: 'Stands for a call that broke the format', placeholders: [] },
} as const satisfies TemplateParts;

export const HISTORY_10_PARTS = {
  system: { about: 'System message', placeholders: [] },
  prompt: { about: 'Message of the user', placeholders: ['goal', 'history', 'observation'] },
  ...CALL_HISTORY_PARTS,
  ...TOOL_DESCRIPTION_PARTS,
} as const satisfies TemplateParts;

export const WORKING_MEMORY_PARTS = {
  system: { about: 'System message of the acting call', placeholders: [] },
  prompt: {
    about: 'Message of the user in the acting call',
    placeholders: ['goal', 'memory', 'history', 'observation'],
  },
  memorySystem: { about: 'System message of the memory call', placeholders: [] },
  memoryPrompt: {
    about: 'Message of the user in the memory call',
    placeholders: ['goal', 'memory', 'history', 'observation'],
  },
  noMemory: { about: 'Stands for the memory before there is one', placeholders: [] },
  ...CALL_HISTORY_PARTS,
  ...TOOL_DESCRIPTION_PARTS,
} as const satisfies TemplateParts;

export const MEMORY_ACTION_PARTS = {
  system: { about: 'System message', placeholders: [] },
  prompt: { about: 'Message of the user', placeholders: ['goal', 'memory', 'history', 'observation'] },
  noMemory: { about: 'Stands for the memory before there is one', placeholders: [] },
  ...CALL_HISTORY_PARTS,
  ...TOOL_DESCRIPTION_PARTS,
} as const satisfies TemplateParts;

export const VERL_AGENT_PARTS = {
  firstTurn: {
    about: 'Prompt without a past',
    placeholders: ['task_description', 'current_observation', 'admissible_actions'],
  },
  laterTurn: {
    about: 'Prompt with a past',
    placeholders: [
      'task_description',
      'step_count',
      'history_length',
      'action_history',
      'current_step',
      'current_observation',
      'admissible_actions',
    ],
  },
  historyTurn: { about: 'One of the last turns', placeholders: ['number', 'observation', 'action'] },
  historySeparator: { about: 'Between two of the last turns', placeholders: [] },
  ...AVAILABLE_ACTION_PARTS,
} as const satisfies TemplateParts;

export const LAB_TOOL_PARTS = {
  system: { about: 'System message', placeholders: [] },
  task: { about: 'Message of the user', placeholders: ['goal', 'observation', 'action_list'] },
  toolResponse: {
    about: 'What the tool answers',
    placeholders: ['number', 'status', 'observation', 'action_list'],
  },
  won: { about: 'Status: the episode was won', placeholders: [] },
  ended: { about: 'Status: the episode ended without success', placeholders: [] },
  invalidFormat: { about: 'Status: the reply held no valid tool call', placeholders: [] },
  inadmissible: { about: 'Status: the action was not available', placeholders: [] },
  executed: { about: 'Status: the action was executed', placeholders: [] },
  actionList: { about: 'The list of available actions', placeholders: ['available_actions'] },
  ...AVAILABLE_ACTION_PARTS,
  tool: { about: 'What the tool does', placeholders: [] },
  actionArgument: { about: 'What the tool’s argument is', placeholders: [] },
} as const satisfies TemplateParts;

export const STRATA_PARTS = {
  strategyPrompt: {
    about: 'Prompt of the strategy',
    placeholders: ['goal', 'observation', 'available_actions'],
  },
  prompt: {
    about: 'Prompt of an action',
    placeholders: ['goal', 'strategy', 'history', 'number', 'observation', 'available_actions'],
  },
  noStrategy: { about: 'Stands for a strategy that broke the format', placeholders: [] },
  history: { about: 'The last turns, where there are any', placeholders: ['count', 'turns'] },
  historyTurn: { about: 'One of the last turns', placeholders: ['number', 'observation', 'action'] },
  ...AVAILABLE_ACTION_PARTS,
} as const satisfies TemplateParts;
