'use client';
import { CircleCheck, CircleDashed, CircleDot, CircleStop, CircleX, Clock, Unplug } from 'lucide-react';
import type { PlayState } from '@/contract/play';
import { formatReward } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { usePlay, usePlayCommand } from '@/components/data/requested-queries';
import { useRun } from '@/components/data/run-queries';
import { StatePicture } from '@/components/trajectory/state-picture';
import { PlainText } from '@/components/trajectory/plain-text';
import { Button, ButtonLink } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Note, Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import type { Tone } from '@/components/ui/tone';
import { PasteControls, TaskControls } from './play-controls';
import { hasEnded, phaseOf, type PlayPhase } from './play-phase';
import { PlayTranscript } from './play-transcript';

/** A play by hand: what is seen, the turns so far, and what can be done now. */
export function PlaySession({ runId }: { runId: string }) {
  const run = useRun(runId);
  const play = usePlay(runId, run.data?.view.position);
  const head = <PageHead crumbs={<Crumbs trail={[RUNS_CRUMB]} />} title="Play" />;
  // Until the run is read nothing is asked of its play.
  if (!run.data)
    return (
      <Fetched query={run} what="the run" height={640} head={head}>
        {() => null}
      </Fetched>
    );
  return (
    <Fetched query={play} what="the play" height={640} head={head}>
      {(state) => <PlayView state={state} />}
    </Fetched>
  );
}

export function PlayView({ state }: { state: PlayState }) {
  const { runId, config, moments, trajectoryId } = state;
  const command = usePlayCommand(runId);
  const phase = phaseOf(state);
  const moment = moments.at(-1) ?? null;
  const isOpen = phase.name === 'yours' && !command.isPending;
  const { give } = command;
  const canEnd = phase.name === 'yours' || phase.name === 'thinking';
  useKeys([{ keys: ['e'], label: 'end the play', hint: true, run: () => canEnd && give({ kind: 'end' }) }]);
  const [checkpoint] = config.checkpoints;
  const run = `/runs/${encodeURIComponent(runId)}`;
  return (
    <>
      <PageHead
        crumbs={<Crumbs trail={[RUNS_CRUMB, { title: runId, href: run }]} />}
        title={`Play ${checkpoint?.runId ?? ''} step ${checkpoint?.step ?? ''}`}
        actions={
          <>
            {trajectoryId && <ButtonLink href={`/trajectories/${trajectoryId}`}>Its trajectory</ButtonLink>}
            <Button disabled={!canEnd} onClick={() => give({ kind: 'end' })}>
              End and save
            </Button>
          </>
        }
      >
        <span className="text-sm text-ink-3">{worldWords(state)}</span>
      </PageHead>
      <PhaseNote phase={phase} />
      {(command.error ?? moment?.refusal) && (
        <div className="mt-2">
          <Note tone="bad" role="alert">
            {command.error ? command.error.message : `Not done: ${moment?.refusal}`}
          </Note>
        </div>
      )}
      <div className="mt-2.5 grid grid-cols-[minmax(0,1fr)_minmax(320px,420px)] items-start gap-2.5 max-[960px]:grid-cols-1">
        <PlayTranscript moments={moments} />
        <div className="flex flex-col gap-2.5">
          <Seen state={state} />
          {moment && !hasEnded(phase) && config.world.kind === 'task' && (
            <TaskControls moment={moment} isOpen={isOpen} give={give} />
          )}
          {moment && !hasEnded(phase) && config.world.kind === 'pasted' && (
            <PasteControls isOpen={isOpen} give={give} />
          )}
          <SeenState state={state} />
        </div>
      </div>
    </>
  );
}

function worldWords({ config: { world, decoding, environment, evaluation } }: PlayState): string {
  const where = world.kind === 'task' ? `${world.taskId}, ${world.split}` : 'pasted observations';
  const how = decoding === 'greedy' ? 'greedy' : `temperature ${evaluation.temperature}`;
  return `${where}; ${how}; at most ${environment.maxTurns} turns`;
}

const LOOKS: Record<PlayPhase['name'], { icon: typeof Clock; tone: Tone }> = {
  waiting: { icon: Clock, tone: 'quiet' },
  thinking: { icon: CircleDashed, tone: 'info' },
  yours: { icon: CircleDot, tone: 'info' },
  over: { icon: CircleCheck, tone: 'ok' },
  failed: { icon: CircleX, tone: 'bad' },
  stopped: { icon: CircleStop, tone: 'quiet' },
  lost: { icon: Unplug, tone: 'warn' },
};

function PhaseNote({ phase }: { phase: PlayPhase }) {
  const { icon, tone } = LOOKS[phase.name];
  return (
    <Note tone={tone} role={phase.name === 'failed' ? 'alert' : 'status'}>
      <Icon of={icon} className="mt-0.5" />
      {phase.words}
    </Note>
  );
}

/** Goal, observation and reward so far. */
function Seen({ state: { moments } }: { state: PlayState }) {
  const moment = moments.at(-1);
  if (!moment) return null;
  return (
    <Panel aria-label="Now">
      <PanelHead title="Now" caption={`reward so far ${formatReward(moment.reward)}`} />
      <PanelBody className="flex flex-col gap-2">
        <p className="text-sm">
          <span className="text-ink-3">Goal: </span>
          <PlainText text={moment.goal} />
        </p>
        {moment.observation !== null && (
          <p className="font-mono text-mono break-words whitespace-pre-wrap text-ink-2">
            <PlainText text={moment.observation} />
          </p>
        )}
      </PanelBody>
    </Panel>
  );
}

/** The state now as a picture, below what can be done. */
function SeenState({ state: { moments } }: { state: PlayState }) {
  const picture = moments.at(-1)?.picture ?? null;
  if (picture === null) return null;
  return (
    <Panel aria-label="State">
      <StatePicture picture={picture} moment="now" crop={null} />
    </Panel>
  );
}
