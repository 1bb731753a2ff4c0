import type { JudgeName } from '@/contract/judge-table';
import type { RecipeEvent } from '@/contract/run-events';
import { judgeFigures, type TabledTurn } from '@/rl/learning/judge-tables';
import type { DrawnTurn } from './judge';

/** Gathers what a judge says until a window of steps is full, and tabulates it. */
export class JudgeWindow {
  private fromStep: number | null = null;
  private turns: TabledTurn[] = [];
  private unscored = 0;

  /** @param steps windows end with the multiples of this, and with the run */
  constructor(
    private readonly judge: JudgeName,
    private readonly steps: number,
  ) {}

  *observe(
    step: number,
    drawn: readonly DrawnTurn[],
    scores: readonly (number | null)[],
    isLast: boolean,
  ): Generator<RecipeEvent> {
    this.fromStep ??= step;
    drawn.forEach(({ episode: { trajectory }, turn }, index) => {
      const judgeScore = scores[index] ?? null;
      if (judgeScore === null) this.unscored++;
      else {
        const { taskType, success, turns } = trajectory;
        this.turns.push({ taskType, success, judgeScore, replyTokens: turns[turn]?.replyTokens ?? 0 });
      }
    });
    if (step % this.steps !== 0 && !isLast) return;
    const { judge, fromStep, unscored } = this;
    const table = { judge, fromStep, toStep: step, unscored, ...judgeFigures(this.turns) };
    yield { kind: 'judge:tabulated', table };
    this.fromStep = null;
    this.turns = [];
    this.unscored = 0;
  }
}
