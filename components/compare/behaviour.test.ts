import { describe, expect, it } from 'vitest';
import { aTrajectory, counted } from './compare-fixtures';
import { behaviourOf, playedBy } from './played';

function behaviourOfTokens(...tokens: (number | null)[]) {
  const trajectories = tokens.map((replyTokens, task) =>
    aTrajectory(`task ${task}`, true, { replyTokens, turns: task + 1 }),
  );
  const evaluation = { ...counted(tokens.length, tokens.length), trajectories };
  const { split, decoding } = evaluation.evaluation;
  const choice = { split, decoding, countsErrors: true, like: null, beside: [] };
  const played = playedBy({ evaluations: [evaluation] }, choice);
  if (!played) throw new Error('nothing was played');
  return behaviourOf(played);
}

describe('the behaviour of a checkpoint', () => {
  it('has no mean of tokens where its trajectories state none', () => {
    expect(behaviourOfTokens(null, null, null)).toMatchObject({ turnsMean: 2, replyTokensMean: null });
  });

  it('averages tokens over the trajectories that state them', () => {
    expect(behaviourOfTokens(10, null, 0)).toMatchObject({ replyTokensMean: 5 });
  });
});
