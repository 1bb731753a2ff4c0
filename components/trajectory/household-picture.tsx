import { memo } from 'react';
import { Circle, CircleCheck, CircleDot, Hand, MapPin } from 'lucide-react';
import type { HouseholdPicture as Picture } from '@/contract/trajectory';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { stageState, stageWords, type Receptacle, type StageProgress } from './household-words';

/**
 * A household: a tile for each receptacle in the environment's order, so that the picture holds still; what is shut
 * in is shaded, what the goal names is framed with dashes, as on a grid. Above it the hand and the goal's stages.
 */
export const HouseholdPicture = memo(function HouseholdPicture({ picture }: { picture: Picture }) {
  const { receptacles, holding, targets, progress } = picture;
  return (
    <div role="group" aria-label="Household" className="w-full min-w-0">
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        <Stages progress={progress} />
        <p className="flex items-center gap-1.5 text-sm text-ink-2">
          <Icon of={Hand} />
          <span className="text-ink-3">holds</span>
          {holding === null ? 'nothing' : <Thing name={holding} target={targets.includes(holding)} />}
        </p>
      </div>
      <ul
        aria-label="Receptacles"
        className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] items-stretch gap-1"
      >
        {receptacles.map((receptacle) => (
          <ReceptacleTile key={receptacle.name} receptacle={receptacle} targets={targets} />
        ))}
      </ul>
    </div>
  );
});

const STAGE_ICONS = { done: CircleCheck, begun: CircleDot, open: Circle } as const;
const STAGE_WORDS = { done: 'done', begun: 'begun', open: 'not yet' } as const;

/** The goal's stages in the order in which they can be taken. */
function Stages({ progress }: { progress: readonly StageProgress[] }) {
  return (
    <ol aria-label="Stages of the goal" className="flex flex-wrap gap-x-3 gap-y-0.5">
      {progress.map((stage) => {
        const state = stageState(stage);
        return (
          <li
            key={stage.stage}
            className={classNames(
              'flex items-center gap-1 text-sm whitespace-nowrap',
              state === 'open' ? 'text-ink-3' : 'font-medium text-ink',
            )}
          >
            <Icon of={STAGE_ICONS[state]} className={state === 'done' ? 'text-ok' : undefined} />
            {stageWords(stage)}
            <span className="sr-only">: {STAGE_WORDS[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

function ReceptacleTile({ receptacle, targets }: { receptacle: Receptacle; targets: readonly string[] }) {
  const { name, state, contents, here, target } = receptacle;
  const closed = state === 'closed';
  return (
    <li
      className={classNames(
        'min-w-0 rounded-sm border px-1.5 py-0.75',
        closed ? 'bg-surface-2' : 'bg-surface',
        here ? 'border-ink inset-ring inset-ring-ink' : target ? 'border-dashed border-ink-2' : 'border-line',
      )}
    >
      <div className="flex items-baseline gap-1">
        <span
          className={classNames('min-w-0 truncate font-mono text-xs', (here || target) && 'font-semibold')}
        >
          {name}
        </span>
        {target && <span className="text-xs text-ink-2">goal</span>}
        <span className="ml-auto flex items-center gap-1 text-xs whitespace-nowrap text-ink-3">
          {state}
          {here && (
            <span title="The agent is here" className="text-ink">
              <Icon of={MapPin} size="small" />
              <span className="sr-only">the agent is here</span>
            </span>
          )}
        </span>
      </div>
      {contents.length > 0 && (
        <ul aria-label={`In ${name}`} className="-ml-1 flex flex-wrap gap-x-1 gap-y-0.5 pt-0.5">
          {contents.map((thing) => (
            <li key={thing}>
              <Thing name={thing} target={targets.includes(thing)} quiet={closed} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** An object by its name; one that the goal means is framed with dashes and said to be it. */
function Thing({ name, target, quiet = false }: { name: string; target: boolean; quiet?: boolean }) {
  return (
    <span
      className={classNames(
        'inline-block rounded-sm border px-0.75 font-mono text-xs/4',
        target ? 'border-dashed border-ink font-semibold' : 'border-transparent',
        quiet ? 'text-ink-3' : 'text-ink',
      )}
    >
      {name}
      {target && <span className="sr-only"> (target)</span>}
    </span>
  );
}
