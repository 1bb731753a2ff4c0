import { ActionScoresPanel } from './action-scores-panel';
import { ForkPanel } from './fork-panel';
import { checkpointRunOf, type SideModel } from './pair-model';
import type { TurnPanel } from './pair-side';

/** What checkpoints can be asked of a turn of a pair: its action's score under both, and to go on from it. */
export const turnWork: TurnPanel = ({ side, other, turn }) => {
  if (!side.played) return null;
  const trajectoryId = side.played.id;
  const sides = [side, other].sort((one, two) => one.name.localeCompare(two.name));
  const [a, b] = sides.map(({ played }) => played?.id);
  return (
    <>
      {a !== undefined && b !== undefined && <ActionScoresPanel ids={[a, b]} of={side.name} turn={turn} />}
      <ForkPanel trajectoryId={trajectoryId} turn={turn} sides={sides.map(forkingSide)} />
    </>
  );
};

function forkingSide(side: SideModel) {
  return { name: side.name, checkpoint: { runId: checkpointRunOf(side).id, step: side.step } };
}
