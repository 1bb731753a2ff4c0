'use client';
import { createContext, useContext, useMemo, type ReactNode } from 'react';
import { DETECTOR_WORDS, type Alert, type MetricMark } from '@/contract/alert';
import type { ChartAlert } from '@/components/charts/chart-model';
import { useAlerts, useMetricMarks } from '@/components/data/alert-queries';
import { useUrlState } from '@/components/data/url-state';

interface RunNotes {
  runId: string;
  alerts: readonly Alert[];
  marks: readonly MetricMark[];
}

const Notes = createContext<RunNotes | null>(null);

/** Knows what the detectors found in a run's series, and which of them are marked meaningless. */
export function SeriesNotesProvider({ runId, children }: { runId: string; children: ReactNode }) {
  const alerts = useAlerts(runId).data?.alerts;
  const marks = useMetricMarks(runId).data;
  const notes = useMemo(() => ({ runId, alerts: alerts ?? [], marks: marks ?? [] }), [runId, alerts, marks]);
  return <Notes value={notes}>{children}</Notes>;
}

export interface SeriesNotes {
  /** Null outside a run's screen. */
  runId: string | null;
  /** What to draw on the series’ chart. */
  alerts: readonly ChartAlert[];
  /** The words of what was found in it, the newest last. */
  messages: readonly string[];
  /** Set where the metric is marked meaningless. */
  mark: MetricMark | null;
  /** It is marked and was asked for all the same. */
  isShown: boolean;
  /** Shows a marked metric, or hides it again; `shown` is in the URL. */
  setShown: (shown: boolean) => void;
}

export function useSeriesNotes(name: string): SeriesNotes {
  const notes = useContext(Notes);
  const { params, set } = useUrlState();
  const found = useMemo(
    () =>
      notes?.alerts.filter(({ evidence }) =>
        evidence.some((each) => each.kind === 'series' && each.name === name),
      ) ?? [],
    [notes, name],
  );
  const alerts = useMemo(
    () =>
      found.map(({ step, severity, detector }) => ({
        step,
        severity,
        title: DETECTOR_WORDS[detector].title,
      })),
    [found],
  );
  const shown = shownNames(params.get('shown'));
  return {
    runId: notes?.runId ?? null,
    alerts,
    messages: found.map(({ message }) => message),
    mark: notes?.marks.find((mark) => mark.name === name) ?? null,
    isShown: shown.includes(name),
    setShown: (isShown) => {
      const others = shown.filter((each) => each !== name);
      const next = isShown ? [...others, name] : others;
      set({ shown: next.length === 0 ? null : JSON.stringify(next) });
    },
  };
}

/** Names of series hold any character, so the list of them is JSON. */
function shownNames(text: string | null): string[] {
  if (text === null) return [];
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
