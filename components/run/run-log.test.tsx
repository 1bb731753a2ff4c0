import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { RunLog } from './run-log';

afterEach(cleanup);

describe('log of a run', () => {
  it('shows markup and terminal codes as text', () => {
    const message = '\u001b[31mred\u001b[0m <img src=x onerror=alert(1)>';
    const { container } = render(
      <RunLog log={[{ position: 1, at: 1000, attempt: 1, level: 'error', message }]} />,
    );
    expect(screen.getByRole('listitem').textContent).toContain(
      'ESC[31mredESC[0m <img src=x onerror=alert(1)>',
    );
    expect(container.querySelector('img')).toBeNull();
  });

  it('says when there is nothing yet', () => {
    render(<RunLog log={[]} />);
    expect(screen.getByText('The log is empty.')).toBeDefined();
  });
});
