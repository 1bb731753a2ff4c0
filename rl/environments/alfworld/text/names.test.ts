import { describe, expect, it } from 'vitest';
import { nameObjects } from './names';

describe('nameObjects', () => {
  it('counts a kind down in order of ids, basins apart, and leaves out what is in no fact', () => {
    const ids = [
      'agent1',
      'cabinet_bar_1',
      'cabinet_bar_2',
      'cabinet_bar_3',
      'sink_bar_1',
      'sink_bar_1_bar_sinkbasin',
      'soapbar_bar_9',
      'unseen_bar_1',
    ];
    const named = new Set([0, 1, 2, 3, 4, 5, 6]);
    expect(nameObjects(ids, named)).toEqual([
      'agent1 ',
      'cabinet 3',
      'cabinet 2',
      'cabinet 1',
      'sink 1',
      'sinkbasin 1',
      'soapbar 1',
      'unseen_bar_1 ',
    ]);
  });
});
