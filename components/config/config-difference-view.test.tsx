// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ConfigDifferenceView } from './config-difference-view';
import { jsonLeaves } from './config-leaves';
import { yamlLeaves } from './hydra-yaml';

afterEach(cleanup);

const A = { title: 'one', leaves: jsonLeaves({ lr: 1, name: '1', log_dir: '/a', same: true }) };
const B = { title: 'two', leaves: yamlLeaves('lr: 2\nname: 1\nlog_dir: /b\nsame: true\nextra: [1, "1"]') };

function show(changes: { showsAll?: boolean; text?: string; ignore?: string } = {}) {
  const view = { a: A, b: B, ignore: '*dir', showsAll: false, text: '', onChange: vi.fn(), ...changes };
  render(<ConfigDifferenceView {...view} />);
  return screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
}

describe('the difference of two configs', () => {
  it('shows only what differs, with types, and how much of how much', () => {
    expect(show()).toEqual(['lr12number | integer', 'name"1"1text | integer', 'extraabsent[1,"1"]list']);
    expect(screen.getByRole('heading').textContent).toBe('3 of 4 keys differ; 1 more in ignored keys');
  });

  it('shows all on demand, ignored keys named as such', () => {
    expect(show({ showsAll: true })).toHaveLength(5);
    expect(screen.getByText('ignored')).toBeTruthy();
  });

  it('says that no key matches rather than that none differs', () => {
    expect(show({ text: 'nothing' })).toEqual([]);
    expect(screen.getByText('No key with “nothing” is among them.')).toBeTruthy();
  });
});
