import { describe, expect, it } from 'vitest';
import { SCAFFOLDS } from '@/contract/scaffolds';
import { openScaffold } from './registry';

const THOUGHT = 'The mug may be there, "behind" 1 or 2.';
const writing = Object.values(SCAFFOLDS)
  .map(({ defaults }) => openScaffold(defaults))
  .flatMap(({ id, parse, write, tools }) => (write ? [{ id, parse, write, tools }] : []));

it('most scaffolds can be demonstrated through', () => {
  expect(writing.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'recent-actions',
      'react',
      'tool-call',
      'history-10',
      'working-memory',
      'lab-tool',
    ]),
  );
});

describe.each(writing)('a demonstrated reply of $id', ({ id, parse, write, tools }) => {
  const takesAnyAction = !tools || id === 'lab-tool';

  it('is read back as the thought and the action that it says', () => {
    const action = takesAnyAction ? 'take red ball 2 from desk 1' : 'turn left';
    expect(parse(write(THOUGHT, action))).toEqual({ thought: THOUGHT, action, formatOk: true });
  });

  it.skipIf(takesAnyAction)('is refused for an action that no tool stands for', () => {
    expect(() => write(THOUGHT, 'fly')).toThrow('"fly" is an action of no tool; expected one of turn left');
  });
});
