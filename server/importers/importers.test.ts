import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { evaluationKey } from '@/contract/evaluation';
import { openSource } from './source';
import { fileOf, readSource, seriesOf, trajectoriesOf } from './testing/read-source';
import { cellsOf } from './verl-csv';
import { verlName } from './verl-names';

const LOGS = path.join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'logs');

describe.skipIf(!existsSync(LOGS))('logs of the field (STEPSCOPE_DATA)', () => {
  it('reads a wide table of metrics and gives verl its slashes back', async () => {
    const { format, events, skipped } = await readSource(path.join(LOGS, 'verl_alfworld_grpo.csv'));
    expect(format).toBe('verl-csv');
    expect(seriesOf(events, 'actor/entropy').length).toBe(49);
    expect(seriesOf(events, 'actor/entropy').at(-1)).toEqual([49, 0.042310357093811035]);
    expect(seriesOf(events, 'critic/score/mean').length).toBe(49);
    expect(skipped).toEqual([]);
  });

  it('leaves an empty cell out and takes its row’s other values', async () => {
    const { events } = await readSource(path.join(LOGS, 'alfworld_grpo_telemetry.csv'));
    expect(seriesOf(events, 'val/success_rate')[0]).toEqual([0, 0.1640625]);
    expect(seriesOf(events, 'episode/success_rate')[0]).toEqual([1, 0.1015625]);
  });

  it('reads 250 rows of a DAPO run', async () => {
    const { events } = await readSource(path.join(LOGS, 'verl_babyai_dapo.csv'));
    expect(seriesOf(events, 'critic/score/mean').at(-1)?.[1]).toBeCloseTo(0.80292, 5);
    expect(seriesOf(events, 'training/global_step').length).toBe(250);
  });

  it('reads console lines through colours and process names', async () => {
    const { format, events } = await readSource(path.join(LOGS, 'verl_console_babyai.log'));
    expect(format).toBe('verl-console');
    expect(seriesOf(events, 'max_rounds')[0]).toEqual([1, 6]);
    expect(seriesOf(events, 'global_seqlen/min')[0]).toEqual([1, 3877]);
    expect(seriesOf(events, 'actor/entropy_loss').length).toBe(80);
  });

  it('takes AgentGym’s BabyAI successes from what the environment said, not from the flag', async () => {
    const { format, events, skipped } = await readSource(
      path.join(LOGS, 'agentgym_babyai_trajectories.jsonl'),
    );
    expect(format).toBe('agentgym-trajectories');
    const trajectories = trajectoriesOf(events);
    expect(trajectories.length).toBe(12);
    expect(trajectories.filter(({ success }) => success).length).toBe(11);
    expect(skipped[0]?.reason).toContain('11 episodes');
    const evaluations = events.flatMap((event) =>
      event.kind === 'evaluation:finished' ? [event.evaluation] : [],
    );
    expect(evaluations.map(({ seed, n, successes }) => [seed, n, successes])).toEqual([
      [null, 6, 6],
      [1, 6, 5],
    ]);
    expect(new Set(trajectories.map(({ evaluation }) => evaluation))).toEqual(
      new Set(evaluations.map((evaluation) => evaluationKey(evaluation))),
    );
    const [first] = trajectories;
    expect(first?.goal).toBe('go to the red ball');
    expect(first?.turns[0]).toMatchObject({ action: 'go to red ball 1', admissible: true, formatOk: true });
    expect(first?.turns[0]?.availableActions).toContain('check available actions');
    expect(first?.reward).toBe(0.8875);
    expect(first).toMatchObject({ seed: null, promptTokens: null, replyTokens: null });
    expect(first?.turns[0]).toMatchObject({ promptTokens: null, replyTokens: null });
  });

  it('reads an executor log whose episode has no turn as an error, not as a failure in play', async () => {
    const { format, events } = await readSource(path.join(LOGS, 'agentgym_executor_log.json'), { step: 100 });
    expect(format).toBe('agentgym-executor');
    expect(trajectoriesOf(events)[0]).toMatchObject({
      step: 100,
      taskId: '318',
      stopReason: 'error',
      turns: [],
    });
  });

  it('reads the same from an Inspect log as zip and as JSON', async () => {
    const zipped = await readSource(path.join(LOGS, 'inspect_small.eval'));
    const plain = await readSource(path.join(LOGS, 'inspect_small.json'));
    expect(zipped.format).toBe('inspect');
    expect(trajectoriesOf(zipped.events)[0]?.turns).toEqual(trajectoriesOf(plain.events)[0]?.turns);
    expect(trajectoriesOf(zipped.events)[0]?.turns[0]?.reply).toBe('No');
    const evaluation = zipped.events.find((event) => event.kind === 'evaluation:finished');
    expect(evaluation).toMatchObject({ evaluation: { n: 1, successes: 0, temperature: 1, maxTurns: null } });
  });

  it('says that an Inspect log holds fewer samples than it states, and rates none without a score', async () => {
    const { events, skipped } = await readSource(path.join(LOGS, 'inspect_tool_call_error.json'));
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'the log states 4 samples and holds 1',
      '1 samples have no score: they are in no rate',
    ]);
    expect(events.some((event) => event.kind === 'evaluation:finished')).toBe(false);
    expect(seriesOf(events, 'includes/accuracy')).toEqual([[0, 1]]);
  });
});

