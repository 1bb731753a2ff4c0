import { describe, expect, it } from 'vitest';
import type { PublishedEvent, PublishedPayload } from './run-events';
import { activityWords, applyRunEvent, emptyRunView, RUN_VIEW_JUDGE_TABLES, secondsLeft } from './run-view';

function viewAfter(...events: PublishedPayload[]) {
  return events
    .map((event, index): PublishedEvent => ({
      position: index + 1,
      seq: index,
      attempt: 1,
      at: index,
      event,
    }))
    .reduce(applyRunEvent, emptyRunView('r-0001'));
}

describe('what a run is at', () => {
  const probing = { kind: 'progress:advanced', step: 10, activity: 'probe', done: 0, of: 7 } as const;

  it('is over when its step has finished', () => {
    expect(viewAfter(probing).activity).toEqual({ name: 'probe', done: 0, of: 7 });
    expect(viewAfter(probing, { kind: 'step:finished', step: 10, steps: 120 }).activity).toBeNull();
  });

  it('is over when the run has ended', () => {
    expect(
      viewAfter(probing, { kind: 'status:changed', status: 'failed', reason: 'x', resumedFromStep: null })
        .activity,
    ).toBeNull();
  });

  it('is told in words, with a count once something is done', () => {
    expect(activityWords({ name: 'evaluation', done: 0, of: 120 })).toBe('evaluating');
    expect(activityWords({ name: 'evaluation', done: 60, of: 120 })).toBe('evaluating 60 of 120');
    expect(activityWords({ name: 'of a newer version', done: 0, of: 1 })).toBe('of a newer version');
  });
});

describe('what a judge said', () => {
  const table = (fromStep: number, toStep: number): PublishedPayload => ({
    kind: 'judge:tabulated',
    table: {
      judge: { kind: 'oracle', name: 'babyai' },
      fromStep,
      toStep,
      unscored: 0,
      rows: [],
      lengthCorrelation: null,
      quintiles: [],
    },
  });
  const windows = (view: ReturnType<typeof viewAfter>) =>
    view.judgeTables?.map(({ fromStep, toStep }) => [fromStep, toStep]);

  it('is kept by window, the last twenty of them', () => {
    const view = viewAfter(...Array.from({ length: 23 }, (_, i) => table(i + 1, i + 1)));
    expect(windows(view)?.[0]).toEqual([4, 4]);
    expect(windows(view)).toHaveLength(RUN_VIEW_JUDGE_TABLES);
  });

  it('is replaced where a newer attempt goes through a window again', () => {
    expect(windows(viewAfter(table(1, 10), table(11, 17), table(13, 20)))).toEqual([
      [1, 10],
      [13, 20],
    ]);
  });
});

describe('the time that is left', () => {
  const view = {
    ...emptyRunView('r-0001'),
    steps: 120,
    stepTimes: [
      { step: 10, at: 1000 },
      { step: 20, at: 21_000 },
    ],
  };

  it('is that of the steps to come at the pace of the last ones', () => {
    expect(secondsLeft({ ...view, status: 'running' })).toBe(200);
  });

  it('is unknown while nothing advances', () => {
    for (const status of ['queued', 'lost', 'paused', 'stopping'] as const)
      expect(secondsLeft({ ...view, status })).toBeNull();
    expect(secondsLeft({ ...view, status: 'running', stepTimes: view.stepTimes.slice(1) })).toBeNull();
  });
});
