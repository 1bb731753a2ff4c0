import { statfsSync } from 'node:fs';
import { formatBytes } from '@/contract/format';

/** Events of a few steps and a checkpoint of a small model. */
const LEAST_FREE_BYTES = 64_000_000;

/**
 * Whether the worker's disk has room for a run. Without this a worker with a full disk claims a run again and again,
 * and loses an attempt each time.
 */
export class DiskRoom {
  private wasEnough = true;

  constructor(
    private readonly dir: string,
    private readonly say: (line: string) => void,
    private readonly freeBytesOf: (dir: string) => number = freeBytes,
  ) {}

  /** Says so when the disk becomes too full, and when it has room again. */
  isEnough(): boolean {
    const free = this.freeBytesOf(this.dir);
    const enough = free >= LEAST_FREE_BYTES;
    if (enough !== this.wasEnough) {
      const state = `${this.dir} has ${formatBytes(free)} free`;
      this.say(
        enough ? state : `${state}, a run needs ${formatBytes(LEAST_FREE_BYTES)}: none is claimed until then`,
      );
    }
    this.wasEnough = enough;
    return enough;
  }
}

function freeBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
