import { EnvironmentConfig, worldOf } from '@/contract/environments/registry';
import { SCAFFOLDS, scaffoldsFor } from '@/contract/scaffolds';
import { valueAtPath } from './config-path';
import type { UnsuitableOptions } from './select-options';

/** Scaffolds that do not suit a config's environment, each with why; none where its environment does not hold. */
export function unsuitableScaffolds(config: unknown): UnsuitableOptions {
  const environment = EnvironmentConfig.safeParse(valueAtPath(config, 'environment'));
  if (!environment.success) return new Map();
  const world = worldOf(environment.data);
  const fitting: readonly string[] = scaffoldsFor(world);
  const unsuitable = Object.keys(SCAFFOLDS).filter((id) => !fitting.includes(id));
  return new Map(unsuitable.map((id) => [id, `does not suit ${world}`]));
}
