import { AppError } from '@/contract/errors';
import { decodeStatePicture } from '@/contract/state-picture';
import type {
  GridPicture as Grid,
  HouseholdPicture as Household,
  StatePicture as Picture,
} from '@/contract/trajectory';
import type { ReactNode } from 'react';
import { NotRecorded } from '@/components/ui/state-panel';
import type { GridCrop } from './grid-crop';
import { GridPicture } from './grid-picture';
import { gridWords } from './grid-words';
import { HouseholdPicture } from './household-picture';
import { householdWords } from './household-words';

/** The state as picture and words; where it cannot be shown, why. `moment` names it: `before turn 5`. */
export function StatePicture({
  picture: text,
  moment,
  size = 248,
  crop,
}: {
  picture: string | null;
  moment: string;
  size?: number;
  crop: GridCrop | null;
}) {
  if (text === null)
    return (
      <NotRecorded>
        <p>
          States are kept with the trajectories that a run records in full (recording.trainGroups, probes).
        </p>
      </NotRecorded>
    );
  const picture = readPicture(text);
  if (picture instanceof AppError)
    return (
      <div className="p-2.5 text-sm">
        <p className="font-medium text-bad">The picture of the state cannot be read.</p>
        <p className="font-mono text-mono break-all text-ink-2">{picture.message}</p>
      </div>
    );
  return (
    <div className="flex flex-wrap gap-3 p-2.5">
      {picture.kind === 'grid' ? (
        <>
          <div className="flex-none border border-line">
            <GridPicture picture={picture} size={size} crop={crop} />
          </div>
          <GridStateWords picture={picture} moment={moment} crop={crop} />
        </>
      ) : (
        <>
          <HouseholdPicture picture={picture} />
          <HouseholdStateWords picture={picture} moment={moment} />
        </>
      )}
    </div>
  );
}

/** Names and words in two columns; a pair in `warn` where the reader should look twice. */
function WordList({ rows }: { rows: readonly { name: string; words: ReactNode; warn?: boolean }[] }) {
  return (
    <dl className="grid grid-cols-[52px_minmax(0,1fr)] content-start gap-x-1.5 gap-y-px text-sm [&_dt]:text-ink-3">
      {rows.map(({ name, words, warn }) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd className={warn ? 'text-warn' : undefined}>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function HouseholdStateWords({ picture, moment }: { picture: Household; moment: string }) {
  const words = householdWords(picture);
  return (
    <div className="min-w-40 flex-1 basis-40">
      <WordList
        rows={[
          { name: 'state', words: moment },
          { name: 'agent', words: words.agent },
          { name: 'target', words: words.targets, warn: words.targetsHidden },
        ]}
      />
      <p className="mt-1.5 flex gap-3 text-xs text-ink-3">
        <span>
          <i aria-hidden className="inline-block size-2.25 border border-line-2 bg-surface-2 align-[-1px]" />{' '}
          closed
        </span>
        <span>
          <i
            aria-hidden
            className="inline-block h-2.25 w-3.5 rounded-sm border border-dashed border-ink align-[-1px]"
          />{' '}
          named by the goal
        </span>
      </p>
    </div>
  );
}

function GridStateWords({ picture, moment, crop }: { picture: Grid; moment: string; crop: GridCrop | null }) {
  const words = gridWords(picture);
  return (
    <div className="min-w-40 flex-1 basis-40">
      <WordList
        rows={[
          { name: 'state', words: moment },
          { name: 'agent', words: words.agent },
          { name: 'carries', words: words.carries },
          { name: 'sees', words: words.sees },
          { name: 'target', words: words.target, warn: words.targetHidden },
        ]}
      />
      <p className="mt-1.5 flex gap-3 text-xs text-ink-3">
        <span>
          <i aria-hidden className="inline-block size-2.25 border border-line-2 bg-(--g-fog) align-[-1px]" />{' '}
          out of view
        </span>
        <span>
          <i
            aria-hidden
            className="inline-block size-2.25 rounded-full border border-dashed border-ink align-[-1px]"
          />{' '}
          target
        </span>
      </p>
      {crop ? (
        <p className="mt-1 text-xs text-ink-3">
          Drawn: columns {crop.x}–{crop.x + crop.width - 1}, rows {crop.y}–{crop.y + crop.height - 1} of{' '}
          {picture.width} × {picture.height}, all that was ever in view.
        </p>
      ) : null}
    </div>
  );
}

function readPicture(text: string): Picture | AppError {
  try {
    return decodeStatePicture(text);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
