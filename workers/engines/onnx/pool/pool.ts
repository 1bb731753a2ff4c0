import { AppError } from '@/contract/errors';
import { EngineChild } from './child-process';
import type { ChildSettings } from './messages';
import { parameterCount } from '../model/parameters';
import { vectorFileDir } from './vector-file';

/** The child processes of one engine. They live and die together: half an engine would train on half the data. */
export class ChildPool {
  private readonly children: EngineChild[];
  private closing: Promise<void> | null = null;

  private constructor(count: number, vectorDir: string) {
    this.children = Array.from(
      { length: count },
      (_, index) => new EngineChild(index, vectorDir, (error) => this.failAll(error)),
    );
  }

  /** Starts `count` children; throws where one cannot start, and leaves none behind. */
  static async open(count: number, settings: ChildSettings): Promise<ChildPool> {
    if (!Number.isInteger(count) || count < 1)
      throw new AppError('invalid_input', `children is ${count}, it must be at least 1`);
    const bytes = count * parameterCount(settings.config) * Float32Array.BYTES_PER_ELEMENT;
    const pool = new ChildPool(count, vectorFileDir(bytes));
    try {
      await Promise.all(pool.children.map((child) => child.request('open', settings)));
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get size(): number {
    return this.children.length;
  }

  get pids(): number[] {
    return this.children.flatMap((child) => child.pid ?? []);
  }

  /** The child that computes lane `lane`; lanes beyond the pool share children. */
  lane(lane: number): EngineChild {
    const child = this.children[lane % this.children.length];
    if (!child) throw new AppError('invalid_input', `lane is ${lane}, it must be a whole number from 0`);
    return child;
  }

  /** Ends all children; safe to call twice. */
  close(): Promise<void> {
    this.closing ??= Promise.all(this.children.map((child) => child.close())).then(() => undefined);
    return this.closing;
  }

  private failAll(error: AppError): void {
    for (const child of this.children) child.fail(error);
    void this.close();
  }
}
