import { describe, expect, it } from 'vitest';
import { createAlfWorld } from './alfworld';
import { alfWorldTask } from './task';
import { smallGameText, smallProblem } from './testing/small-game';

const task = alfWorldTask('valid_seen/pick_and_place_simple-Mug-None-Shelf-1/trial_1');

function start(settings: { maxTurns?: number | null } = {}, text = smallGameText()) {
  return createAlfWorld({ readGame: () => text, ...settings }).start(task);
}

describe('an ALFWorld episode', () => {
  it('begins with the room and the task, and offers what can be done', () => {
    const episode = start();
    expect(episode.goal).toBe('put a mug in shelf.');
    expect(episode.observe()).toEqual({
      text:
        '-= Welcome =-\n\nYou are in a room. You see a desk 1, a drawer 1, a oven 1, a shelf 2, and a shelf 1.\n\n' +
        'Your task is to: put a mug in shelf.',
      availableActions: [
        'go to desk 1',
        'go to drawer 1',
        'go to oven 1',
        'go to shelf 1',
        'go to shelf 2',
        'inventory',
        'look',
      ],
    });
  });

  it('is won once, with reward 1, and then over', () => {
    const episode = start();
    for (const action of ['go to drawer 1', 'open drawer 1', 'take mug 1 from drawer 1', 'go to shelf 1'])
      expect(episode.step(action)).toMatchObject({ reward: 0, done: false, success: false, valid: true });
    expect(episode.step('put mug 1 in/on shelf 1')).toMatchObject({
      reward: 1,
      done: true,
      truncated: false,
      success: true,
      valid: true,
    });
    expect(() => episode.step('look')).toThrow(/trial_1 has ended; start another/);
  });

  it('answers what is not admissible with nothing, letter by letter, and changes nothing', () => {
    const episode = start();
    const before = episode.stateHash();
    for (const action of [
      'Go to desk 1',
      'go to desk  1',
      'go to desk 1.',
      '',
      '\ufefflook',
      'go to desk 2',
    ]) {
      expect(episode.step(action)).toMatchObject({
        observation: { text: 'Nothing happens.' },
        valid: false,
        done: false,
      });
    }
    expect(episode.stateHash()).toBe(before);
    expect(episode.step(' \x1clook\x85\n').valid).toBe(true);
  });

  it('ends at the turn cap, refused turns counted, unless that turn won', () => {
    const episode = start({ maxTurns: 2 });
    expect(episode.step('fly')).toMatchObject({ done: false, truncated: false });
    expect(episode.step('look')).toMatchObject({ done: true, truncated: true, success: false });
    const winner = start({ maxTurns: 5 });
    for (const action of ['go to drawer 1', 'open drawer 1', 'take mug 1 from drawer 1', 'go to shelf 1'])
      winner.step(action);
    expect(winner.step('put mug 1 in/on shelf 1')).toMatchObject({
      done: true,
      truncated: false,
      success: true,
    });
  });

  it('has equal states after a detour that leaves no trace, whatever was looked at', () => {
    const episode = start();
    episode.step('go to oven 1');
    const before = episode.stateHash();
    for (const action of ['look', 'inventory', 'go to drawer 1', 'open drawer 1', 'close drawer 1'])
      episode.step(action);
    expect(episode.stateHash()).not.toBe(before);
    episode.step('go to oven 1');
    expect(episode.stateHash()).toBe(before);
  });

  it('cannot go to where it is, nor to what stands at the same place', () => {
    const episode = start();
    episode.step('go to shelf 1');
    expect(episode.observe().availableActions).not.toContain('go to shelf 1');
    expect(episode.observe().availableActions).not.toContain('go to shelf 2');
    expect(episode.step('look').observation.text).toBe(
      'You face the shelf 2, and shelf 1. Next to it, you see nothing.',
    );
  });

  it('examines an object only while it is held', () => {
    const episode = start();
    episode.step('go to shelf 1');
    expect(episode.observe().availableActions.filter((action) => action.startsWith('examine'))).toEqual([]);
    episode.step('take pan 1 from shelf 2');
    expect(episode.step('examine pan 1').observation.text).toBe("There's nothing special about pan 1.");
  });

  it('tells every effect, so that a lamp is always said to be turned on', () => {
    const episode = start({}, smallGameText({ pddl_problem: smallProblem('light') }));
    episode.step('go to desk 1');
    const texts = [1, 2, 3].map(() => episode.step('use desklamp 1').observation.text);
    expect(texts).toEqual(Array(3).fill('You turn on the desklamp 1.'));
  });

  it('draws closed receptacles with what is in them, and says what was found and taken', () => {
    const episode = start();
    episode.step('go to drawer 1');
    expect(episode.picture()).toEqual({
      kind: 'household',
      receptacles: [
        { name: 'desk 1', state: null, contents: ['desklamp 1'], here: false, target: false },
        { name: 'drawer 1', state: 'closed', contents: ['mug 1', 'mug 2'], here: true, target: false },
        { name: 'oven 1', state: null, contents: [], here: false, target: false },
        { name: 'shelf 1', state: null, contents: [], here: false, target: true },
        { name: 'shelf 2', state: null, contents: ['pan 1'], here: false, target: true },
      ],
      holding: null,
      targets: ['mug 1', 'mug 2'],
      progress: [
        { stage: 'found', done: 0, of: 1 },
        { stage: 'taken', done: 0, of: 1 },
        { stage: 'placed', done: 0, of: 1 },
      ],
    });
    episode.step('open drawer 1');
    episode.step('take mug 2 from drawer 1');
    expect(episode.picture()).toMatchObject({
      holding: 'mug 2',
      progress: [{ done: 1 }, { done: 1 }, { done: 0 }],
    });
  });

  it('counts an object as placed after all that must be done to it, and two in one receptacle only', () => {
    const cold = start({}, smallGameText({ pddl_problem: smallProblem('heat') }));
    for (const action of ['go to drawer 1', 'open drawer 1', 'take mug 1 from drawer 1', 'go to shelf 1'])
      cold.step(action);
    cold.step('put mug 1 in/on shelf 1');
    expect(cold.picture()?.progress).toEqual([
      { stage: 'found', done: 1, of: 1 },
      { stage: 'taken', done: 1, of: 1 },
      { stage: 'heated', done: 0, of: 1 },
      { stage: 'placed', done: 0, of: 1 },
    ]);
    const two = start({}, smallGameText({ pddl_problem: smallProblem('two') }));
    for (const mug of [1, 2])
      for (const action of [
        'go to drawer 1',
        'open drawer 1',
        `take mug ${mug} from drawer 1`,
        'go to shelf 1',
        `put mug ${mug} in/on shelf ${mug}`,
      ])
        two.step(action);
    expect(two.picture()?.progress).toEqual([
      { stage: 'found', done: 2, of: 2 },
      { stage: 'taken', done: 2, of: 2 },
      { stage: 'placed', done: 1, of: 2 },
    ]);
  });
});

