import { AppError } from '@/contract/errors';
import type { Turn } from '@/contract/trajectory';
import type { Episode, Task } from '@/rl/environments/environment';
import type { Expert } from '@/rl/environments/expert';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import type { Judge } from './judge';

/** Turns to a win from a state: a plan's length, Infinity where nothing can win any more, NaN where it is not known. */
type Distance = number;

/**
 * Score of a turn by the distances to a win before and after it: -1 for an action that is refused and for one after which
 * nothing can win; otherwise how much nearer it led, held to [-1, 1]: 1 along a shortest plan, 0 for a turn that changes
 * nothing, -1 for one that leads away. Null where a distance is not known, and where nothing could win before.
 */
export function progressScore(
  { before, after }: { before: Distance; after: Distance },
  wasRefused: boolean,
): number | null {
  if (!Number.isFinite(before) || Number.isNaN(after)) return null;
  if (wasRefused) return -1;
  return Math.max(-1, Math.min(1, before - after));
}

/** The environment's expert as a judge: an oracle, for it knows the hidden state. Throws where the environment has none. */
export function expertJudge(suite: EnvironmentSuite): Judge {
  const { expert } = suite;
  const { id } = suite.environment;
  if (!expert)
    throw new AppError('invalid_input', `judge.source is expert, ${id} has none; expected endpoint or none`);
  return {
    name: { kind: 'oracle', name: id },
    async *judge(turns) {
      const scores: (number | null)[] = [];
      let replayed: Replayed | null = null;
      for (const { task, episode, turn } of turns) {
        const { turns: played } = episode.trajectory;
        if (replayed?.turns !== played) replayed = await Replayed.start(suite, expert, task, played);
        const before = await replayed.distanceBefore(turn);
        const after = await replayed.distanceBefore(turn + 1);
        scores.push(progressScore({ before, after }, played[turn]?.valid === false));
      }
      return { scores, metrics: {} };
    },
  };
}

/** A trajectory played again, state by state. */
class Replayed {
  /** Turns played. */
  private at = 0;
  private hasWon = false;
  private readonly distances = new Map<number, Distance>();

  private constructor(
    readonly turns: readonly Turn[],
    private readonly episode: Episode,
    private readonly expert: Expert<Episode>,
  ) {}

  static async start(
    { environment }: EnvironmentSuite,
    expert: Expert<Episode>,
    task: Task,
    turns: readonly Turn[],
  ): Promise<Replayed> {
    return new Replayed(turns, await environment.start(task), expert);
  }

  /** Turns are asked for in their order. */
  async distanceBefore(turn: number): Promise<Distance> {
    const known = this.distances.get(turn);
    if (known !== undefined) return known;
    for (; this.at < turn; this.at++) {
      const result = await this.episode.step(this.turns[this.at]?.action ?? '');
      this.hasWon = result.success;
    }
    const distance = this.hasWon ? 0 : this.plannedDistance();
    this.distances.set(turn, distance);
    return distance;
  }

  private plannedDistance(): Distance {
    const plan = this.expert.plan(this.episode);
    if (plan.actions) return plan.actions.length;
    return plan.proven ? Infinity : NaN;
  }
}
