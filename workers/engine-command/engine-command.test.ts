import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EngineCommandReport } from '@/contract/worker-report';
import { REPOSITORY_DIR } from '../env';
import { Secret } from '../engines/tinker/secret';
import { eventually } from '../testing/programs';
import { EngineCommand, type EngineCommandLimits } from './engine-command';
import { membersOf } from './process-group';

const ADDRESS = 'http://127.0.0.1:8000';
const LIMITS: EngineCommandLimits = { graceMs: 1000, askEveryMs: 20, steadyMs: 600_000, starts: 2 };
const WAITS_FOR_EVER = 'setInterval(() => undefined, 1000);';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-command-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let commands: EngineCommand[] = [];
afterEach(async () => {
  await Promise.all(commands.map((command) => command.stop()));
  commands = [];
});

interface Started {
  command: EngineCommand;
  lines: string[];
  /** Groups that were started, from the words of the reports. */
  groups: number[];
}

/** Runs `program` in Node; `answers` says whether the engine's address does, given what was written so far. */
function start(
  program: string,
  answers: (lines: readonly string[]) => boolean,
  { readyMs = 20_000 } = {},
): Started {
  const lines: string[] = [];
  const groups: number[] = [];
  const command = new EngineCommand({
    settings: {
      argv: [process.execPath, '-e', program],
      readyMs,
      env: process.env,
      secrets: [new Secret('tml-secret')],
    },
    address: ADDRESS,
    probe: () => Promise.resolve(answers(lines) ? null : 'connection refused'),
    say: (line) => {
      lines.push(line);
      const group = Number(/process group (\d+) is started/.exec(line)?.[1] ?? NaN);
      if (Number.isFinite(group)) groups.push(group);
    },
    changed: () => undefined,
    limits: LIMITS,
  });
  commands.push(command);
  return { command, lines, groups };
}

function reaches(
  { command, lines }: Started,
  state: EngineCommandReport['state'],
): Promise<EngineCommandReport> {
  return eventually(
    () => command.report.state === state && command.report,
    () => `engine command ${state}: ${lines.join('\n')}`,
  );
}

const wrote = (text: string) => (lines: readonly string[]) => lines.some((line) => line.endsWith(text));

describe('an engine command', () => {
  it('is ready once its address answers, and ends with all its processes', async () => {
    const program = `require('child_process').spawn('sleep', ['60']); console.log('loaded'); ${WAITS_FOR_EVER}`;
    const started = start(program, wrote('loaded'));
    expect((await reaches(started, 'ready')).words).toContain(`answers at ${ADDRESS}`);
    const [group = 0] = started.groups;
    // Guardian, command, and what the command started.
    expect(membersOf(group)).toHaveLength(3);
    await started.command.stop();
    expect(membersOf(group)).toEqual([]);
    expect(started.command.report).toEqual({ state: 'stopped', words: 'stopped with the worker' });
  });

  it('has time to end in order', async () => {
    const file = join(dir, 'saved');
    const program = `process.on('SIGTERM', () => setTimeout(() => {
      require('fs').writeFileSync(${JSON.stringify(file)}, 'weights'); process.exit() }, 50));
      console.log('loaded'); ${WAITS_FOR_EVER}`;
    const started = start(program, wrote('loaded'));
    await reaches(started, 'ready');
    await started.command.stop();
    expect(readFileSync(file, 'utf8')).toBe('weights');
  });

  it('that ignores SIGTERM is killed', async () => {
    const program = `process.on('SIGTERM', () => undefined); console.log('loaded'); ${WAITS_FOR_EVER}`;
    const started = start(program, wrote('loaded'));
    await reaches(started, 'ready');
    await started.command.stop();
    expect(membersOf(started.groups[0] ?? 0)).toEqual([]);
  });

  it('that ends at once is started again, then given up with what it wrote last, secrets hidden', async () => {
    const started = start(`console.error('no GPU for tml-secret'); process.exit(3)`, () => false);
    expect((await reaches(started, 'waiting')).words).toBe(
      'the engine command ended with exit code 3; the last it wrote: no GPU for [secret]; start 2 of 2 follows',
    );
    expect((await reaches(started, 'given-up')).words).toContain('2 starts in a row came to nothing');
    expect(new Set(started.groups).size).toBe(2);
    expect(started.lines.join('\n')).not.toContain('tml-secret');
  });

  it('that cannot be started says so', async () => {
    const started = start('', () => false);
    await started.command.stop();
    const command = new EngineCommand({
      settings: { argv: ['/absent/engine'], readyMs: 20_000, env: process.env, secrets: [] },
      address: ADDRESS,
      probe: () => Promise.resolve('connection refused'),
      say: () => undefined,
      changed: () => undefined,
      limits: { ...LIMITS, starts: 1 },
    });
    commands.push(command);
    await eventually(
      () => command.report.state === 'given-up',
      () => JSON.stringify(command.report),
    );
    expect(command.report.words).toContain('could not be started: spawn /absent/engine ENOENT');
  });

  it('that never answers is ended and says what its address said', async () => {
    const started = start(`console.log('loading'); ${WAITS_FOR_EVER}`, () => false, { readyMs: 1500 });
    const { words } = await reaches(started, 'waiting');
    expect(words).toContain(`did not answer at ${ADDRESS} within 1.5 s (connection refused)`);
    expect(membersOf(started.groups[0] ?? 0)).toEqual([]);
  });

  it('that ends while it is in use fails what uses it, with the last that it wrote', async () => {
    const file = join(dir, 'enough');
    const program = `console.log('loaded'); setInterval(() => {
      if (!require('fs').existsSync(${JSON.stringify(file)})) return;
      console.log('CUDA out of memory'); process.exit(1) }, 20)`;
    const started = start(program, wrote('loaded'));
    await reaches(started, 'ready');
    const lifetime = started.command.lifetime;
    expect(lifetime?.aborted).toBe(false);
    writeFileSync(file, '');
    await eventually(
      () => lifetime?.aborted,
      () => 'the lifetime is over',
    );
    expect(String(lifetime?.reason)).toContain(
      'the engine command ended with exit code 1, and the models on it are gone with it. The last it wrote:\nloaded\nCUDA out of memory',
    );
  });

  it('waits where something else answers at its address, and is started once that is free', async () => {
    let isFree = false;
    const started = start(
      `console.log('loaded'); ${WAITS_FOR_EVER}`,
      (lines) => !isFree || wrote('loaded')(lines),
    );
    expect((await reaches(started, 'waiting')).words).toContain(`${ADDRESS} is answered by something else`);
    expect(started.groups).toEqual([]);
    isFree = true;
    await reaches(started, 'ready');
    expect(started.groups).toHaveLength(1);
  });
});

describe('the guardian of a command', () => {
  it('ends it when its parent is gone', async () => {
    const entry = fileURLToPath(new URL('./guardian.mjs', import.meta.url));
    const program = `console.log('up'); process.on('SIGTERM', () => undefined); ${WAITS_FOR_EVER}`;
    const guardian = fork(entry, ['200', process.execPath, '-e', program], {
      cwd: REPOSITORY_DIR,
      execArgv: [],
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    if (guardian.stdout) await once(guardian.stdout, 'data');
    const group = guardian.pid ?? 0;
    expect(membersOf(group)).toHaveLength(2);
    guardian.disconnect();
    await eventually(
      () => membersOf(group).length === 0,
      () => `processes ${membersOf(group).join(', ')} have ended`,
    );
  });
});
