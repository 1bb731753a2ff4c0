import type { PlayMoment } from '@/contract/play';

export interface TakenTurn {
  turn: NonNullable<PlayMoment['turn']>;
  /** What the world answered; null where it has not yet. */
  answer: string | null;
}

/** The turns of a play in their order, each as it was last told. */
export function takenTurns(moments: readonly PlayMoment[]): TakenTurn[] {
  const taken = new Map<number, TakenTurn>();
  for (const { turn, observation } of moments) if (turn) taken.set(turn.index, { turn, answer: observation });
  // Of pasted observations, the answer to a turn is what was pasted next.
  const turns = [...taken.values()].sort((a, b) => a.turn.index - b.turn.index);
  return turns.map((each, index) => ({
    ...each,
    answer: each.answer ?? turns[index + 1]?.turn.observation ?? null,
  }));
}
