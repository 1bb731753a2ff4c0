import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_INDEXED_TEXT } from '@/contract/bounds';
import { TrajectoriesQuery } from '@/contract/trajectory-list';
import { listEvaluations } from '../evaluations/queries';
import {
  claimSample,
  evaluation,
  launchSample,
  points,
  trajectory,
  type SampleAttempt,
} from '../testing/samples';
import { openTestDatabase, type TestDatabase } from '../testing/test-database';
import { listTrajectories } from '../trajectories/list';
import { trajectoryFilterValues } from '../trajectories/list-summary';
import { indexedText } from './indexed-text';

describe('a text that an index holds', () => {
  it('stays as it is up to what the index takes, in bytes', () => {
    for (const text of ['', 'Open:3', 'x'.repeat(2_500), '红'.repeat(833)])
      expect(indexedText(text)).toBe(text);
  });

  it('is cut beyond that, says so, and ends in what tells it from others that begin alike', () => {
    const long = 'x'.repeat(3_000);
    const cut = indexedText(long);
    expect(cut).toMatch(/^x{2000,}… \(cut, 3,000 characters, sha256 [0-9a-f]{16}\)$/);
    expect(Buffer.byteLength(cut)).toBe(2_500);
    expect(indexedText(long)).toBe(cut);
    expect(indexedText(`${long}y`)).not.toBe(cut);
    expect(indexedText(cut)).toBe(cut);
  });

  it('is cut between characters', () => {
    for (const character of ['é', '红', '👩'])
      expect(indexedText(character.repeat(2_000))).toMatch(new RegExp(`^(${character})+… \\(cut, `, 'u'));
  });
});

describe('a batch with task types, task ids and flags longer than an index takes', () => {
  // Random, since an index would compress it otherwise.
  const taskType = `${randomBytes(4_000).toString('base64')} type`;
  const taskId = `${randomBytes(4_000).toString('base64')} task`;
  const flag = `${randomBytes(4_000).toString('base64')} flag`;
  let database: TestDatabase;
  let run: SampleAttempt;
  beforeAll(async () => {
    database = await openTestDatabase();
    await launchSample(database);
    run = await claimSample(database, 'worker-a');
    await run.say(
      points(1, { 'a/b': 1 }),
      trajectory({ taskType, taskId, flags: ['loop', flag] }),
      trajectory({ taskType: `${taskType}!`, taskId: '👩'.repeat(650) }),
      evaluation({ byTaskType: [{ taskType, n: 10, successes: 4, invalidActions: 3, turns: 50 }] }),
    );
  });
  afterAll(() => database.close());

  it('is stored whole, what was cut is marked, and different ones stay apart', async () => {
    const { rows } = await database.pool.query<{ taskType: string; taskId: string }>(
      `SELECT "taskType", "taskId" FROM "Trajectory" ORDER BY "seq"`,
    );
    expect(rows).toEqual([
      { taskType: indexedText(taskType), taskId: indexedText(taskId) },
      { taskType: indexedText(`${taskType}!`), taskId: indexedText('👩'.repeat(650)) },
    ]);
    expect(rows[0]?.taskType).not.toBe(rows[1]?.taskType);
  });

  it('names the task types of an evaluation as those of its trajectories', async () => {
    const [row] = await listEvaluations(database, run.runId);
    expect(row?.evaluation.byTaskType[0]?.taskType).toBe(indexedText(taskType));
  });

  it('is found by the cut task types and flags that the filters offer', async () => {
    const { taskTypes, flags } = await trajectoryFilterValues(database, run.runId);
    expect(taskTypes).toHaveLength(2);
    for (const offered of taskTypes) {
      expect(offered.length).toBeLessThanOrEqual(MAX_INDEXED_TEXT);
      const query = TrajectoriesQuery.parse({ taskType: offered });
      expect((await listTrajectories(database, run.runId, query)).trajectories).toHaveLength(1);
    }
    expect(new Set(flags)).toEqual(new Set([indexedText(flag), 'loop']));
    const flagged = TrajectoriesQuery.parse({ flag: indexedText(flag) });
    expect((await listTrajectories(database, run.runId, flagged)).trajectories).toHaveLength(1);
  });
});
