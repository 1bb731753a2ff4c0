import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '@/contract/errors';
import { REPOSITORY_DIR } from '../env';
import type { OutputTail } from './output-tail';

const GUARDIAN = fileURLToPath(new URL('./guardian.mjs', import.meta.url));
/** Between SIGKILL and a group that is gone; a process that a driver holds takes longer, or for ever. */
const VERIFY_MS = 10_000;
const VERIFY_EVERY_MS = 50;
const LAST_OUTPUT_MS = 1000;

export interface ProcessGroupOptions {
  /** Program and arguments; no shell reads them. */
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  output: OutputTail;
  /** From SIGTERM to SIGKILL, in ms. */
  graceMs: number;
}

/** A command with all that it starts, in a process group of its own: a terminal's Ctrl-C does not reach it. */
export class ProcessGroup {
  private readonly leader: ChildProcess;
  /** How the command ended, in words; whatever it left behind is being killed by then. */
  readonly ended: Promise<string>;

  constructor(private readonly options: ProcessGroupOptions) {
    const { argv, env, output, graceMs } = options;
    this.leader = fork(GUARDIAN, [String(graceMs), ...argv], {
      cwd: REPOSITORY_DIR,
      // The framework's types have NODE_ENV in every environment; Node needs it in none.
      env: env as NodeJS.ProcessEnv,
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.leader.stdout, this.leader.stderr]) if (stream) output.follow(stream);
    this.ended = this.watch();
  }

  get id(): number {
    return this.leader.pid ?? -1;
  }

  /** SIGTERM, a grace, SIGKILL, all to the whole group. Throws `unavailable` where a process outlives that. */
  async stop(): Promise<void> {
    if (this.leader.pid === undefined) return;
    this.signal('SIGTERM');
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([
      this.ended,
      sleep(this.options.graceMs, undefined, { signal }).catch(() => undefined),
    ]);
    waiting.abort();
    this.signal('SIGKILL');
    for (let waitedMs = 0; membersOf(this.id).length > 0; waitedMs += VERIFY_EVERY_MS) {
      if (waitedMs >= VERIFY_MS)
        throw new AppError(
          'unavailable',
          `processes ${membersOf(this.id).join(', ')} of the engine command are alive ${VERIFY_MS / 1000} s after SIGKILL`,
        );
      await sleep(VERIFY_EVERY_MS);
    }
  }

  private watch(): Promise<string> {
    return new Promise((resolve) => {
      let told: string | null = null;
      this.leader.on('message', ({ ended }: { ended: string }) => (told = ended));
      this.leader.on('error', (error) => resolve(`could not be started: ${error.message}`));
      this.leader.once('exit', (code, signal) => {
        // A guardian that was killed alone leaves its command without one.
        this.signal('SIGKILL');
        const words = told ?? (signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`);
        // The last lines of its output are still to be read, unless a process that left the group holds it open.
        this.leader.once('close', () => resolve(words));
        setTimeout(() => resolve(words), LAST_OUTPUT_MS).unref();
      });
    });
  }

  private signal(signal: NodeJS.Signals): void {
    if (this.leader.pid === undefined) return;
    try {
      process.kill(-this.leader.pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Pids of a group's processes that run; one that has ended and was not yet asked how is none. */
export function membersOf(groupId: number): number[] {
  try {
    process.kill(-groupId, 0);
  } catch {
    return [];
  }
  let pids: string[];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // Without /proc the group answers for its members.
    return [groupId];
  }
  return pids.filter((pid) => isMember(pid, groupId)).map(Number);
}

function isMember(pid: string, groupId: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Fields follow the command's name, which may itself hold spaces and brackets: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === groupId && state !== 'Z' && state !== 'X';
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
