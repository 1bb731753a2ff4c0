import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { RECIPE_IDS, RECIPES, type RecipeId } from '@/contract/recipes/registry';
import {
  REQUESTED_RECIPE_IDS,
  REQUESTED_RECIPES,
  type RequestedRecipe,
  type RequestedRecipeId,
} from '@/contract/recipes/requested';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { RecipeEvent } from '@/contract/run-events';
import { scoreActions } from './action-scores';
import { trainAlfworldLab } from './alfworld-lab';
import { evaluateCheckpoints } from './checkpoint-evaluation';
import { trainDapo } from './dapo';
import { trainGigpo } from './gigpo';
import { evaluateEndpoint } from './endpoint-evaluation';
import { forkTurn } from './fork-turn';
import { trainGrpo } from './grpo';
import { playByHand } from './play';
import type { RecipeContext, RecipeProgram } from './recipe';
import { trainTurnJudge } from './turn-judge';
import { trainOpd } from './opd';
import { trainRegroup } from './regroup';
import { trainStrata } from './strata';
import { trainSdar } from './sdar';
import { trainSft } from './sft';

/** A run that can start. */
export interface PreparedRun {
  /** As the recipe's own schema read it. */
  config: RunSettings;
  events(context: RecipeContext): AsyncGenerator<RecipeEvent>;
}

/** Reads a config with the recipe's schema; throws `invalid_input` naming the setting that is wrong. */
type Prepare = (config: unknown) => PreparedRun;

const PREPARE: Record<RecipeId | RequestedRecipeId, Prepare> = {
  grpo: preparing(RECIPES.grpo, trainGrpo),
  dapo: preparing(RECIPES.dapo, trainDapo),
  gigpo: preparing(RECIPES.gigpo, trainGigpo),
  regroup: preparing(RECIPES.regroup, trainRegroup),
  'alfworld-lab': preparing(RECIPES['alfworld-lab'], trainAlfworldLab),
  strata: preparing(RECIPES.strata, trainStrata),
  'turn-judge': preparing(RECIPES['turn-judge'], trainTurnJudge),
  opd: preparing(RECIPES.opd, trainOpd),
  sdar: preparing(RECIPES.sdar, trainSdar),
  sft: preparing(RECIPES.sft, trainSft),
  'endpoint-evaluation': preparing(RECIPES['endpoint-evaluation'], evaluateEndpoint),
  'checkpoint-evaluation': preparing(REQUESTED_RECIPES['checkpoint-evaluation'], evaluateCheckpoints),
  'action-scores': preparing(REQUESTED_RECIPES['action-scores'], scoreActions),
  'fork-turn': preparing(REQUESTED_RECIPES['fork-turn'], forkTurn),
  play: preparing(REQUESTED_RECIPES.play, playByHand),
};

function preparing<Config extends RunSettings>(
  recipe: RequestedRecipe<Config>,
  program: RecipeProgram<Config>,
): Prepare {
  return (value) => {
    const config = parseOrThrow(recipe.config, value, 'config', 'config');
    return { config, events: (context) => program(config, context) };
  };
}

/** A run of a recipe with a config as it was stored. Throws `invalid_input` for a recipe or config that is none. */
export function prepareRun(recipe: string, config: unknown): PreparedRun {
  const ids = [...RECIPE_IDS, ...REQUESTED_RECIPE_IDS];
  const id = ids.find((known) => known === recipe);
  if (!id) throw new AppError('invalid_input', `recipe ${recipe} is not one of ${ids.join(', ')}`);
  return PREPARE[id](config);
}
