import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { REPOSITORY_DIR } from '../../../env';

/** `npm run engine:serve` in a process of its own. */
export class EngineServeProcess {
  private constructor(
    private readonly process: ChildProcess,
    readonly address: string,
  ) {}

  /**
   * Starts it with these arguments, in this process's environment or the given one, and waits until it listens. Throws
   * with what it wrote where it ends before.
   */
  static async start(argv: readonly string[], env?: NodeJS.ProcessEnv): Promise<EngineServeProcess> {
    const script = join(REPOSITORY_DIR, 'scripts', 'run-ts.mjs');
    const child = spawn(
      process.execPath,
      [script, '--until-parent-exits', 'workers/engines/serve/main.ts', ...argv],
      { cwd: REPOSITORY_DIR, env, stdio: ['pipe', 'pipe', 'pipe'] },
    );
    const written: string[] = [];
    const listening = new Promise<string>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => {
          written.push(line);
          const address = / is served on (\S+),/.exec(line)?.[1];
          if (address !== undefined) resolve(address);
        });
    });
    const ended = once(child, 'close').then(() => Promise.reject(new Error(written.join('\n'))));
    const address = await Promise.race([listening, ended]);
    ended.catch(() => undefined);
    return new EngineServeProcess(child, address);
  }

  /** The port it listens on. */
  get port(): number {
    return Number(new URL(this.address).port);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const closed = once(this.process, 'close');
    this.process.kill(signal);
    await closed;
  }
}
