import { z } from 'zod';

/** The goal, the last actions, the observation and the available actions, written anew each turn. */
const RecentActionsConfig = z.strictObject({
  id: z.literal('recent-actions'),
  recentActions: z.int().min(0).max(20).describe('Past actions in the prompt'),
});

/** How an episode becomes prompts and how a reply becomes an action. Descriptions are the form's texts. */
export const ScaffoldConfig = z.discriminatedUnion('id', [RecentActionsConfig]);
export type ScaffoldConfig = z.infer<typeof ScaffoldConfig>;
export type ScaffoldId = ScaffoldConfig['id'];

/** What the form knows of a scaffold. */
export const SCAFFOLDS: {
  [Id in ScaffoldId]: { title: string; defaults: Extract<ScaffoldConfig, { id: Id }> };
} = {
  'recent-actions': { title: 'Recent actions', defaults: { id: 'recent-actions', recentActions: 4 } },
};
