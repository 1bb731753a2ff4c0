import { expect, it } from 'vitest';
import { Gate } from './gate';

/** Calls that end when told to; `begun` lists those that passed. */
function calls(gate: Gate) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const start = (id: number, weight = 0): Promise<void> =>
    gate.pass(weight, () => {
      begun.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    });
  const end = async (id: number): Promise<void> => {
    ends.get(id)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, start, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('so many calls pass at once, the others in the order they came', async () => {
  const { begun, start, end } = calls(new Gate(() => 2));
  const all = [1, 2, 3, 4].map((id) => start(id));
  await settle();
  expect(begun).toEqual([1, 2]);
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  for (const id of [1, 3, 4]) await end(id);
  await Promise.all(all);
});

it('weight bounds them too, and what is too heavy alone passes alone', async () => {
  const { begun, start, end } = calls(new Gate(() => 9, 10));
  const all = [start(1, 6), start(2, 6), start(3, 99), start(4, 1)];
  await settle();
  expect(begun).toEqual([1]);
  await end(1);
  expect(begun).toEqual([1, 2]);
  await end(2);
  expect(begun).toEqual([1, 2, 3]);
  await end(3);
  expect(begun).toEqual([1, 2, 3, 4]);
  await end(4);
  await Promise.all(all);
});

it('a call that fails makes room, and a limit may fall and rise', async () => {
  let limit = 1;
  const gate = new Gate(() => limit);
  await expect(gate.pass(0, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { begun, start, end } = calls(gate);
  const all = [1, 2, 3].map((id) => start(id));
  await settle();
  limit = 2;
  await end(1);
  expect(begun).toEqual([1, 2, 3]);
  await end(2);
  await end(3);
  await Promise.all(all);
});
