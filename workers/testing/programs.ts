import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { REPOSITORY_DIR } from '../env';

/** A program of the product as a process of its own, so that it can be killed like one. */
export class TestProgram {
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly exited: Promise<number | null>,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static start(
    file: string,
    argv: string[],
    variables: Record<string, string>,
    base: NodeJS.ProcessEnv,
  ): TestProgram {
    const child = spawn(process.execPath, ['--import', 'tsx', file, ...argv], {
      cwd: REPOSITORY_DIR,
      env: { ...base, NODE_ENV: 'test', ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
    return new TestProgram(child, exited);
  }

  /** What it has printed. */
  get output(): string {
    return this.text;
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it by `signal` and waits; its exit code, null where the signal killed it. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.isRunning) this.child.kill(signal);
    return this.exited;
  }
}

/** Asks until `probe` gives something; throws with `describe()` after `limitMs`. */
export async function eventually<T>(
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  describe: () => string,
  limitMs = 60_000,
): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`not within ${limitMs / 1000} s: ${describe()}`);
    await sleep(50);
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

/** The address and the worker token that a server wrote into its data folder. */
export function readServerFiles(home: string): { url: string; token: string } {
  const { url } = z
    .object({ url: z.string() })
    .parse(JSON.parse(readFileSync(join(home, 'server.json'), 'utf8')));
  return { url, token: readFileSync(join(home, 'worker-token'), 'utf8').trim() };
}
