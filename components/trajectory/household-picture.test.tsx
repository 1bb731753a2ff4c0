import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeStatePicture } from '@/contract/state-picture';
import { aHousehold, aReceptacle } from './household-factory';
import { HouseholdPicture } from './household-picture';
import { StatePicture } from './state-picture';

afterEach(cleanup);

const tileOf = (name: string) => {
  const tile = screen.getByText(name).closest('li');
  if (!tile) throw new Error(`no tile of ${name}`);
  return tile;
};

describe('household picture', () => {
  it('has a tile for each receptacle with its state and what is in it', () => {
    render(<HouseholdPicture picture={aHousehold()} />);
    const tiles = [...screen.getByRole('list', { name: 'Receptacles' }).children];
    expect(tiles.map((tile) => tile.textContent)).toEqual([
      'countertop 1the agent is herebread 1apple 1 (target)',
      'fridge 1closedapple 2 (target)egg 1',
      'microwave 1open',
      'diningtable 1goal',
    ]);
  });

  it('marks the place of the agent alone, and frames what the goal names with dashes', () => {
    render(<HouseholdPicture picture={aHousehold()} />);
    expect(screen.getAllByTitle('The agent is here')).toHaveLength(1);
    expect(within(tileOf('countertop 1')).getByTitle('The agent is here')).toBeTruthy();
    expect(tileOf('diningtable 1').className).toContain('border-dashed');
    expect(tileOf('microwave 1').className).not.toContain('border-dashed');
    const inFridge = within(screen.getByRole('list', { name: 'In fridge 1' }));
    expect(inFridge.getByText('apple 2').className).toContain('border-dashed');
    expect(inFridge.getByText('egg 1').className).not.toContain('border-dashed');
  });

  it('says what is held and how far each stage of the goal has come', () => {
    const progress = [
      { stage: 'taken', done: 2, of: 2 },
      { stage: 'placed', done: 1, of: 2 },
      { stage: 'lit', done: 0, of: 1 },
    ] as const;
    render(<HouseholdPicture picture={aHousehold({ holding: 'apple 1', progress: [...progress] })} />);
    const stages = within(screen.getByRole('list', { name: 'Stages of the goal' })).getAllByRole('listitem');
    expect(stages.map((stage) => stage.textContent)).toEqual([
      'taken 2 of 2: done',
      'placed 1 of 2: begun',
      'lit: not yet',
    ]);
    expect(screen.getByText('holds').parentElement?.textContent).toBe('holdsapple 1 (target)');
  });

  it('shows names as text, whatever an environment calls its things', () => {
    const receptacles = [aReceptacle('<b>box</b> 1', { contents: ['<img src=x>'] })];
    const { container } = render(<HouseholdPicture picture={aHousehold({ receptacles, targets: [] })} />);
    expect(container.querySelector('b, img')).toBeNull();
    expect(screen.getByText('<img src=x>')).toBeTruthy();
  });
});

describe('picture of a state', () => {
  it('is a household with its words where the environment shows one', () => {
    const picture = encodeStatePicture(aHousehold());
    render(<StatePicture picture={picture} moment="before turn 3" crop={null} />);
    expect(screen.getByRole('group', { name: 'Household' })).toBeTruthy();
    expect(screen.getByText('before turn 3')).toBeTruthy();
    expect(screen.getByText('apple 1 at countertop 1; apple 2 at fridge 1, closed')).toBeTruthy();
  });

  it('that cannot be read says so', () => {
    render(<StatePicture picture="household;{" moment="before turn 3" crop={null} />);
    expect(screen.getByText('The picture of the state cannot be read.')).toBeTruthy();
  });
});
