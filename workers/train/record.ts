import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';

/**
 * The files of a run without a server: `events.jsonl` (one event a line; equal for equal seeds but for `at` and
 * what `time/*` and `seconds` measure) and `metrics.csv` (step, name, value). Both are whole up to the last event.
 */
export class RunRecord {
  private readonly events: number;
  private readonly metrics: number;

  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true });
    this.events = openSync(join(dir, 'events.jsonl'), 'wx');
    this.metrics = openSync(join(dir, 'metrics.csv'), 'w');
    writeSync(this.metrics, 'step,name,value\n');
  }

  /** Where the checkpoint of a step belongs. */
  checkpointDir(step: number): string {
    return join(this.dir, 'checkpoints', `step-${String(step).padStart(6, '0')}`);
  }

  /** @param at ms since 1970 */
  write(event: RecipeEvent, at: number): void {
    const portable =
      event.kind === 'checkpoint:written' ? { ...event, dir: relative(this.dir, event.dir) } : event;
    writeSync(this.events, `${JSON.stringify({ at, event: portable })}\n`);
    if (event.kind !== 'points:measured') return;
    const rows = event.points.map(({ name, value }) => `${event.step},${name},${fromWireNumber(value)}\n`);
    writeSync(this.metrics, rows.join(''));
  }

  close(): void {
    closeSync(this.events);
    closeSync(this.metrics);
  }
}
