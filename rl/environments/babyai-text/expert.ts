import { planPrimitives } from '../babyai/expert/primitive-plan';
import { PRIMITIVE_RULES } from '../babyai/expert/rules';
import type { Expert, ExpertPlan, NoPlan } from '../expert';
import { BABYAI_TEXT_ACTIONS, type BabyAiTextEpisode } from './episode';

/** By primitive: the actions stand in Minigrid's order. */
const ACTION_OF: readonly string[] = BABYAI_TEXT_ACTIONS;

/** The expert of BabyAI-Text, whose actions are primitives: see `planPrimitives` for what its plans guarantee. */
export const babyAiTextExpert: Expert<BabyAiTextEpisode> = {
  plan({ world }): ExpertPlan | NoPlan {
    const plan = planPrimitives(world, PRIMITIVE_RULES);
    if (!plan.actions) return plan;
    return { actions: plan.actions.map((primitive) => ACTION_OF[primitive] ?? '') };
  },
};
