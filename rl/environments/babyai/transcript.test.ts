import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBabyAi, agentGymText } from './babyai';
import { babyAiTask } from './task';
import { printGrid, RecordedTranscript, replayTranscript } from './transcript';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden');
const environment = createBabyAi({ compat: 'agentgym' });

describe.skipIf(!existsSync(GOLDEN))('golden transcripts of AgentGym (STEPSCOPE_DATA)', () => {
  it.each([
    { file: 'babyai_agentgym.jsonl', episodes: 160, turns: 3221 },
    { file: 'babyai_agentgym_handover.jsonl', episodes: 468, turns: 6950 },
    { file: 'babyai_agentgym_stale_handover.jsonl', episodes: 3, turns: 37 },
  ])('$file replays letter by letter', { timeout: 60_000 }, ({ file, episodes, turns }) => {
    const replays = readFileSync(join(GOLDEN, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => replayTranscript(environment, JSON.parse(line)));
    expect(replays.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(replays).toHaveLength(episodes);
    expect(replays.every(({ skipped, compared }) => skipped === null && compared > 0)).toBe(true);
    expect(replays.reduce((sum, replay) => sum + replay.turns, 0)).toBe(turns);
  });

  it('hold late successes that are paid again, as compat pays them and payOnce does not', () => {
    const lines = readFileSync(join(GOLDEN, 'babyai_agentgym_handover.jsonl'), 'utf8').trim().split('\n');
    const paidAgain = lines
      .map((line) => RecordedTranscript.parse(JSON.parse(line)))
      .filter(({ steps }) => steps.some(isPaidAgain));
    expect(paidAgain).toHaveLength(7);
    const once = createBabyAi({ compat: 'agentgym', payOnce: true });
    for (const record of paidAgain) {
      expect(replayTranscript(environment, record).mismatches).toEqual([]);
      expect(replayTranscript(once, record).mismatches.map(({ at }) => at)).toEqual(
        expect.arrayContaining(record.steps.flatMap((step, index) => (isPaidAgain(step) ? [index] : []))),
      );
    }
  });
});

/** A reward on a turn that neither moved nor won. */
function isPaidAgain({ resp }: RecordedTranscript['steps'][number]): boolean {
  return resp.reward > 0 && !resp.observation.includes('The task is completed.');
}

/** A short episode recorded from this environment. */
function record(actions: readonly string[], seed = 3): RecordedTranscript {
  const episode = environment.start(babyAiTask('GoToLocalS8N7', seed, 'train'));
  const { grid, maxSteps, mission } = episode.world;
  const start = {
    name: 'BabyAI-GoToLocalS8N7-v0',
    seed,
    max_steps: maxSteps,
    mission,
    grid: printGrid(grid),
    agent_pos: [grid.agentX, grid.agentY] satisfies [number, number],
    agent_dir: grid.direction,
    reset: { observation: agentGymText(episode.observe(), episode.goal) },
  };
  let score = 0;
  const steps = actions.map((action): RecordedTranscript['steps'][number] => {
    const { observation, reward, done } = episode.step(action);
    score += reward;
    return {
      action,
      resp: { observation: agentGymText(observation, null), reward, score, done },
      pos: [grid.agentX, grid.agentY],
      dir: grid.direction,
      step_count: episode.world.steps,
    };
  });
  return { ...start, steps };
}

describe('replayTranscript', () => {
  it('finds nothing in a faithful record', () => {
    const transcript = record(['turn left', 'fly', 'check available actions']);
    expect(replayTranscript(environment, transcript)).toEqual({
      episode: 'babyai/GoToLocalS8N7/3',
      skipped: null,
      turns: 3,
      compared: 5 + 3 * 3,
      mismatches: [],
    });
  });

  it('says at which step what differs and how', () => {
    const transcript = record(['turn left', 'turn left']);
    const second = transcript.steps[1];
    if (second) second.resp.reward = 0.25;
    expect(replayTranscript(environment, transcript).mismatches).toEqual([
      { at: 1, what: 'reward, score, done', actual: '[0,0,false]', expected: '[0.25,0,false]' },
    ]);
  });

  it('notes an episode that goes on where the record says it has ended', () => {
    const transcript = {
      ...record(['turn left']),
      after_done: { action: 'turn left', resp: { error: 'over' } },
    };
    expect(replayTranscript(environment, transcript).mismatches).toMatchObject([
      { at: 1, what: 'refusal after the end' },
    ]);
  });

  it('notes a record that goes on where the episode ends, and compares no further', () => {
    const won = record(['go to green key 1'], 0);
    const beyond = [...won.steps, ...won.steps, ...won.steps];
    expect(replayTranscript(environment, { ...won, steps: beyond }).mismatches).toEqual([
      { at: 1, what: 'end', expected: '"goes on"', actual: '"over"' },
    ]);
  });

  it('refuses a level that there is not, by name and with the list of those there are', () => {
    const unknown = { ...record([]), name: 'BabyAI-GoToMoon-v0' };
    expect(() => replayTranscript(environment, unknown)).toThrow(/no BabyAI level "GoToMoon".*GoToLocalS8N7/);
  });

  it('finds that an episode upstream could not start does not start here either', () => {
    const failed = { level: 4, name: 'BabyAI-GoToObjS6-v0', seed: 0, error: 'KeyError(0)' };
    expect(replayTranscript(environment, failed)).toMatchObject({ compared: 1, mismatches: [] });
    const undrawable = { level: 35, name: 'BabyAI-SynthS5R2-v0', seed: 2678, error: 'TimeoutError()' };
    expect(replayTranscript(environment, undrawable)).toMatchObject({ compared: 1, mismatches: [] });
    const other = { level: 5, name: 'BabyAI-GoToLocalS8N7-v0', seed: 0, error: 'KeyError(0)' };
    expect(replayTranscript(environment, other).mismatches).toMatchObject([{ at: 'reset', actual: 'false' }]);
  });

  it('names the fields that are wrong', () => {
    const transcript = { ...record(['turn left']), seed: -1, mission: undefined };
    expect(() => replayTranscript(environment, transcript)).toThrow(/seed: .*mission: /);
  });
});
