import { useState } from 'react';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { CLIMB_FIELDS, CLIMBS } from './climb-config';
import { SettingControl } from './setting-control';
import { shownFields } from './variants';

const fields = shownFields(CLIMB_FIELDS, { place: CLIMBS.tower.defaults });

/** The last text that the control wrote. */
let written = '';
function Harness({ path, start }: { path: string; start: string }) {
  const [text, setText] = useState(start);
  written = text;
  const field = fields.find((each) => each.path === path);
  if (!field) throw new Error(`no field ${path}`);
  return <SettingControl field={field} text={text} was={undefined} error={undefined} onText={setText} />;
}
const show = (path: string, start: string) => render(<Harness path={path} start={start} />);
const change = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

afterEach(cleanup);

describe('choice of a variant', () => {
  it('offers the variants by title and writes the id', () => {
    show('place.id', 'hill');
    const select = screen.getByLabelText('Place');
    expect([...select.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      'A hill',
      'A tower',
    ]);
    change('Place', 'tower');
    expect(written).toBe('tower');
  });

  it('shows an id that is not known rather than another variant', () => {
    show('place.id', 'sea');
    expect(screen.getByLabelText('Place')).toHaveProperty('value', 'sea');
    expect(screen.getByText('sea (not known here)')).toHaveProperty('disabled', true);
  });
});

describe('a part that may be left out', () => {
  it('is there or not by a choice', () => {
    show('hut', '');
    const select = screen.getByLabelText('Hut');
    expect([...select.querySelectorAll('option')].map((option) => option.textContent)).toEqual([
      'none',
      'as below',
    ]);
    change('Hut', 'set');
    expect(written).toBe('set');
  });
});

describe('named texts', () => {
  it('are added under the next free name, typed in several lines and removed', () => {
    show('place.signs', '');
    fireEvent.click(screen.getByText('Add'));
    change('Text of foot', 'one\ntwo');
    fireEvent.click(screen.getByText('Add'));
    expect(JSON.parse(written)).toEqual({ foot: 'one\ntwo', top: '' });
    expect(screen.getByText('Add')).toHaveProperty('disabled', true);
    fireEvent.click(screen.getByLabelText('Remove foot'));
    expect(JSON.parse(written)).toEqual({ top: '' });
    change('Name of part 1', 'foot');
    expect(JSON.parse(written)).toEqual({ foot: '' });
  });

  it('say what they are for, and leave nothing behind when the last is removed', () => {
    show('place.words', '');
    fireEvent.click(screen.getByText('Add'));
    expect(screen.getByText('Said on the way up.')).toBeTruthy();
    expect(screen.getByLabelText('Text of up').tagName).toBe('INPUT');
    fireEvent.click(screen.getByLabelText('Remove up'));
    expect(written).toBe('');
  });

  it('of any name never take over the text of another', () => {
    show('place.notes', '{"a":"first","b":"second"}');
    change('Name of part 2', 'a');
    expect(JSON.parse(written)).toEqual({ a: 'first', b: 'second' });
    change('Name of part 2', 'ab');
    expect(JSON.parse(written)).toEqual({ a: 'first', ab: 'second' });
  });
});

describe('a text', () => {
  it('of one line has a box of several once it holds line breaks, so that none is lost', () => {
    show('guide', 'Ann\nBen');
    expect(screen.getByLabelText('Guide').tagName).toBe('TEXTAREA');
    expect(screen.getByLabelText('Guide')).toHaveProperty('value', 'Ann\nBen');
  });

  it('that may be absent can be emptied', () => {
    show('guide', 'Ann');
    change('Guide', '');
    expect(written).toBe('');
  });
});
