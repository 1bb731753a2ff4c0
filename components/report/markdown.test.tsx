import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Markdown } from './markdown';

afterEach(cleanup);

describe('a text of a report', () => {
  it('has headings, emphasis, lists, code and links', () => {
    render(<Markdown text={'# Seen\n\nIt **holds** in `eval`.\n\n1. one\n2. two\n\n[run](/runs/r-0001)'} />);
    expect(screen.getByRole('heading', { level: 2, name: 'Seen' })).toBeDefined();
    expect(screen.getByText('holds').tagName).toBe('STRONG');
    expect(screen.getByText('eval').tagName).toBe('CODE');
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['one', 'two']);
    expect(screen.getByRole('link', { name: 'run' }).getAttribute('href')).toBe('/runs/r-0001');
  });

  it('makes no markup of HTML, pictures or addresses of other kinds', () => {
    const { container } = render(
      <Markdown
        text={
          '<script>alert(1)</script>\n\n<b>bold</b> ![x](/y.png) [go](javascript:alert(1)) [away](//host/x)'
        }
      />,
    );
    expect(container.querySelector('script, b, img, a')).toBeNull();
    expect(container.textContent).toContain('<script>alert(1)</script>');
    expect(container.textContent).toContain('[go](javascript:alert(1))');
  });

  it('shows special characters as they were written', () => {
    const { container } = render(<Markdown text={'a & b < c, "d" and `x < y`'} />);
    expect(container.textContent).toBe('a & b < c, "d" and x < y');
  });
});
