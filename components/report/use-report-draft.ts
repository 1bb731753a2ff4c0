'use client';
import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { AppError } from '@/contract/errors';
import type { Report, ReportBlock } from '@/contract/report';
import { saveReport, useReport } from '@/components/data/report-queries';
import { queryKeys } from '@/components/data/query-keys';

/** A pause in typing that is long enough to save in. */
const SAVE_AFTER_MS = 800;

/** What of a report a person changes. */
export interface ReportContent {
  title: string;
  blocks: readonly ReportBlock[];
}

export type SaveState =
  | { kind: 'saved'; at: number }
  | { kind: 'unsaved' }
  | { kind: 'saving' }
  | { kind: 'conflict' }
  | { kind: 'failed'; message: string };

export interface ReportDraft {
  content: ReportContent;
  /** Counted up where the content was replaced as a whole: fields begin anew then. */
  taken: number;
  state: SaveState;
  change: (content: ReportContent) => void;
  /** Saves at once; after a conflict over what was stored elsewhere. */
  save: () => void;
  /** Gives up what is not stored, for what is. */
  takeStored: () => void;
}

interface Stored {
  revision: number;
  updatedAt: number;
  content: ReportContent;
}

/**
 * A report while it is changed: what is typed is stored after each pause, against the revision it was made to. Where the
 * report was changed elsewhere nothing more is stored until a person says whose change is kept.
 */
export function useReportDraft(report: Report): ReportDraft {
  const client = useQueryClient();
  const { refetch } = useReport(report.id);
  const [stored, setStored] = useState<Stored>(() => storedOf(report));
  const [content, setContent] = useState(stored.content);
  const [problem, setProblem] = useState<{ isConflict: boolean; message: string } | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [taken, setTaken] = useState(0);
  const isChanged = content !== stored.content;

  const store = async (revision: number): Promise<void> => {
    setIsSaving(true);
    setProblem(null);
    try {
      const saved = await saveReport(report.id, {
        revision,
        title: content.title,
        blocks: [...content.blocks],
      });
      // What was typed meanwhile is still to be stored.
      setStored({ ...storedOf(saved), content });
      client.setQueryData(queryKeys.report(report.id), saved);
      void client.invalidateQueries({ queryKey: queryKeys.reports });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      setProblem({ isConflict: error instanceof AppError && error.code === 'conflict', message });
    } finally {
      setIsSaving(false);
    }
  };

  useEffect(() => {
    if (!isChanged || isSaving || problem) return;
    const timer = setTimeout(() => void store(stored.revision), SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  });
  useLeaveWarning(isChanged);

  return {
    content,
    taken,
    state: stateOf({ isChanged, isSaving, problem, at: stored.updatedAt }),
    change: (next) => {
      setContent(next);
      if (problem && !problem.isConflict) setProblem(null);
    },
    save: () => {
      if (!isChanged || isSaving) return;
      if (!problem?.isConflict) void store(stored.revision);
      else
        void refetch().then(({ data, error }) =>
          data
            ? store(data.revision)
            : setProblem({ isConflict: true, message: error?.message ?? problem.message }),
        );
    },
    takeStored: () =>
      void refetch().then(({ data }) => {
        if (!data) return;
        const theirs = storedOf(data);
        setStored(theirs);
        setContent(theirs.content);
        setTaken((count) => count + 1);
        setProblem(null);
      }),
  };
}

function storedOf({ revision, updatedAt, title, blocks }: Report): Stored {
  return { revision, updatedAt, content: { title, blocks } };
}

function stateOf({
  isChanged,
  isSaving,
  problem,
  at,
}: {
  isChanged: boolean;
  isSaving: boolean;
  problem: { isConflict: boolean; message: string } | null;
  at: number;
}): SaveState {
  if (isSaving) return { kind: 'saving' };
  if (problem)
    return problem.isConflict ? { kind: 'conflict' } : { kind: 'failed', message: problem.message };
  return isChanged ? { kind: 'unsaved' } : { kind: 'saved', at };
}

/** Has the browser ask before it leaves what is not stored. */
function useLeaveWarning(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
