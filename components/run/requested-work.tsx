import { Link } from '@/components/ui/link';
import type { RunDetail } from '@/contract/api';
import type { CheckpointReference } from '@/contract/checkpoint';
import { ActionScoresConfig, ForkTurnConfig, PlayConfig } from '@/contract/recipes/requested-work';
import { useForks } from '@/components/data/requested-queries';
import { ButtonLink } from '@/components/ui/button';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';

/** Recipes of which a run has no charts: its work is elsewhere, and this says where. */
export function isWorkOfCheckpoint(recipe: string): boolean {
  return recipe === 'action-scores' || recipe === 'fork-turn' || recipe === 'play';
}

/** What was asked of a checkpoint, and where it is to be read. */
export function RequestedWork({ detail: { run, config } }: { detail: RunDetail }) {
  const scores = run.recipe === 'action-scores' ? ActionScoresConfig.safeParse(config).data : undefined;
  const fork = run.recipe === 'fork-turn' ? ForkTurnConfig.safeParse(config).data : undefined;
  const play = run.recipe === 'play' ? PlayConfig.safeParse(config).data : undefined;
  if (scores) return <ScoresWork config={scores} />;
  if (fork) return <ForkWork runId={run.id} config={fork} />;
  if (play) return <PlayWork runId={run.id} config={play} />;
  return (
    <Panel>
      <PanelBody className="text-sm text-ink-2">The config of this run is of another version.</PanelBody>
    </Panel>
  );
}

function ScoresWork({ config: { checkpoints, trajectories } }: { config: ActionScoresConfig }) {
  const [a, b] = trajectories.map(({ id }) => id);
  return (
    <Panel>
      <PanelHead title="Scores of recorded actions" caption={checkpointWords(checkpoints)}>
        {a !== undefined && b !== undefined && <ButtonLink href={`/pair?a=${a}&b=${b}`}>The pair</ButtonLink>}
      </PanelHead>
      <PanelBody className="text-sm">
        How likely the recorded replies are to this checkpoint, turn by turn; read beside each action of the
        pair. Trajectories:{' '}
        {trajectories.map(({ id }) => (
          <Link key={id} href={`/trajectories/${id}`} className="mr-1.5">
            {id}
          </Link>
        ))}
      </PanelBody>
    </Panel>
  );
}

function ForkWork({ runId, config }: { runId: string; config: ForkTurnConfig }) {
  const { checkpoints, trajectory, turn, samples } = config;
  const { data } = useForks(trajectory);
  const played = data?.find((fork) => fork.runId === runId)?.trajectories ?? [];
  return (
    <Panel>
      <PanelHead title="Continuations from a turn" caption={checkpointWords(checkpoints)}>
        <ButtonLink href={`/runs/${encodeURIComponent(runId)}/trajectories?phase=fork`}>
          Its trajectories
        </ButtonLink>
      </PanelHead>
      <PanelBody className="text-sm">
        <Link href={`/trajectories/${trajectory}`}>Trajectory {trajectory}</Link> continued from turn{' '}
        {turn + 1}, {played.length} of {samples} played; won, k/n, %, Wilson 95 %:{' '}
        <Rate successes={played.filter(({ success }) => success).length} n={played.length} />
      </PanelBody>
    </Panel>
  );
}

function PlayWork({ runId, config: { checkpoints, world } }: { runId: string; config: PlayConfig }) {
  return (
    <Panel>
      <PanelHead title="Play by hand" caption={checkpointWords(checkpoints)}>
        <ButtonLink href={`/play?r=${encodeURIComponent(runId)}`}>Open the play</ButtonLink>
      </PanelHead>
      <PanelBody className="text-sm">
        {world.kind === 'task'
          ? `Task ${world.taskId} of ${world.split}.`
          : `Pasted observations. Goal: ${world.goal}`}
      </PanelBody>
    </Panel>
  );
}

function checkpointWords(checkpoints: readonly CheckpointReference[]): string {
  return checkpoints.map(({ runId, step }) => `by ${runId} step ${step}`).join(', ');
}
