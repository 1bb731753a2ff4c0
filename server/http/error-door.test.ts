import { expect, it, vi } from 'vitest';
import { AppError } from '@/contract/errors';
import { toAppError } from './error-door';

it('what was meant to be shown is shown as it is', () => {
  const error = new AppError('conflict', 'taken');
  expect(toAppError(error, 'here')).toBe(error);
});

it('a full disk is named, for whoever sees it can do something about it', () => {
  const thrown = Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' });
  expect(toAppError(thrown, 'here')).toMatchObject({
    code: 'unavailable',
    message: 'the disk of the database is full; nothing was stored',
  });
});

it('anything else goes out as an id, and to the log in full', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const thrown = new Error('password is hunter2');
  const { code, message } = toAppError(thrown, 'POST /runs');
  expect(code).toBe('internal');
  expect(message).not.toContain('hunter2');
  const id = /[0-9a-f]{8}$/.exec(message)?.[0];
  expect(log).toHaveBeenCalledWith(`error ${id} in POST /runs:`, thrown);
  log.mockRestore();
});
