import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useKeyListener } from '@/components/ui/key-map';
import { ExportMenu } from './export-menu';
import { saveFile } from './save-file';

vi.mock('./save-file', () => ({ saveFile: vi.fn() }));
const save = vi.mocked(saveFile);
afterEach(() => {
  cleanup();
  save.mockClear();
});

const TABLE = {
  title: 'Runs',
  filters: [{ name: 'status', value: 'running' }],
  columns: [{ title: 'Run' }],
  rows: [{ cells: ['a & b'], values: { run: 'a & b' } }],
};

function Page() {
  useKeyListener();
  return <ExportMenu table={() => TABLE} hasKey />;
}

it('opens with ⇧E, is walked with arrows and saves the format under focus', () => {
  render(<Page />);
  fireEvent.keyDown(document.body, { key: 'E', shiftKey: true });
  const menu = screen.getByRole('menu', { name: 'Export as' });
  expect(document.activeElement?.textContent).toBe('LaTeX');
  fireEvent.keyDown(menu, { key: 'ArrowDown' });
  fireEvent.keyDown(menu, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('CSV');
  fireEvent.click(document.activeElement ?? menu);
  expect(screen.queryByRole('menu')).toBeNull();
  const [name, blob] = save.mock.calls[0] ?? [];
  expect(name).toBe('runs.csv');
  expect(blob?.type).toBe('text/csv');
  expect(blob?.size).toBe('run,status\r\na & b,running\r\n'.length);
});

it('closes with Escape and gives focus back, and with a click elsewhere', () => {
  render(<Page />);
  const button = screen.getByRole('button', { name: /Export/ });
  fireEvent.click(button);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  fireEvent.pointerDown(document.body);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(save).not.toHaveBeenCalled();
});
