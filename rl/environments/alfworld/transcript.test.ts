import { describe, expect, it } from 'vitest';
import { NOTHING_HAPPENS } from './episode';
import { compileSmallGame } from './testing/small-game';
import { replayAlfWorldTranscript, type RecordedAlfWorldTranscript } from './transcript';
import { World } from './world';

/** A short episode recorded from this environment, played on after a win. */
function record(commands: readonly string[]): RecordedAlfWorldTranscript {
  const world = World.start(compileSmallGame());
  const said = (obs: string) => ({ obs, admissible: [...world.admissible.commands], won: world.won });
  const initial = said(world.intro());
  const steps = commands.map((cmd) => {
    const after = said(world.command(cmd) ?? NOTHING_HAPPENS);
    return { cmd, ...after, score: after.won ? 1 : 0, done: after.won };
  });
  return { game: 'valid_seen/pick_and_place_simple-x/trial_1', version: 'v1', initial, steps };
}

const WINNING = ['open drawer 1', 'take mug 1 from drawer 1', 'go to shelf 1', 'put mug 1 in/on shelf 1'];

describe('replayAlfWorldTranscript', () => {
  it('finds nothing in a faithful record, which may go on after the win', () => {
    const commands = ['go to drawer 1', ...WINNING, 'fly', 'take mug 1 from shelf 1', 'look'];
    expect(replayAlfWorldTranscript(compileSmallGame, record(commands))).toEqual({
      episode: 'alfworld/valid_seen/pick_and_place_simple-x/trial_1 v1',
      skipped: null,
      turns: 8,
      compared: 3 + 8 * 3,
      mismatches: [],
    });
  });

  it('says at which step what differs and how', () => {
    const transcript = record(['go to drawer 1', 'look']);
    const second = transcript.steps[1];
    if (second) second.won = true;
    expect(replayAlfWorldTranscript(compileSmallGame, transcript).mismatches).toEqual([
      { at: 1, what: 'won, score, done', expected: '[true,0,false]', actual: '[false,0,false]' },
    ]);
  });

  it('names the fields that are wrong', () => {
    const wrong = { ...record([]), version: 'v3', game: 'nowhere' };
    expect(() => replayAlfWorldTranscript(compileSmallGame, wrong)).toThrow(/game: .*version: /);
  });
});
