import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { keyName, useKeyListener, useKeys } from './key-map';

afterEach(cleanup);

function Page({ onKey }: { onKey: (name: string) => void }) {
  useKeyListener();
  useKeys([
    { keys: ['j'], label: 'next', run: () => onKey('j') },
    { keys: ['g r'], label: 'runs', run: () => onKey('g r') },
    { keys: ['Mod+Enter'], label: 'launch', run: () => onKey('Mod+Enter') },
    { keys: ['Enter'], label: 'open', run: () => onKey('Enter') },
  ]);
  return (
    <>
      <input aria-label="box" />
      <a href="#there">link</a>
    </>
  );
}

describe('keys', () => {
  it('run what the page binds, two keys in turn included', () => {
    const onKey = vi.fn();
    render(<Page onKey={onKey} />);
    fireEvent.keyDown(document.body, { key: 'j' });
    fireEvent.keyDown(document.body, { key: 'g' });
    fireEvent.keyDown(document.body, { key: 'r' });
    fireEvent.keyDown(document.body, { key: 'r' });
    expect(onKey.mock.calls.flat()).toEqual(['j', 'g r']);
  });

  it('are off while typing, but for those with Command or Ctrl', () => {
    const onKey = vi.fn();
    render(<Page onKey={onKey} />);
    const box = screen.getByLabelText('box');
    fireEvent.keyDown(box, { key: 'j' });
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true });
    expect(onKey.mock.calls.flat()).toEqual(['Mod+Enter']);
  });

  it('leave Enter to a link that has the focus', () => {
    const onKey = vi.fn();
    render(<Page onKey={onKey} />);
    fireEvent.keyDown(screen.getByText('link'), { key: 'Enter' });
    expect(onKey).not.toHaveBeenCalled();
    fireEvent.keyDown(document.body, { key: 'Enter' });
    expect(onKey).toHaveBeenCalledWith('Enter');
  });

  it('end with the component that bound them', () => {
    const onKey = vi.fn();
    render(<Page onKey={onKey} />).unmount();
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(onKey).not.toHaveBeenCalled();
  });

  it('are named without Shift where the character says it', () => {
    const event = { key: '?', shiftKey: true, metaKey: false, ctrlKey: false, altKey: false };
    expect(keyName(event)).toBe('?');
    expect(keyName({ ...event, key: 'ArrowLeft' })).toBe('Shift+ArrowLeft');
    expect(keyName({ ...event, key: ' ', shiftKey: false })).toBe('Space');
  });
});
