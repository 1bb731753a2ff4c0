import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { RunLog, showControls } from './run-log';

afterEach(cleanup);

describe('log of a run', () => {
  it('shows markup and terminal codes as text', () => {
    const message = '\u001b[31mred\u001b[0m <img src=x onerror=alert(1)>';
    const { container } = render(
      <RunLog log={[{ position: 1, at: 1000, attempt: 1, level: 'error', message }]} />,
    );
    expect(screen.getByText('␛[31mred␛[0m <img src=x onerror=alert(1)>')).toBeDefined();
    expect(container.querySelector('img')).toBeNull();
  });

  it('keeps tabs and line feeds and pictures the other controls', () => {
    expect(showControls('a\tb\nc\r\u0000\u007f\u0085')).toBe('a\tb\nc␍␀␡\\x85');
  });

  it('says when there is nothing yet', () => {
    render(<RunLog log={[]} />);
    expect(screen.getByText('The log is empty.')).toBeDefined();
  });
});
