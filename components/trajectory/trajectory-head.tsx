import { ChartLine, ChevronLeft, ChevronRight, ListChecks, Split } from 'lucide-react';
import type { TrajectoryDetail } from '@/contract/api';
import type { TurnMark } from '@/stats/turn-marks';
import { formatReward } from '@/contract/format';
import { playHref } from '@/components/play/play-draft';
import { ButtonLink, IconButton } from '@/components/ui/button';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { PageHead } from '@/components/ui/page-head';
import { OutcomeWord } from './outcome';
import { PlainText } from './plain-text';

/** `10 turns · 3 not in list · 1 no-op · loop ×5 · reward 0.91`; what did not occur is left out. */
function summaryWords(marks: readonly TurnMark[], reward: number | null): string {
  const count = (verdict: TurnMark['verdict']) => marks.filter((mark) => mark.verdict === verdict).length;
  const longest = Math.max(0, ...marks.map((mark) => mark.loop?.repeats ?? 0));
  return [
    `${marks.length} ${marks.length === 1 ? 'turn' : 'turns'}`,
    count('not_in_list') > 0 && `${count('not_in_list')} not in list`,
    count('refused') > 0 && `${count('refused')} refused`,
    count('no_action') > 0 && `${count('no_action')} without an action`,
    count('no_op') > 0 && `${count('no_op')} no-op`,
    longest > 0 && `loop ×${longest}`,
    `reward ${formatReward(reward)}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/**
 * Link to where the trajectory counts on its run's curves: an evaluation at step s is of checkpoint s, what checkpoint s
 * sampled for training is measured by the update to s + 1.
 */
export function curveLink({ runId, trajectory }: Pick<TrajectoryDetail, 'runId' | 'trajectory'>): string {
  const step = trajectory.phase === 'train' ? trajectory.step + 1 : trajectory.step;
  return `/runs/${encodeURIComponent(runId)}?at=${step}`;
}

/** Link to the evaluation that the trajectory counts in; null outside evaluations. */
export function evaluationLink({
  runId,
  trajectory,
}: Pick<TrajectoryDetail, 'runId' | 'trajectory'>): string | null {
  if (trajectory.evaluation === null) return null;
  const search = new URLSearchParams({ tab: 'evaluations', evaluation: trajectory.evaluation });
  return `/runs/${encodeURIComponent(runId)}?${search.toString()}`;
}

/** Link to the same task at step 0 and this step; only probe tasks are played at several steps. */
export function pairLink({ runId, trajectory }: TrajectoryDetail): string | null {
  if (trajectory.phase !== 'probe') return null;
  const search = new URLSearchParams({ task: trajectory.taskId, a: '0', b: String(trajectory.step) });
  return `/runs/${encodeURIComponent(runId)}/pair?${search.toString()}`;
}

/** Link to play the task by hand with the checkpoint that acted; tasks of training are in no list that a play finds them in. */
export function playLink({
  runId,
  trajectory,
}: Pick<TrajectoryDetail, 'runId' | 'trajectory'>): string | null {
  const { phase, split, step, taskId, evaluation } = trajectory;
  if (split === 'train' || phase === 'fork' || phase === 'manual') return null;
  // An evaluation's name begins with the run whose checkpoint acted, or says that it is its own.
  const [acting = 'own'] = evaluation?.split('/') ?? [];
  return playHref({ runId: acting === 'own' ? runId : acting, step }, { taskId, split });
}

interface TrajectoryHeadProps {
  detail: TrajectoryDetail;
  marks: readonly TurnMark[];
  /** Place among the siblings, from 0, and how many there are. */
  place: number;
  count: number;
  onSibling: (offset: 1 | -1) => void;
}

export function TrajectoryHead({ detail, marks, place, count, onSibling }: TrajectoryHeadProps) {
  const { trajectory, runId, runName } = detail;
  const runPath = `/runs/${encodeURIComponent(runId)}`;
  const stepPath = `${runPath}/trajectories?step=${trajectory.step}&phase=${trajectory.phase}`;
  const pair = pairLink(detail);
  const evaluation = evaluationLink(detail);
  const play = playLink(detail);
  return (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            { title: runName, href: runPath },
            { title: `step ${trajectory.step}, ${trajectory.phase}`, href: stepPath },
            ...(trajectory.split === trajectory.phase ? [] : [{ title: trajectory.split }]),
            { title: trajectory.taskType },
            { title: trajectory.taskId },
          ]}
        />
      }
      title={
        <>
          “<PlainText text={trajectory.goal} />”
        </>
      }
      actions={
        <>
          <ButtonLink href={curveLink(detail)} title="Where it counts on the curves of its run">
            <Icon of={ChartLine} size="small" />
            On the curve
            <Kbd>c</Kbd>
          </ButtonLink>
          {evaluation && (
            <ButtonLink href={evaluation} title="The evaluation that it counts in">
              <Icon of={ListChecks} size="small" />
              Evaluation
            </ButtonLink>
          )}
          {pair ? (
            <ButtonLink href={pair}>
              <Icon of={Split} size="small" />
              {trajectory.step === 0 ? 'Pair with another step' : 'Pair with step 0'}
              <Kbd>p</Kbd>
            </ButtonLink>
          ) : null}
          {play ? <ButtonLink href={play}>Play this task</ButtonLink> : null}
          <ButtonLink href={`/pair?a=${encodeURIComponent(detail.id)}`}>
            Lay beside… <Kbd>⇧P</Kbd>
          </ButtonLink>
          <span className="flex items-center gap-1 text-sm whitespace-nowrap text-ink-2">
            <IconButton label="Previous sample" onClick={() => onSibling(-1)} disabled={place === 0}>
              <Icon of={ChevronLeft} />
            </IconButton>
            <Kbd>H</Kbd> {place + 1} of {count} <Kbd>L</Kbd>
            <IconButton label="Next sample" onClick={() => onSibling(1)} disabled={place === count - 1}>
              <Icon of={ChevronRight} />
            </IconButton>
          </span>
        </>
      }
    >
      <OutcomeWord trajectory={trajectory} />
      <span className="text-sm text-ink-3">{summaryWords(marks, trajectory.reward)}</span>
    </PageHead>
  );
}