describe('createAlfWorld', () => {
  it('records its options and refuses others by name', () => {
    const readGame = () => smallGameText();
    expect(createAlfWorld({ readGame }).options).toEqual({ maxTurns: 50, logic: 'game file' });
    expect(() => createAlfWorld({ readGame, maxTurns: 0 })).toThrow(
      'maxTurns must be a positive integer or null, got 0',
    );
    const misspelt = { readGame, maxTurn: 3 };
    expect(() => createAlfWorld(misspelt)).toThrow(
      'There is no ALFWorld option "maxTurn". Options: maxTurns, logic',
    );
  });

  it('plays a game by other rules and words, with its own task line', () => {
    const { pddl_domain: domain, grammar } = JSON.parse(smallGameText()) as Record<string, string>;
    if (domain === undefined || grammar === undefined) throw new Error('no logic');
    const logic = {
      name: 'move',
      domain,
      grammar: grammar
        .replace('put a mug in shelf', 'UNKNOWN GOAL')
        .replace('put {o} in/on {r}', 'move {o} to {r}'),
    };
    const episode = createAlfWorld({ readGame: () => smallGameText(), logic }).start(task);
    expect(episode.goal).toBe('put a mug in shelf.');
    for (const action of ['go to drawer 1', 'open drawer 1', 'take mug 1 from drawer 1'])
      episode.step(action);
    expect(episode.observe().availableActions).toContain('move mug 1 to drawer 1');
  });

  it('names file and place where the game is malformed', () => {
    expect(() => start({}, smallGameText({ pddl_domain: '(define (domain d) (:action a' }))).toThrow(
      `${task.game}: pddl_domain, line 1: this parenthesis is never closed`,
    );
  });
});
