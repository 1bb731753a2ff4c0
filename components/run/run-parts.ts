import type { RunDetail } from '@/contract/api';
import { isWorkOfCheckpoint } from './requested-work';

/** Parts of a run's page, in the order of their tabs and keys. */
export const RUN_PARTS = ['overview', 'charts', 'evaluations', 'checkpoints', 'log', 'config'] as const;
export type RunPart = (typeof RUN_PARTS)[number];

export const RUN_PART_TITLES: Record<RunPart, string> = {
  overview: 'Overview',
  charts: 'Charts',
  evaluations: 'Evaluations',
  checkpoints: 'Checkpoints',
  log: 'Log',
  config: 'Config',
};

/** Whether runs of a recipe sample, update and save weights; of the others there is no probe and no checkpoint. */
export function trains(recipe: string): boolean {
  return (
    !isWorkOfCheckpoint(recipe) && recipe !== 'checkpoint-evaluation' && recipe !== 'endpoint-evaluation'
  );
}

/** Whether a run of a recipe may record trajectories of its own: scores are of those that another run recorded. */
export function recordsTrajectories(recipe: string): boolean {
  return recipe !== 'action-scores';
}

/** The parts that a run can have anything in. */
export function partsOf({ run: { recipe }, view }: Pick<RunDetail, 'run' | 'view'>): RunPart[] {
  return RUN_PARTS.filter((part) => {
    switch (part) {
      case 'charts':
        return trains(recipe) || Object.keys(view.latest).length > 0;
      case 'evaluations':
        return !isWorkOfCheckpoint(recipe);
      case 'checkpoints':
        return trains(recipe) || view.checkpoints.length > 0;
      default:
        return true;
    }
  });
}
