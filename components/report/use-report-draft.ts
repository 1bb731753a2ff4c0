'use client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { Report } from '@/contract/report';
import type { DraftView, ReportContent } from './report-draft';
import { reportDraftsOf, type UnsavedReport } from './report-drafts';

/** A draft and what can be done with it. */
export interface OpenDraft extends DraftView {
  change: (content: ReportContent) => void;
  /** Saves at once; after a conflict over what was stored elsewhere. */
  save: () => Promise<void>;
  /** Gives up what is not stored, for what is. */
  takeStored: () => Promise<void>;
  /** Gives up what is not stored: the report is deleted. */
  drop: () => void;
}

/** The draft of a report that is on screen. It is saved when the page is left, and kept while it is not saved. */
export function useReportDraft(report: Report): OpenDraft {
  const client = useQueryClient();
  const [draft] = useState(() => reportDraftsOf(client).open(report));
  const view = useSyncExternalStore(draft.subscribe, draft.current, draft.current);
  useEffect(() => draft.offer(report), [draft, report]);
  useEffect(() => draft.leave, [draft]);
  const { change, save, takeStored, drop } = draft;
  return { ...view, change, save, takeStored, drop };
}

const NONE: readonly UnsavedReport[] = [];

/** Reports of this tab whose typed text is not stored. */
export function useUnsavedReports(): readonly UnsavedReport[] {
  const drafts = reportDraftsOf(useQueryClient());
  return useSyncExternalStore(drafts.subscribe, drafts.listUnsaved, () => NONE);
}
