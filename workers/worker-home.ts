import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { WorkerHandshake } from '@/contract/socket';

const Holder = z.object({
  pid: z.int(),
  /** When the kernel started it, in clock ticks since boot: tells a process from a later one of the same pid. */
  startedAt: z.string(),
});

/** A worker's own folder: who it is, what it has not yet sent, its checkpoints. One process at a time uses it. */
export class WorkerHome {
  private constructor(
    readonly dir: string,
    /** Stays the same for the folder, so that checkpoints in it stay reachable. */
    readonly workerId: string,
  ) {}

  /** Throws `conflict` naming the process that uses the folder. */
  static open(dir: string): WorkerHome {
    mkdirSync(dir, { recursive: true });
    lock(lockPath(dir));
    return new WorkerHome(dir, readOrMakeId(join(dir, 'worker-id')));
  }

  get outboxDir(): string {
    return join(this.dir, 'outbox');
  }

  get checkpointsDir(): string {
    return join(this.dir, 'checkpoints');
  }

  close(): void {
    rmSync(lockPath(this.dir), { force: true });
  }
}

function lockPath(dir: string): string {
  return join(dir, 'worker.lock');
}

function lock(path: string): void {
  const holder = existsSync(path) ? readHolder(path) : null;
  if (holder && holder.pid !== process.pid && startTime(holder.pid) === holder.startedAt)
    throw new AppError(
      'conflict',
      `${path}: worker process ${holder.pid} uses this folder; give another --home`,
    );
  rmSync(path, { force: true });
  // Of two processes that get here together one fails: the file is made, never opened.
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: startTime(process.pid) }), {
    flag: 'wx',
  });
}

function readHolder(path: string): z.infer<typeof Holder> | null {
  try {
    return Holder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Cut off while it was written: whoever wrote it is gone.
    return null;
  }
}

/** Null for a process that does not run; the empty text where the system has no /proc to tell by. */
function startTime(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields follow the command's name, which may itself hold spaces and brackets; the start is the 22nd.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: its parent has only not asked how.
    return state === 'Z' ? null : (fields[18] ?? '');
  } catch {
    return '';
  }
}

function readOrMakeId(path: string): string {
  if (!existsSync(path)) {
    const made = `worker-${randomBytes(4).toString('hex')}`;
    writeFileSync(path, `${made}\n`);
    return made;
  }
  const id = readFileSync(path, 'utf8').trim();
  const parsed = WorkerHandshake.shape.workerId.safeParse(id);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'invalid_input',
    `${path} holds ${JSON.stringify(id)}; ${parsed.error.issues[0]?.message ?? 'not an id'}`,
  );
}
