import { z } from 'zod';
import { AppError } from '../errors';
import { parseOrThrow } from '../parse';
import { AlfworldLabConfig } from './alfworld-lab';
import { ALFWORLD_LAB_PRESETS } from './alfworld-lab-presets';
import { DapoConfig } from './dapo';
import { DAPO_PRESETS } from './dapo-presets';
import { GigpoConfig } from './gigpo';
import { GIGPO_PRESETS } from './gigpo-presets';
import { EndpointEvaluationConfig } from './endpoint-evaluation';
import { ENDPOINT_EVALUATION_PRESETS } from './endpoint-evaluation-presets';
import { GRPO_PRESETS } from './grpo-presets';
import { GrpoConfig } from './grpo';
import { OpdConfig } from './opd';
import { OPD_PRESETS } from './opd-presets';
import { RegroupConfig } from './regroup';
import { REGROUP_PRESETS } from './regroup-presets';
import type { RunSettings } from './run-settings';
import { StrataConfig } from './strata';
import { STRATA_PRESETS } from './strata-presets';
import { SdarConfig } from './sdar';
import { SDAR_PRESETS } from './sdar-presets';
import { SftConfig } from './sft';
import { SFT_PRESETS } from './sft-presets';
import { TurnJudgeConfig } from './turn-judge';
import { TURN_JUDGE_PRESETS } from './turn-judge-presets';

/** What the form, the server and the workers know of a recipe. */
export interface RecipeEntry<Config extends RunSettings = RunSettings> {
  id: string;
  title: string;
  config: z.ZodType<Config>;
  presets: Record<string, Config>;
  /** Presets that have never run on the hardware they ask for. */
  notRunHere: readonly string[];
}

export const RECIPES = {
  grpo: {
    id: 'grpo',
    title: 'GRPO',
    config: GrpoConfig,
    presets: GRPO_PRESETS,
    notRunHere: ['published', 'published-scaling-inter', 'verl-agent-alfworld', 'babyai-text-50'],
  } satisfies RecipeEntry<GrpoConfig>,
  dapo: {
    id: 'dapo',
    title: 'DAPO',
    config: DapoConfig,
    presets: DAPO_PRESETS,
    notRunHere: ['published', 'verl-agent-alfworld'],
  } satisfies RecipeEntry<DapoConfig>,
  gigpo: {
    id: 'gigpo',
    title: 'GiGPO',
    config: GigpoConfig,
    presets: GIGPO_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<GigpoConfig>,
  regroup: {
    id: 'regroup',
    title: 'Regroup: groups from a middle turn',
    config: RegroupConfig,
    presets: REGROUP_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<RegroupConfig>,
  'alfworld-lab': {
    id: 'alfworld-lab',
    title: 'agentic-rl-lab: equal games, group mean',
    config: AlfworldLabConfig,
    presets: ALFWORLD_LAB_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<AlfworldLabConfig>,
  strata: {
    id: 'strata',
    title: 'StraTA: a strategy first',
    config: StrataConfig,
    presets: STRATA_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<StrataConfig>,
  'turn-judge': {
    id: 'turn-judge',
    title: 'Judged turns',
    config: TurnJudgeConfig,
    presets: TURN_JUDGE_PRESETS,
    notRunHere: ['published-v2.1', 'published-v2.2', 'published-v2.3'],
  } satisfies RecipeEntry<TurnJudgeConfig>,
  opd: {
    id: 'opd',
    title: 'On-policy distillation',
    config: OpdConfig,
    presets: OPD_PRESETS,
    notRunHere: ['published', 'published-v3.1.1', 'published-v3.1.2'],
  } satisfies RecipeEntry<OpdConfig>,
  sdar: {
    id: 'sdar',
    title: 'SDAR: GRPO and a skill in the teacher’s prompt',
    config: SdarConfig,
    presets: SDAR_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<SdarConfig>,
  sft: {
    id: 'sft',
    title: 'Supervised fine-tuning',
    config: SftConfig,
    presets: SFT_PRESETS,
    notRunHere: ['published'],
  } satisfies RecipeEntry<SftConfig>,
  'endpoint-evaluation': {
    id: 'endpoint-evaluation',
    title: 'Evaluation of an endpoint',
    config: EndpointEvaluationConfig,
    presets: ENDPOINT_EVALUATION_PRESETS,
    notRunHere: Object.keys(ENDPOINT_EVALUATION_PRESETS),
  } satisfies RecipeEntry<EndpointEvaluationConfig>,
} as const;
export type RecipeId = keyof typeof RECIPES;
export const RECIPE_IDS = Object.keys(RECIPES) as RecipeId[];

/** The body of a launch, as the form and the API send it. */
export const LaunchRequest = z.strictObject({
  name: z.string().trim().min(1, 'expected a name').max(100),
  recipe: z.enum(RECIPE_IDS),
  preset: z.string().max(50),
  config: z.unknown(),
});
export type LaunchRequest = z.infer<typeof LaunchRequest>;

/** A launch with its config parsed by the recipe's own schema. */
export function parseLaunch(value: unknown): LaunchRequest & { config: RunSettings } {
  const launch = parseOrThrow(LaunchRequest, value, 'launch');
  const recipe: RecipeEntry = RECIPES[launch.recipe];
  if (!Object.hasOwn(recipe.presets, launch.preset))
    throw new AppError(
      'invalid_input',
      `preset ${launch.preset} is not one of ${Object.keys(recipe.presets).join(', ')}`,
      [{ path: 'preset', message: `expected one of ${Object.keys(recipe.presets).join(', ')}` }],
    );
  return { ...launch, config: parseOrThrow(recipe.config, launch.config, 'config', 'config') };
}
