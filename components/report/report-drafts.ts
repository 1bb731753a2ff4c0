'use client';
import type { QueryClient } from '@tanstack/react-query';
import type { Report, ReportChange } from '@/contract/report';
import { queryKeys } from '@/components/data/query-keys';
import { readReport, saveReport } from '@/components/data/report-queries';
import { ReportDraft, type ReportStore } from './report-draft';

/** A report with typed text that is not stored. */
export interface UnsavedReport {
  reportId: string;
  title: string;
  /** Why it is not; null where it is about to be. */
  why: string | null;
}

/** The drafts of all reports that this tab has opened. While one of them is not stored, the browser asks before it leaves, and as it leaves it is sent. */
class ReportDrafts {
  private readonly drafts = new Map<string, ReportDraft>();
  private readonly listeners = new Set<() => void>();
  private unsaved: readonly UnsavedReport[] = [];

  constructor(private readonly client: QueryClient) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly listUnsaved = (): readonly UnsavedReport[] => this.unsaved;

  /** The draft of a report, with what was typed before and is not stored. */
  open(report: Report): ReportDraft {
    const known = this.drafts.get(report.id);
    if (known) return known;
    const draft = new ReportDraft(report, this.storeOf(report.id));
    this.drafts.set(report.id, draft);
    draft.subscribe(() => this.tell());
    return draft;
  }

  private readonly sendUnsaved = (): void => {
    for (const draft of this.drafts.values()) draft.leavePage();
  };

  private storeOf(reportId: string): ReportStore {
    const { client } = this;
    const queryKey = queryKeys.report(reportId);
    return {
      save: async (change: ReportChange, options: { outlivesPage: boolean }) => {
        const saved = await saveReport(reportId, change, options);
        client.setQueryData(queryKey, saved);
        void client.invalidateQueries({ queryKey: queryKeys.reports });
        return saved;
      },
      read: () =>
        client.fetchQuery({ queryKey, queryFn: ({ signal }) => readReport(reportId, signal), staleTime: 0 }),
    };
  }

  private tell(): void {
    this.unsaved = [...this.drafts].flatMap(([reportId, draft]) => {
      if (!draft.isUnsaved) return [];
      const { content, state } = draft.current();
      const why =
        state.kind === 'failed'
          ? state.message
          : state.kind === 'conflict'
            ? 'it was changed elsewhere'
            : null;
      return [{ reportId, title: content.title, why }];
    });
    window.removeEventListener('beforeunload', askBeforeLeaving);
    window.removeEventListener('pagehide', this.sendUnsaved);
    if (this.unsaved.length > 0) {
      window.addEventListener('beforeunload', askBeforeLeaving);
      window.addEventListener('pagehide', this.sendUnsaved);
    }
    for (const listener of this.listeners) listener();
  }
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

const draftsByClient = new WeakMap<QueryClient, ReportDrafts>();

/** The drafts that belong to a query cache, and so to a tab. */
export function reportDraftsOf(client: QueryClient): ReportDrafts {
  const drafts = draftsByClient.get(client) ?? new ReportDrafts(client);
  draftsByClient.set(client, drafts);
  return drafts;
}
