import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printGrid } from '../babyai/transcript';
import { createBabyAiText } from './babyai-text';
import { babyAiTextExpert } from './expert';
import { babyAiTextTask } from './task';
import { replayTextTranscript, type RecordedTextTranscript } from './transcript';

const GOLDEN = join(process.env.STEPSCOPE_DATA ?? '../shared/data', 'golden');
const environment = createBabyAiText({ compat: 'upstream' });

describe.skipIf(!existsSync(GOLDEN))('golden transcripts of BabyAI-Text (STEPSCOPE_DATA)', () => {
  it.each([
    { file: 'babyai_text.jsonl', episodes: 32, turns: 1183 },
    { file: 'babyai_text_handover.jsonl', episodes: 75, turns: 1446 },
  ])('$file replays letter by letter', ({ file, episodes, turns }) => {
    const replays = readFileSync(join(GOLDEN, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => replayTextTranscript(environment, JSON.parse(line)));
    expect(replays.flatMap(({ mismatches }) => mismatches)).toEqual([]);
    expect(replays).toHaveLength(episodes);
    expect(replays.every(({ skipped }) => skipped === null)).toBe(true);
    expect(replays.reduce((sum, replay) => sum + replay.turns, 0)).toBe(turns);
    expect(replays.reduce((sum, replay) => sum + replay.compared, 0)).toBe(5 * episodes + 3 * turns);
  });
});

const TASK = babyAiTextTask('MixedTrainLocal', 'open', 3, 'train');

/** A short episode recorded from this environment. */
function record(actions: readonly string[]): RecordedTextTranscript {
  const episode = environment.start(TASK);
  const { grid, maxSteps, mission } = episode.world;
  const look = () => ({
    descriptions: [...episode.descriptions],
    pos: [grid.agentX, grid.agentY] satisfies [number, number],
    dir: grid.direction,
  });
  const start = {
    level: 'Level_MixedTrainLocal',
    action_kind: 'open',
    seed: 3,
    max_steps: maxSteps,
    mission,
    grid: printGrid(grid, 'Q'),
    ...look(),
  };
  const steps = actions.map((a) => {
    const { reward, done } = episode.step(a);
    return { a, reward, done, ...look() };
  });
  return { ...start, steps };
}

describe('replayTextTranscript', () => {
  it('finds nothing in a faithful record', () => {
    expect(replayTextTranscript(environment, record(['turn left', 'fly', 'go forward']))).toEqual({
      episode: 'babyai-text/MixedTrainLocal/open/3',
      skipped: null,
      turns: 3,
      compared: 5 + 3 * 3,
      mismatches: [],
    });
  });

  it('says at which step what differs and how', () => {
    const transcript = record(['turn left', 'turn left']);
    const second = transcript.steps[1];
    if (second) second.reward = 0.25;
    expect(replayTextTranscript(environment, transcript).mismatches).toEqual([
      { at: 1, what: 'reward, done', actual: '[0,false]', expected: '[0.25,false]' },
    ]);
  });

  it('notes a record that goes on where the episode ends, and compares no further', () => {
    const { actions } = babyAiTextExpert.plan(environment.start(TASK));
    const won = record(actions ?? []);
    const beyond = [...won.steps, ...won.steps];
    expect(replayTextTranscript(environment, { ...won, steps: beyond }).mismatches).toEqual([
      { at: won.steps.length, what: 'end', expected: '"goes on"', actual: '"over"' },
    ]);
  });

  it('notes another mission, grid and description at the reset', () => {
    const transcript = { ...record([]), mission: 'open the moon', grid: '', descriptions: [] };
    const { mismatches } = replayTextTranscript(environment, transcript);
    expect(mismatches.map(({ at, what }) => [at, what])).toEqual([
      ['reset', 'mission'],
      ['reset', 'grid'],
      ['reset', 'descriptions'],
    ]);
  });

  it('refuses a level and an action kind that there are not, with the list of those there are', () => {
    const moon = { ...record([]), level: 'Level_GoToMoon' };
    expect(() => replayTextTranscript(environment, moon)).toThrow(
      /level "GoToMoon". Levels: MixedTrainLocal/,
    );
    const jump = { ...record([]), action_kind: 'jump' };
    expect(() => replayTextTranscript(environment, jump)).toThrow(/action kind "jump". Action kinds: "goto"/);
  });

  it('refuses an action kind that the level does not have', () => {
    const transcript = { ...record([]), level: 'Level_PickUpThenGoToLocal' };
    expect(() => replayTextTranscript(environment, transcript)).toThrow(/has no tasks of type "open"/);
  });

  it('skips an episode that upstream failed to start', () => {
    const failed = { level: 'Level_MixedTrainLocal', action_kind: 'open', seed: 3, error: 'KeyError(0)' };
    expect(replayTextTranscript(environment, failed)).toMatchObject({ skipped: 'KeyError(0)', compared: 0 });
  });

  it('names the fields that are wrong', () => {
    const transcript = { ...record(['turn left']), seed: -1, mission: undefined };
    expect(() => replayTextTranscript(environment, transcript)).toThrow(/seed: .*mission: /);
  });
});
