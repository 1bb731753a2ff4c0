import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEPT_CHARACTERS } from '@/contract/trajectory-cut';
import { claimSample, launchSample, sampleTurn, trajectory, type SampleAttempt } from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { requireTrajectory, requireTurn } from './queries';

const TOKENS = 11_000;

let database: TestDatabase;
let run: SampleAttempt;
beforeAll(async () => {
  database = await openTestDatabase();
  await launchSample(database);
  run = await claimSample(database, 'worker-a');
});
afterAll(() => database.close());

async function store(turns: ReturnType<typeof sampleTurn>[]): Promise<string> {
  const { published } = await run.say(trajectory({ turns, turnsCount: turns.length }));
  const event = published[0]?.event;
  return event?.kind === 'trajectory:finished' ? event.trajectory.id : '';
}

describe('a long transcript', () => {
  const tokens = {
    ids: Array.from({ length: TOKENS }, (_, index) => index),
    texts: Array.from({ length: TOKENS }, () => 'word '),
    logprobs: Array.from({ length: TOKENS }, (_, index) => (index === 0 ? null : -0.5)),
  };
  const turns = [0, 1].map((index) =>
    sampleTurn(index, {
      observation: `${'x'.repeat(KEPT_CHARACTERS - 1)}😀 the end`,
      reply: 'word '.repeat(TOKENS),
      tokens,
    }),
  );

  it('comes cut where that is asked for, says what it lacks, and gives each turn whole', async () => {
    const id = await store(turns);
    const detail = await requireTrajectory(database, id, true);
    expect(detail.cut).toEqual(
      [0, 1].map((index) => ({
        index,
        characters:
          KEPT_CHARACTERS - 1 + Array.from('😀 the end').length + 5 * TOKENS + 'The ball is ahead.'.length,
        tokens: TOKENS,
        meanLogprob: -0.5,
      })),
    );
    const [first] = detail.trajectory.turns;
    expect(first?.tokens).toBeNull();
    expect(first?.observation).toBe('x'.repeat(KEPT_CHARACTERS - 1));
    expect(first?.reply).toHaveLength(KEPT_CHARACTERS);
    expect(JSON.stringify(detail).length).toBeLessThan(20_000);
    expect(await requireTurn(database, id, 1)).toEqual(turns[1]);
  });

  it('comes whole where nothing is said', async () => {
    const detail = await requireTrajectory(database, await store(turns));
    expect(detail.trajectory.turns).toEqual(turns);
    expect(detail).not.toHaveProperty('cut');
  });

  it('is no short one, which is never cut', async () => {
    const short = [sampleTurn(0), sampleTurn(1)];
    const detail = await requireTrajectory(database, await store(short), true);
    expect(detail.trajectory.turns).toEqual(short);
    expect(detail).not.toHaveProperty('cut');
  });

  it('has no turn beyond its last', async () => {
    const id = await store([sampleTurn(0)]);
    await expect(requireTurn(database, id, 1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(requireTurn(database, 'x', 0)).rejects.toMatchObject({ code: 'not_found' });
  });
});
