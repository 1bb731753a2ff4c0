import { formatCount } from '@/contract/format';
import type { RunSettings } from '@/contract/recipes/run-settings';
import type { TrajectoryPhase } from '@/contract/trajectory';

/** How much of what was played is kept, and the setting that keeps more. Of evaluations and probes all is kept. */
export function RecordedNote({
  config,
  phase,
}: {
  config: Pick<RunSettings, 'rollout' | 'recording'>;
  phase: TrajectoryPhase | undefined;
}) {
  if (phase !== undefined && phase !== 'train') return null;
  const { groups, groupSize } = config.rollout;
  if (groups === undefined || groupSize === undefined || !config.recording) return null;
  const kept = Math.min(config.recording.trainGroups, groups);
  const setting = <code className="font-mono text-mono">recording.trainGroups</code>;
  return (
    <p className="text-sm text-ink-3">
      {kept === groups
        ? `Training: all ${formatCount(groups * groupSize)} trajectories of each step are recorded. `
        : `Training: ${formatCount(kept * groupSize)} of ${formatCount(groups * groupSize)} trajectories of each step are recorded, ${kept} of ${groups} groups of ${groupSize}. The metrics count all of them. `}
      {kept === groups ? null : <>To keep more, launch with a higher {setting}.</>}
    </p>
  );
}
