import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Engine } from '@/contract/engine';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { fromWireNumber, type RecipeEvent } from '@/contract/run-events';
import { trainGrpo } from '@/rl/recipes/grpo';
import { tinkerServer } from '../../env';
import { localContext } from '../../run/local-context';
import { tinyConfig, writeTinyBase } from '../../testing/tiny-training';
import { createEngine } from '../engine';
import { EngineServeProcess } from './testing/engine-serve';

let dir: string;
let base: string;
let server: EngineServeProcess;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'grpo-tinker-'));
  base = join(dir, 'base');
  await writeTinyBase(base);
  server = await serve(0);
});
afterAll(async () => {
  await server?.end();
  rmSync(dir, { recursive: true, force: true });
});

function serve(port: number): Promise<EngineServeProcess> {
  const argv = ['--model', base, '--port', String(port), '--checkpoints', join(dir, 'saved')];
  return EngineServeProcess.start([...argv, '--micro-batch-tokens', '1024']);
}

/** Three updates with every term of the loss, so that reference and entropies cross the wire too. */
function config(kind: Engine['kind']): GrpoConfig {
  const tiny = tinyConfig(base, { steps: 3, checkpoint: { everySteps: 1 } });
  if (kind === 'none') throw new Error('nothing trains without an engine');
  return { ...tiny, engine: { ...tiny.engine, kind }, update: { ...tiny.update, klCoef: 0.01 } };
}

function openEngine(kind: Engine['kind']): Promise<Engine> {
  const variables = { STEPSCOPE_TINKER_URL: server.address, STEPSCOPE_TINKER_PATIENCE_S: '1' };
  return createEngine(config(kind).engine, tinkerServer(variables));
}

const checkpointDir = (kind: string, step: number): string => join(dir, kind, `step-${step}`);

function train(engine: Engine, resumeFrom: { step: number } | null = null): AsyncGenerator<RecipeEvent> {
  const context = localContext(engine, (step) => checkpointDir(engine.kind, step));
  return trainGrpo(config(engine.kind), { ...context, resumeFrom });
}

/** Figures by step and name, and what was played; times are not compared. */
function told(events: readonly RecipeEvent[]) {
  const points = events.flatMap((event) =>
    event.kind === 'points:measured'
      ? event.points.map(({ name, value }) => [`${event.step} ${name}`, fromWireNumber(value)] as const)
      : [],
  );
  const replies = events.flatMap((event) =>
    event.kind === 'trajectory:finished' ? event.trajectory.turns.map(({ reply }) => reply) : [],
  );
  return { points: new Map(points.filter(([name]) => !name.includes(' time/'))), replies };
}

function expectSame(actual: ReturnType<typeof told>, expected: ReturnType<typeof told>): void {
  expect([...actual.points.keys()]).toEqual([...expected.points.keys()]);
  for (const [name, value] of expected.points)
    expect(Math.abs((actual.points.get(name) ?? NaN) - value), name).toBeLessThan(1e-5);
  expect(actual.replies).toEqual(expected.replies);
}

async function collect(events: AsyncGenerator<RecipeEvent>): Promise<RecipeEvent[]> {
  const all: RecipeEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

async function trained(kind: Engine['kind']): Promise<RecipeEvent[]> {
  const engine = await openEngine(kind);
  try {
    return await collect(train(engine));
  } finally {
    await engine.close();
  }
}

let undisturbed: RecipeEvent[];

it('the same run gives the same figures and replies in process and over a server', async () => {
  undisturbed = await trained('onnx');
  const expected = told(undisturbed);
  expect(expected.points.get('3 actor/updates')).toBe(3);
  expect(expected.points.get('3 actor/entropy')).toBeGreaterThan(0);
  expect(expected.replies.length).toBeGreaterThan(3);
  expectSame(told(await trained('tinker')), expected);
});

it('a server that is killed ends the run with its name, and a resume goes on from the last checkpoint', async () => {
  const doomed = await openEngine('tinker');
  const events = train(doomed);
  for (let next = await events.next(); !next.done; next = await events.next())
    if (next.value.kind === 'checkpoint:written' && next.value.step === 2) break;
  await server.end('SIGKILL');
  await expect(collect(events)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(server.address) as string,
  });
  await doomed.close();

  server = await serve(server.port);
  const resumed = await openEngine('tinker');
  await resumed.training.loadState(checkpointDir('tinker', 2));
  const rest = await collect(train(resumed, { step: 2 }));
  await resumed.close();
  const { points, replies } = told(undisturbed);
  const third = [...points].filter(([name]) => name.startsWith('3 '));
  expect(third.length).toBeGreaterThan(10);
  const actual = told(rest);
  expectSame(actual, { points: new Map(third), replies: replies.slice(-actual.replies.length) });
});
