import type pg from 'pg';
import type { RunKind } from '@/contract/run';
import { emptyRunView, type RunView } from '@/contract/run-view';
import { SCHEMA_VERSION } from '@/contract/version';
import { safeJson, safeText } from '../ingest/safe-text';

/** A run before it has an id. */
export interface NewRun {
  name: string;
  kind: RunKind;
  recipe: string;
  preset: string;
  /** Null where its record does not state it. */
  seed: number | null;
  config: unknown;
  engine: string;
  /** Null where nobody said how many there will be. */
  steps: number | null;
}

/** Writes the row of a new run, queued. Ids are `r-` and at least four digits. */
export async function insertRun(
  queryable: Pick<pg.ClientBase, 'query'>,
  { name, kind, recipe, preset, seed, config, engine, steps }: NewRun,
): Promise<{ runId: string; view: RunView }> {
  const { rows } = await queryable.query<{ number: number }>(
    `SELECT nextval(pg_get_serial_sequence('"Run"', 'number'))::int AS number`,
  );
  const number = rows[0]?.number ?? 0;
  const runId = `r-${String(number).padStart(4, '0')}`;
  const view = { ...emptyRunView(runId), steps };
  await queryable.query(
    `INSERT INTO "Run" ("id", "number", "name", "kind", "recipe", "preset", "seed", "config", "configVersion",
       "engine", "steps", "view")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      runId,
      number,
      safeText(name),
      kind,
      recipe,
      safeText(preset),
      seed,
      JSON.stringify(safeJson(config)),
      SCHEMA_VERSION,
      engine,
      steps,
      JSON.stringify(view),
    ],
  );
  return { runId, view };
}
