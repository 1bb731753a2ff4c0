import type { BehaviourCounts } from '@/contract/pair';
import type { Trajectory } from '@/contract/trajectory';
import { markTurns, type TurnFacts } from './turn-marks';

type PlayedFacts = Pick<Trajectory, 'success' | 'error' | 'finalPicture'> & { turns: readonly TurnFacts[] };

/** What trajectories of one task did, summed; all 0 without any. */
export function countBehaviour(trajectories: readonly PlayedFacts[]): BehaviourCounts {
  const counts: BehaviourCounts = {
    trajectories: trajectories.length,
    errored: 0,
    successes: 0,
    oneShot: 0,
    turns: 0,
    listedTurns: 0,
    grounded: 0,
    invalid: 0,
    noOp: 0,
    judgedTurns: 0,
    looping: 0,
  };
  for (const { success, error, turns, finalPicture } of trajectories) {
    const marks = markTurns(turns, finalPicture);
    const listed = turns.filter((turn) => turn.availableActions.length > 0);
    counts.errored += Number(error !== null);
    counts.successes += Number(success);
    counts.oneShot += Number(success === true && turns.length === 1);
    counts.turns += turns.length;
    counts.listedTurns += listed.length;
    counts.grounded += listed.filter((turn) => turn.formatOk && turn.admissible).length;
    counts.invalid += turns.filter((turn) => !turn.valid).length;
    counts.noOp += marks.filter((mark) => mark.verdict === 'no_op').length;
    counts.judgedTurns += marks.filter((mark) => mark.stateChanged !== null).length;
    counts.looping += Number(marks.some((mark) => mark.loop !== null));
  }
  return counts;
}