describe('damaged logs', () => {
  it('are refused with file and line', async () => {
    const table = await fileOf('metrics.csv', 'step,actor_lr\n1,0.1\n2\n3,0.1\n');
    await expect(readSource(table)).rejects.toThrow('metrics.csv:3: 1 cells, expected 2 as in line 1');
    const step = await fileOf('metrics.csv', 'step,actor_lr\none,0.1\n');
    await expect(readSource(step)).rejects.toThrow(
      'metrics.csv:2: step is "one", expected a whole number from 0',
    );
    const lines = await fileOf(
      'log.jsonl',
      '{"step": 1, "data": {"a/b": 1}}\n{"step": \n{"step": 3, "data": {}}\n',
    );
    await expect(readSource(lines)).rejects.toThrow('log.jsonl:2: expected a JSON value');
  });

  it('are refused by line and value where a step or a sample has no place in a column', async () => {
    const range = 'expected a whole number from 0 to 2147483647';
    const refused = async (name: string, text: string, message: string) =>
      expect(readSource(await fileOf(name, text))).rejects.toThrow(`${message}, ${range}`);
    await refused('metrics.csv', 'step,a/b\n1,2\n99999999999,2\n', 'metrics.csv:3: step is "99999999999"');
    await refused('metrics.csv', 'step,a/b\n-1,2\n', 'metrics.csv:2: step is "-1"');
    await refused('log.txt', 'step:1 - a/b:1\nstep:2147483648 - a/b:1\n', 'log.txt:2: step is "2147483648"');
    await refused(
      'log.jsonl',
      '{"step": 1, "data": {"a/b": 1}}\n{"step": 99999999999, "data": {"a/b": 1}}\n',
      'log.jsonl:2: step is 99999999999',
    );
    await refused(
      '99999999999.jsonl',
      '{"input":"p","output":"x","score":1}\n',
      '99999999999.jsonl:1: step is "99999999999"',
    );
    await refused(
      '5.jsonl',
      '{"input":"p","output":"x","score":1,"step":99999999999}\n',
      '5.jsonl:1: step is 99999999999',
    );
    const played = { item_id: 'babyai_1', reward: 1, conversations: [], sample_idx: 99999999999 };
    await refused('t.jsonl', `${JSON.stringify(played)}\n`, 't.jsonl:1: sample_idx is 99999999999');
  });

  it('lose no more than the last line where a process was killed in the middle of it', async () => {
    const lines = await fileOf('log.jsonl', '{"step": 1, "data": {"a/b": 1}}\n{"step": 2, "da');
    const { events, skipped } = await readSource(lines);
    expect(seriesOf(events, 'a/b')).toEqual([[1, 1]]);
    expect(skipped).toEqual([{ file: 'log.jsonl', line: 2, reason: 'the last line is cut off' }]);
  });

  it('are not opened where they are pickles, and not followed where they link out of their folder', async () => {
    await expect(openSource(await fileOf('weights.pkl', 'x'))).rejects.toThrow('no plain file of a log');
    const inside = await fileOf('1.jsonl', '{}');
    const folder = path.dirname(inside);
    await symlink('/etc/passwd', path.join(folder, '2.jsonl'));
    expect((await openSource(folder)).files.map(({ name }) => name)).toEqual(['1.jsonl']);
  });

  it('of no known format are refused by name', async () => {
    await expect(readSource(await fileOf('notes.txt', 'hello'))).rejects.toThrow('not recognised as any of');
  });
});

