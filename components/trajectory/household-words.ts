import type { HouseholdPicture } from '@/contract/trajectory';

export type Receptacle = HouseholdPicture['receptacles'][number];
export type StageProgress = HouseholdPicture['progress'][number];

/** A household picture in words, for the list beside it. */
export interface HouseholdWords {
  agent: string;
  holds: string;
  targets: string;
  /** Every target is shut in where the agent cannot see it. */
  targetsHidden: boolean;
}

export function householdWords({ receptacles, holding, targets }: HouseholdPicture): HouseholdWords {
  const here = receptacles.filter((receptacle) => receptacle.here).map((receptacle) => receptacle.name);
  const places = targets.map((target) => placeOf(target, receptacles, holding));
  return {
    agent: here.length > 0 ? `at ${here.join(', ')}` : 'at no receptacle',
    holds: holding ?? 'nothing',
    targets:
      targets.length === 0
        ? 'no object of the kind'
        : targets.map((target, index) => `${target} ${places[index]?.words}`).join('; '),
    targetsHidden: places.length > 0 && places.every((place) => place.hidden),
  };
}

function placeOf(
  target: string,
  receptacles: readonly Receptacle[],
  holding: string | null,
): { words: string; hidden: boolean } {
  if (target === holding) return { words: 'in hand', hidden: false };
  const receptacle = receptacles.find(({ contents }) => contents.includes(target));
  if (!receptacle) return { words: 'nowhere in the picture', hidden: true };
  const hidden = receptacle.state === 'closed';
  return { words: `at ${receptacle.name}${hidden ? ', closed' : ''}`, hidden };
}

/** How far a stage has come. */
export function stageState({ done, of }: StageProgress): 'done' | 'begun' | 'open' {
  if (done >= of) return 'done';
  return done > 0 ? 'begun' : 'open';
}

/** `taken`, `taken 1 of 2`: a count only where there is more than one to do. */
export function stageWords({ stage, done, of }: StageProgress): string {
  return of === 1 ? stage : `${stage} ${done} of ${of}`;
}
