import type { EvaluationResult } from '@/contract/evaluation';
import type { TrajectoryMarks } from '@/contract/failure-cluster';
import type { JudgeTable } from '@/contract/judge-table';
import { isFinalStatus } from '@/contract/run';
import { fromWireNumber, type PublishedPayload, type TrajectorySummary } from '@/contract/run-events';
import type { TrajectoryPhase } from '@/contract/trajectory';
import { rolesOf, type SeriesRole } from './series-roles';
import { addTrajectory, emptyStep, type StepTrajectories } from './step-trajectories';

export interface Point {
  step: number;
  value: number;
}

/** A series that some detector looks at: finite points by step, the newest attempt's. */
export interface WatchedSeries {
  name: string;
  points: readonly Point[];
}

interface StoredSeries {
  roles: readonly SeriesRole[];
  bySteps: Map<number, { attempt: number; value: number }>;
  /** Its points by step; null once another has come. */
  sorted: Point[] | null;
}

/** All that the detectors know of a run, gathered from its events in their order. Bounded by its steps, not its turns. */
export class RunFacts {
  private readonly series = new Map<string, StoredSeries | null>();
  private readonly steps = new Map<string, StepTrajectories>();
  private readonly results = new Map<string, { attempt: number; evaluation: EvaluationResult }>();
  private readonly tables = new Map<number, JudgeTable>();
  /** By attempt. */
  private readonly finishedSteps = new Map<number, number>();
  private isEnded = false;

  /** @param goesOn a new attempt plays only what earlier ones have not, so that the trajectories of all count */
  constructor(private readonly goesOn = false) {}

  /** `marksOf`: marks of a trajectory by its id; null where they are not known. */
  add(
    event: PublishedPayload,
    attempt: number,
    marksOf: (trajectoryId: string) => TrajectoryMarks | null,
  ): void {
    switch (event.kind) {
      case 'points:measured':
        for (const { name, value } of event.points)
          this.addPoint(name, event.step, fromWireNumber(value), attempt);
        return;
      case 'trajectory:finished':
        return this.addTrajectory(event.trajectory, attempt, marksOf(event.trajectory.id));
      case 'evaluation:finished':
        return this.addEvaluation(event.evaluation, attempt);
      case 'judge:tabulated':
        this.tables.set(event.table.toStep, event.table);
        return;
      case 'step:finished':
        this.finishedSteps.set(attempt, event.step);
        return;
      case 'status:changed':
        this.isEnded = isFinalStatus(event.status);
        return;
      default:
        return;
    }
  }

  /** Series of a role, by name. */
  of(role: SeriesRole): WatchedSeries[] {
    return [...this.series]
      .flatMap(([name, stored]) => (stored?.roles.includes(role) ? [{ name, points: pointsOf(stored) }] : []))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Trajectories by step, of the phase that is asked for. A step whose trajectories may still be coming is left out:
   * a group of which one has arrived is no group of one. How far an attempt came says nothing of the next one's steps.
   */
  trajectories(phase: TrajectoryPhase): StepTrajectories[] {
    const ofPhase = [...this.steps.values()].filter((step) => step.phase === phase);
    const newest = new Map<number, number>();
    for (const { step, attempt } of ofPhase) newest.set(attempt, Math.max(step, newest.get(attempt) ?? -1));
    const begun = ({ attempt }: StepTrajectories) =>
      Math.max(newest.get(attempt) ?? -1, this.finishedSteps.get(attempt) ?? -1);
    return ofPhase.filter((each) => this.isEnded || each.step < begun(each)).sort((a, b) => a.step - b.step);
  }

  /** Evaluations of the run's checkpoints, by step; of those repeated the newest attempt's. */
  evaluations(): EvaluationResult[] {
    return [...this.results.values()]
      .map(({ evaluation }) => evaluation)
      .filter(({ policy, n }) => policy === 'checkpoint' && n > 0)
      .sort((a, b) => a.step - b.step);
  }

  judgeTables(): JudgeTable[] {
    return [...this.tables.values()].sort((a, b) => a.toStep - b.toStep);
  }

  private addPoint(name: string, step: number, value: number, attempt: number): void {
    let stored = this.series.get(name);
    if (stored === undefined) {
      const roles = rolesOf(name);
      stored = roles.length === 0 ? null : { roles, bySteps: new Map(), sorted: null };
      this.series.set(name, stored);
    }
    if (stored === null) return;
    const known = stored.bySteps.get(step);
    if (known && known.attempt > attempt) return;
    stored.bySteps.set(step, { attempt, value });
    stored.sorted = null;
  }

  private addTrajectory(summary: TrajectorySummary, attempt: number, marks: TrajectoryMarks | null): void {
    const key = `${summary.phase}/${summary.step}`;
    const known = this.steps.get(key);
    if (known && known.attempt > attempt && !this.goesOn) return;
    const isCounted = known !== undefined && (this.goesOn || known.attempt === attempt);
    const step = isCounted ? known : emptyStep(summary.step, summary.phase, attempt);
    step.attempt = Math.max(step.attempt, attempt);
    this.steps.set(key, step);
    addTrajectory(step, summary, marks);
  }

  private addEvaluation(evaluation: EvaluationResult, attempt: number): void {
    const { checkpoint, step, policy, split, decoding } = evaluation;
    const key = [checkpoint?.runId, step, policy, split, decoding].join('/');
    const known = this.results.get(key);
    if (!known || known.attempt <= attempt) this.results.set(key, { attempt, evaluation });
  }
}

function pointsOf(stored: StoredSeries): Point[] {
  stored.sorted ??= [...stored.bySteps]
    .flatMap(([step, { value }]) => (Number.isFinite(value) ? [{ step, value }] : []))
    .sort((a, b) => a.step - b.step);
  return stored.sorted;
}
