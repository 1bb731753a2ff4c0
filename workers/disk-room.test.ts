import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { DiskRoom } from './disk-room';

const MEGABYTE = 1_000_000;

it('is enough from 64 MB on, and a change is said once', () => {
  const said: string[] = [];
  let free = 64 * MEGABYTE;
  const room = new DiskRoom(
    '/worker',
    (line) => said.push(line),
    () => free,
  );
  expect(room.isEnough()).toBe(true);
  free -= 1;
  expect(room.isEnough()).toBe(false);
  expect(room.isEnough()).toBe(false);
  free = 1000 * MEGABYTE;
  expect(room.isEnough()).toBe(true);
  expect(said).toHaveLength(2);
  expect(said[0]).toContain('none is claimed');
});

it('is read from the file system', () => {
  expect(typeof new DiskRoom(tmpdir(), () => undefined).isEnough()).toBe('boolean');
  expect(() => new DiskRoom('/no/such/folder', () => undefined).isEnough()).toThrow('ENOENT');
});