describe('metrics', () => {
  it('keep any printable name, and NaN and the infinities as what they are', async () => {
    const table = await fileOf('metrics.csv', 'step,成功率 @ 50%/ß,b/c\n1,nan,-inf\n1,1e-3,Infinity\n');
    const { events } = await readSource(table);
    expect(seriesOf(events, '成功率 @ 50%/ß')).toEqual([
      [1, 'NaN'],
      [1, 0.001],
    ]);
    expect(seriesOf(events, 'b/c').map(([, value]) => value)).toEqual(['-Infinity', 'Infinity']);
  });

  it('tell a cell that is no number by line and go on', async () => {
    const { events, skipped } = await readSource(await fileOf('metrics.csv', 'step,a/b,c/d\n1,abc,2\n'));
    expect(seriesOf(events, 'c/d')).toEqual([[1, 2]]);
    expect(skipped).toEqual([{ file: 'metrics.csv', line: 2, reason: 'a/b is "abc", which is no number' }]);
  });

  it('that give a step several rows are all kept, and said with their counts', async () => {
    const table = await fileOf('metrics.csv', 'step,a/b,c/d\n1,2,3\n1,4,\n1,5,\n2,6,7\n1,8,9\n');
    const { events, skipped } = await readSource(table);
    expect(seriesOf(events, 'a/b').map(([step, value]) => `${step}: ${value}`)).toEqual([
      '1: 2',
      '1: 4',
      '1: 5',
      '2: 6',
      '1: 8',
    ]);
    expect(skipped).toEqual([
      {
        file: 'metrics.csv',
        line: null,
        reason:
          '4 points of 1 step and 2 series repeat a step that an earlier line gives: all are kept, the last line’s is the value of its step and a curve spans them',
      },
    ]);
  });

  it('that share a step without sharing a series repeat nothing', async () => {
    const lines = '{"step": 1, "data": {"a/b": 1}}\n{"step": 1, "data": {"c/d": 1}}\n';
    expect((await readSource(await fileOf('log.jsonl', lines))).skipped).toEqual([]);
  });

  it('of verl read as verl writes them', () => {
    expect(verlName('critic_rewards_mean')).toBe('critic/rewards/mean');
    expect(verlName('response_length_non_aborted_clip_ratio')).toBe('response_length_non_aborted/clip_ratio');
    expect(verlName('timing_s_agent_loop_generate_sequences_max')).toBe(
      'timing_s/agent_loop/generate_sequences/max',
    );
    expect(verlName('perf_mfu_actor')).toBe('perf/mfu/actor');
    expect(verlName('loss')).toBe('loss');
  });

  it('stand in cells that may be quoted', () => {
    expect(cellsOf('a,"b ""c"", d",,e')).toEqual(['a', 'b "c", d', '', 'e']);
    expect(cellsOf('a,"b')).toBeNull();
    expect(cellsOf('a,b"c')).toBeNull();
  });
});

describe('trajectories of AgentGym', () => {
  const line = (item: string, success: number, sample?: number) =>
    JSON.stringify({ item_id: item, reward: success, success, conversations: [], sample_idx: sample });
  const read = async (...lines: string[]) => {
    const { events, skipped } = await readSource(await fileOf('t.jsonl', `${lines.join('\n')}\n`));
    return {
      samples: trajectoriesOf(events).map(({ taskId, sample }) => `${taskId} ${sample}`),
      evaluations: events.flatMap((event) =>
        event.kind === 'evaluation:finished'
          ? [[event.evaluation.seed, event.evaluation.n, event.evaluation.successes]]
          : [],
      ),
      skipped,
    };
  };

  it('that play a task again without a sample_idx are further samples, each counted', async () => {
    const { samples, evaluations, skipped } = await read(
      line('w_1', 1),
      line('w_1', 0),
      line('w_2', 1),
      line('w_1', 1),
      line('w_2', 0),
    );
    expect(samples).toEqual(['w_1 0', 'w_1 1', 'w_2 0', 'w_1 2', 'w_2 1']);
    expect(evaluations).toEqual([
      [null, 2, 2],
      [1, 2, 0],
      [2, 1, 1],
    ]);
    expect(skipped).toEqual([]);
  });

  it('that leave the flag out are won where the reward is 1, by which AgentGym sets it', async () => {
    const unflagged = (item: string, reward: number) =>
      JSON.stringify({ item_id: item, reward, conversations: [] });
    const { evaluations } = await read(unflagged('w_1', 1), unflagged('w_2', 0.5), unflagged('w_3', 1));
    expect(evaluations).toEqual([[null, 3, 2]]);
  });

  it('that repeat a sample_idx are further samples too, and said', async () => {
    const { samples, skipped } = await read(line('w_1', 1, 0), line('w_1', 0, 0), line('w_1', 0, 1));
    expect(samples).toEqual(['w_1 0', 'w_1 1', 'w_1 2']);
    expect(skipped[0]?.reason).toContain('2 episodes state a sample_idx that another');
  });
});

