import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createBabyAi, agentGymText } from './babyai';
import { babyAiTask } from './task';
import { printGrid, replayTranscript, type RecordedTranscript } from './transcript';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden');
const environment = createBabyAi({ compat: 'agentgym' });

describe.skipIf(!existsSync(GOLDEN))('golden transcripts of AgentGym (STEPSCOPE_DATA)', () => {
  it.each([
    { file: 'babyai_agentgym.jsonl', episodes: 156, steps: 3221, skipped: 4 },
    { file: 'babyai_agentgym_handover.jsonl', episodes: 468, steps: 6950, skipped: 0 },
    { file: 'babyai_agentgym_stale_handover.jsonl', episodes: 3, steps: 37, skipped: 0 },
  ])('$file replays letter by letter', { timeout: 60_000 }, ({ file, episodes, steps, skipped }) => {
    const replays = readFileSync(join(GOLDEN, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => replayTranscript(environment, JSON.parse(line)));
    expect(replays.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(replays.filter((replay) => replay.skipped === null)).toHaveLength(episodes);
    expect(replays.filter((replay) => replay.skipped !== null)).toHaveLength(skipped);
    expect(replays.reduce((sum, replay) => sum + replay.steps, 0)).toBe(steps);
  });
});

/** A short episode recorded from this environment. */
function record(actions: readonly string[]): RecordedTranscript {
  const episode = environment.start(babyAiTask('GoToLocalS8N7', 3, 'train'));
  const { grid, maxSteps, mission } = episode.world;
  const start = {
    name: 'BabyAI-GoToLocalS8N7-v0',
    seed: 3,
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
      skipped: null,
      steps: 3,
      checks: 5 + 3 * 3,
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

  it('skips levels that are not built and episodes upstream could not start', () => {
    const unknown = { ...record([]), name: 'BabyAI-GoToMoon-v0' };
    expect(replayTranscript(environment, unknown)).toMatchObject({ skipped: 'BabyAI-GoToMoon-v0' });
    const failed = { level: 4, name: 'BabyAI-GoToObjS6-v0', seed: 0, error: 'KeyError(0)' };
    expect(replayTranscript(environment, failed)).toMatchObject({
      skipped: 'BabyAI-GoToObjS6-v0',
      checks: 0,
    });
  });

  it('names the fields that are wrong', () => {
    const transcript = { ...record(['turn left']), seed: -1, mission: undefined };
    expect(() => replayTranscript(environment, transcript)).toThrow(/seed: .*mission: /);
  });
});
