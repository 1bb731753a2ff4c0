'use client';
import { Link } from '@/components/ui/link';
import { CircleX, Rows3, Split as SplitIcon, X } from 'lucide-react';
import type { EvaluationRow } from '@/contract/api';
import { stepLeft } from '@/components/charts/chart-model';
import { IconButton } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/kbd';
import { Rate } from '@/components/ui/rate';
import type { ChartFrame } from './chart-frame';
import { evaluatedSplits, evaluatedSteps, evaluationPoints } from './evaluation-points';

export interface PointLinks {
  trajectories: string;
  failed: string;
  pair: string;
  /** Whose trajectories they are. */
  sampledBy: string;
}

/**
 * Where a point's behaviour is. An evaluation at step s is of checkpoint s; a training metric at step s was
 * measured on trajectories that checkpoint s - 1 sampled.
 */
export function pointLinks(runId: string, step: number, evaluatedAt: readonly number[]): PointLinks {
  const isEvaluated = evaluatedAt.includes(step);
  const sampledStep = isEvaluated ? step : Math.max(0, step - 1);
  // Step 0 is what it is laid beside.
  const later = evaluatedAt.filter((evaluated) => evaluated > 0);
  const probed = later.findLast((evaluated) => evaluated <= step) ?? later[0] ?? step;
  const base = `/runs/${encodeURIComponent(runId)}`;
  const list = `${base}/trajectories?step=${sampledStep}${isEvaluated ? '' : '&phase=train'}`;
  return {
    trajectories: list,
    failed: `${list}&success=false`,
    pair: `${base}/pair?a=0&b=${probed}`,
    sampledBy: `checkpoint ${sampledStep}`,
  };
}

/** A frame whose menu stands at the pinned step of one chart, null = of none. */
export function withPointMenu(
  frame: ChartFrame,
  menu: { runId: string; evaluations: readonly EvaluationRow[]; chart: string | null; onClose: () => void },
): ChartFrame {
  const { pinnedStep, lastStep } = frame;
  if (menu.chart === null || pinnedStep === null) return frame;
  const { runId, evaluations, chart, onClose } = menu;
  const links = pointLinks(runId, pinnedStep, evaluatedSteps(evaluations));
  const shown = (
    <PointMenu
      step={pinnedStep}
      lastStep={lastStep}
      evaluations={evaluations}
      links={links}
      onClose={onClose}
    />
  );
  return { ...frame, menuOf: (asked) => (asked === chart ? shown : null) };
}

/** The menu at a pinned step: its figures, then the ways from the curve to what was done. */
export function PointMenu({
  step,
  lastStep,
  evaluations,
  links,
  onClose,
}: {
  step: number;
  lastStep: number;
  evaluations: readonly EvaluationRow[];
  links: PointLinks;
  onClose: () => void;
}) {
  const figures = evaluatedSplits(evaluations).flatMap((split) => {
    const point = evaluationPoints(evaluations, split, 'sampled').find((each) => each.step === step);
    return point ? [{ split, point }] : [];
  });
  const onLeft = step > lastStep / 2;
  return (
    <div
      role="group"
      aria-label={`Step ${step}`}
      className="absolute top-16 z-10 w-60 rounded-md border border-line-2 bg-surface text-sm shadow-float"
      style={{
        left: stepLeft(step, lastStep),
        transform: onLeft ? 'translateX(calc(-100% - 10px))' : 'translateX(10px)',
      }}
    >
      <div className="border-b border-line px-2.5 py-1.5">
        <div className="flex items-center">
          <b className="font-semibold">Step {step}</b>
          <IconButton label="Close the menu" className="-my-1 -mr-1.5 ml-auto" onClick={onClose}>
            <Icon of={X} size="small" />
          </IconButton>
        </div>
        {figures.map(({ split, point }) => (
          <div key={split}>
            <span className="text-ink-2">{split}</span> <Rate successes={point.successes} n={point.n} />
          </div>
        ))}
        {figures.length === 0 && <div className="text-ink-3">not evaluated at this step</div>}
      </div>
      <MenuLink href={links.trajectories} icon={Rows3} keyName="Enter">
        Open its trajectories
        <span className="block text-xs text-ink-3">sampled by {links.sampledBy}</span>
      </MenuLink>
      <MenuLink href={links.failed} icon={CircleX} keyName="f">
        Only the failed
      </MenuLink>
      <MenuLink href={links.pair} icon={SplitIcon} keyName="p">
        Pair with step 0
      </MenuLink>
    </div>
  );
}

function MenuLink({
  href,
  icon,
  keyName,
  children,
}: {
  href: string;
  icon: typeof Rows3;
  keyName: string;
  children: React.ReactNode;
}) {
  return (
    <Link href={href} className="flex items-center gap-2 px-2.5 py-1.25 no-underline hover:bg-selected">
      <Icon of={icon} />
      <span>{children}</span>
      <span className="ml-auto">
        <Kbd>{keyName}</Kbd>
      </span>
    </Link>
  );
}