describe('samples of verl', () => {
  it('are trajectories of the step that names their file, in groups of one prompt', async () => {
    const first = await fileOf(
      '5.jsonl',
      ['p', 'p', 'q']
        .map((input) => JSON.stringify({ input, output: 'Action: go', score: 1, acc: 1 }))
        .join('\n'),
    );
    await writeFile(path.join(path.dirname(first), '6.jsonl'), '{"input":"p","output":"x","score":0.5}\n');
    const { format, events, skipped } = await readSource(path.dirname(first));
    expect(format).toBe('verl-rollouts');
    expect(
      trajectoriesOf(events).map(({ step, group, sample, success }) => [step, group, sample, success]),
    ).toEqual([
      [5, 0, 0, true],
      [5, 0, 1, true],
      [5, 1, 0, true],
      [6, 0, 0, null],
    ]);
    expect(skipped[0]?.reason).toContain('whether they succeeded is not known');
  });

  it('that state no finite number as a score have none either, and a text is refused by field and value', async () => {
    const odd = await fileOf(
      '8.jsonl',
      '{"input":"p","output":"x","score":NaN,"acc":1}\n{"input":"q","output":"x","score":1e999,"acc":NaN}\n',
    );
    const { events } = await readSource(path.dirname(odd));
    expect(trajectoriesOf(events)).toMatchObject([
      { reward: null, success: true },
      { reward: null, success: null },
    ]);
    const text = await fileOf('9.jsonl', '{"input":"p","output":"x","score":"0.5"}\n');
    await expect(readSource(path.dirname(text))).rejects.toThrow('9.jsonl:1: score: got "0.5"');
  });

  it('that state no score have none, and are flagged and counted', async () => {
    const file = await fileOf(
      '7.jsonl',
      '{"input":"p","output":"x","acc":1}\n{"input":"q","output":"x","score":null}\n',
    );
    const { events, skipped } = await readSource(path.dirname(file));
    expect(trajectoriesOf(events)).toMatchObject([
      { reward: null, success: true, stopReason: 'success', flags: ['imported', 'reward_not_stated'] },
      {
        reward: null,
        success: null,
        stopReason: 'not_stated',
        flags: ['imported', 'success_not_stated', 'reward_not_stated'],
      },
    ]);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('2 samples state neither score nor reward'),
      expect.stringContaining('1 samples state none of'),
    ]);
  });
});

describe('events of npm run train', () => {
  it('come with their checkpoints where the folder is named, and name no folder outside of it', async () => {
    const events = await fileOf(
      'events.jsonl',
      '{"at":5,"event":{"kind":"checkpoint:written","step":1,"parentStep":null,"dir":"checkpoints/step-000001"}}\n',
    );
    await mkdir(path.join(path.dirname(events), 'checkpoints'));
    const read = await readSource(path.dirname(events));
    expect(read.events[0]).toMatchObject({ kind: 'checkpoint:written', step: 1 });
    const outside = await fileOf(
      'events.jsonl',
      '{"at":5,"event":{"kind":"checkpoint:written","step":1,"parentStep":null,"dir":"../../etc"}}\n',
    );
    await expect(readSource(path.dirname(outside))).rejects.toThrow('events.jsonl:1: checkpoint:written');
  });
});

describe('an event of a newer version', () => {
  it('is left out by name and line, and the others are read', async () => {
    const file = await fileOf(
      'events.jsonl',
      '{"at":5,"event":{"kind":"moon:risen"}}\n{"at":6,"event":{"kind":"points:measured","step":1,"points":[{"name":"a/b","value":2}]}}\n',
    );
    const { events, skipped } = await readSource(file);
    expect(seriesOf(events, 'a/b')).toEqual([[1, 2]]);
    expect(skipped).toEqual([
      { file: 'events.jsonl', line: 1, reason: 'moon:risen is no event that this version knows' },
    ]);
  });
});
