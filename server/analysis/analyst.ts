import { RESUMED_FROM_RECORDS } from '@/contract/recipes/requested';
import { detectAll, DETECTORS_VERSION } from '@/stats/detectors/detect';
import type { Database } from '../database';
import { markTrajectories } from './mark-trajectories';
import { readRun, unreadRun, type KnownRun } from './read-run';
import { storeAlerts } from './store-alerts';

/** Runs whose facts are kept between two looks; another is read anew from its events. */
const RUNS_KEPT = 16;
const RUNS_A_LOOK = 50;

/** A run that the detectors have read. */
export interface AnalysedRun {
  runId: string;
  /** Its alerts are others than before. */
  alertsChanged: boolean;
}

interface Unread {
  runId: string;
  position: number;
  /** Older detectors have read it, or none. */
  isOutdated: boolean;
  /** A new attempt of it goes on from what is stored. */
  goesOn: boolean;
}

/** Looks over runs that have said something since the detectors last read them. What it knows of them can be read again. */
export class Analyst {
  private readonly known = new Map<string, KnownRun>();
  /** Positions at which runs could not be read: the others go on, these are tried again once they say more. */
  private readonly unreadable = new Map<string, number>();

  constructor(private readonly database: Database) {}

  /** Reads what is new of up to 50 runs and stores what the detectors find; `tell` hears of each once it is stored. */
  async look(tell: (run: AnalysedRun) => void): Promise<void> {
    const runs = await this.unread();
    for (const run of runs) {
      try {
        tell(await this.analyse(run));
      } catch (error) {
        // Without a database no run is to blame.
        await this.database.pool.query('SELECT 1');
        console.error(`detectors could not read run ${run.runId}:`, error);
        this.unreadable.set(run.runId, run.position);
        this.known.delete(run.runId);
      }
    }
  }

  private async unread(): Promise<Unread[]> {
    const { rows } = await this.database.pool.query<Unread>(
      `SELECT run."id" AS "runId", run."position", coalesce(analysis."version" <> $1, true) AS "isOutdated",
         run."recipe" = ANY($5) AS "goesOn"
       FROM "Run" run LEFT JOIN "RunAnalysis" analysis ON analysis."runId" = run."id"
       WHERE run."position" > 0
         AND (run."id", run."position") NOT IN (SELECT * FROM unnest($3::text[], $4::int[]))
         AND (analysis."position" IS DISTINCT FROM run."position" OR analysis."version" <> $1)
       ORDER BY run."number" LIMIT $2`,
      [
        DETECTORS_VERSION,
        RUNS_A_LOOK,
        [...this.unreadable.keys()],
        [...this.unreadable.values()],
        RESUMED_FROM_RECORDS,
      ],
    );
    return rows;
  }

  private async analyse({ runId, position, isOutdated, goesOn }: Unread): Promise<AnalysedRun> {
    if (isOutdated) await markTrajectories(this.database, runId);
    const known = this.knownOf(runId, position, goesOn);
    await readRun(this.database, runId, known, position);
    const alertsChanged = await storeAlerts(this.database, runId, position, detectAll(known.facts));
    return { runId, alertsChanged };
  }

  /** A run whose position went back, as after a database was restored, is read anew. */
  private knownOf(runId: string, position: number, goesOn: boolean): KnownRun {
    const before = this.known.get(runId);
    const known = before && before.position <= position ? before : unreadRun(goesOn);
    // The newest is last, so that the first is the one that was not looked at for longest.
    this.known.delete(runId);
    this.known.set(runId, known);
    const [oldest] = this.known.keys();
    if (this.known.size > RUNS_KEPT && oldest !== undefined) this.known.delete(oldest);
    return known;
  }
}
