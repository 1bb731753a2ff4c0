import {
  PUBLISHED_EVALUATIONS,
  type PublishedEvaluation,
} from '@/contract/environments/alfworld-evaluations';
import { Button } from '@/components/ui/button';
import { valueAtPath } from './config-path';
import { editParameter, formatEdit } from './launch-draft';
import type { Launch } from './use-launch';

/** Sets a run's evaluation up as a published one, with one choice; nothing where the environment is not theirs. */
export function PublishedEvaluations({ launch }: { launch: Launch }) {
  if (valueAtPath(launch.config, 'environment.id') !== 'alfworld') return null;
  return (
    <div className="col-span-full flex flex-wrap items-center gap-2 text-sm text-ink-3">
      As published:
      {Object.values<PublishedEvaluation>(PUBLISHED_EVALUATIONS).map((evaluation) => (
        <Button
          key={evaluation.title}
          size="small"
          title={describe(evaluation)}
          onClick={() => launch.edit(editsOf(evaluation))}
        >
          {evaluation.title}
        </Button>
      ))}
    </div>
  );
}

/** The edits that make a config evaluate as published; what the source does not state is off. */
export function editsOf({ splits, maxTurns, temperature, topP, topK, seeds }: PublishedEvaluation) {
  const settings: Record<string, unknown> = {
    'environment.maxTurns': maxTurns,
    'evaluation.splits': splits,
    'evaluation.finalSplits': splits,
    'evaluation.decodings': ['sampled'],
    'evaluation.temperature': temperature,
    'evaluation.topP': topP ?? 1,
    'evaluation.topK': topK ?? 0,
    ...(seeds.values && { seed: seeds.values[0] }),
  };
  return Object.fromEntries(
    Object.entries(settings).map(([path, value]) => [editParameter(path), formatEdit(value)]),
  );
}

function describe({ maxTurns, temperature, topP, topK, seeds }: PublishedEvaluation): string {
  const stated = (value: number | null) => value ?? 'not stated';
  const seed = seeds.values ? `seed ${seeds.values.join(', ')}` : 'seeds not stated: one run for each';
  return `≤ ${maxTurns} turns, temperature ${temperature}, top-p ${stated(topP)}, top-k ${stated(topK)}, ${seed}`;
}
