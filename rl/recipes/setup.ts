import type { RunSettings } from '@/contract/recipes/run-settings';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import { openScaffold } from '@/rl/scaffolds/registry';
import type { Scaffold } from '@/rl/scaffolds/scaffold';
import type { RecipeContext } from './recipe';

/** What every part of a run shares. */
export interface RunSetup<Config extends RunSettings = RunSettings> {
  config: Config;
  suite: EnvironmentSuite;
  scaffold: Scaffold;
  context: RecipeContext;
}

export async function setUp<Config extends RunSettings>(
  config: Config,
  context: RecipeContext,
): Promise<RunSetup<Config>> {
  return {
    config,
    context,
    suite: await context.openEnvironment(config.environment),
    scaffold: openScaffold(config.scaffold),
  };
}
