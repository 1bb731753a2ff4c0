import { describe, expect, it } from 'vitest';
import type { RecipeEvent } from '@/contract/run-events';
import type { Trajectory } from '@/contract/trajectory';
import { FailureWatch, warnOfFailures } from './failures';

type Ended = Pick<Trajectory, 'stopReason' | 'error'>;

const PLAYED: Ended = { stopReason: 'success', error: null };
const failed = (message: string): Ended => ({
  stopReason: 'error',
  error: { stage: 'environment step', message },
});

function saidOf(events: Iterable<RecipeEvent>): string[] {
  return [...events].map((event) =>
    event.kind === 'log:written' ? `${event.level}: ${event.message}` : event.kind,
  );
}

describe('what a run says of failed episodes', () => {
  it('is nothing where all were played', () => {
    expect(saidOf(new FailureWatch().observe(1, [PLAYED, PLAYED]))).toEqual([]);
    expect(saidOf(warnOfFailures('the evaluation', [PLAYED]))).toEqual([]);
  });

  it('is one warning where some failed, with their number and the first message', () => {
    const some = [PLAYED, failed('first'), failed('second')];
    const said = ['2 of 3 episodes of ', ' ended in an error, the first in environment step: first'];
    expect(saidOf(new FailureWatch().observe(4, some))).toEqual([`warn: ${said.join('step 4')}`]);
    expect(saidOf(warnOfFailures('the greedy probe', some))).toEqual([
      `warn: ${said.join('the greedy probe')}`,
    ]);
  });

  it('is an error where a step has nothing else, and the third such step in a row ends the run', () => {
    const watch = new FailureWatch();
    const lost = [failed('refused'), failed('gone')];
    const error = (step: number) =>
      `error: 2 of 2 episodes of step ${step} ended in an error, the first in environment step: refused`;
    expect(saidOf(watch.observe(1, lost))).toEqual([error(1)]);
    expect(saidOf(watch.observe(2, lost))).toEqual([error(2)]);
    expect(saidOf(watch.observe(3, [PLAYED, failed('once')]))).toHaveLength(1);
    expect(saidOf(watch.observe(4, lost))).toEqual([error(4)]);
    expect(saidOf(watch.observe(5, lost))).toEqual([error(5)]);
    const third = watch.observe(6, lost);
    expect(third.next().value).toMatchObject({ level: 'error', message: error(6).slice('error: '.length) });
    expect(() => third.next()).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: expect.stringMatching(/^every episode of 3 steps in a row .*environment step: gone/),
      }),
    );
  });
});
