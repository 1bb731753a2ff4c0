import { AppError } from '@/contract/errors';
import type { Report, ReportBlock, ReportChange } from '@/contract/report';

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
  /** Changed elsewhere meanwhile. `message`: why what is there could not be read; null where that was not tried. */
  | { kind: 'conflict'; message: string | null }
  | { kind: 'failed'; message: string };

/** A draft as a screen shows it; another object after each change. */
export interface DraftView {
  content: ReportContent;
  /** Counted up where the content was replaced as a whole: fields begin anew then. */
  taken: number;
  state: SaveState;
}

/**
 * Where a report is kept. `save` throws `conflict` where it was changed since the revision that is named; with `outlivesPage` it
 * goes on where the browser leaves the page.
 */
export interface ReportStore {
  save(change: ReportChange, options: { outlivesPage: boolean }): Promise<Report>;
  read(): Promise<Report>;
}

/**
 * A report while it is changed: what is typed is stored after each pause, against the revision it was made to. Where the
 * report was changed elsewhere nothing more is stored until a person says whose change is kept. It outlives the page that
 * shows it, so that what is not stored yet, or was refused, is there when the reader comes back.
 */
export class ReportDraft {
  private stored: Pick<Report, 'revision' | 'updatedAt'> & { content: ReportContent };
  private content: ReportContent;
  private taken = 0;
  private isSaving = false;
  private problem: Extract<SaveState, { kind: 'conflict' | 'failed' }> | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private view: DraftView;
  private readonly listeners = new Set<() => void>();

  constructor(
    report: Report,
    private readonly store: ReportStore,
  ) {
    this.stored = storedOf(report);
    this.content = this.stored.content;
    this.view = this.viewNow();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly current = (): DraftView => this.view;

  get isUnsaved(): boolean {
    return this.content !== this.stored.content;
  }

  readonly change = (content: ReportContent): void => {
    this.content = content;
    // What was refused may be mended now; whose change is kept is still to be said.
    if (this.problem?.kind === 'failed') this.problem = null;
    this.tell();
  };

  /** Saves at once; after a conflict over what was stored elsewhere. */
  readonly save = (): Promise<void> => this.saveNow(false);

  private async saveNow(outlivesPage: boolean): Promise<void> {
    if (!this.isUnsaved || this.isSaving) return;
    const isConflict = this.problem?.kind === 'conflict';
    const content = this.content;
    await this.whileSaving(async () => {
      const { revision } = isConflict ? await this.store.read() : this.stored;
      await this.send(content, revision, outlivesPage);
    }, isConflict);
  }

  private async send(content: ReportContent, revision: number, outlivesPage: boolean): Promise<void> {
    const change = { revision, title: content.title, blocks: [...content.blocks] };
    const saved = await this.store.save(change, { outlivesPage });
    // What was typed meanwhile is still to be stored.
    this.stored = { ...storedOf(saved), content };
  }

  /** Gives up what is not stored, for what is. */
  readonly takeStored = async (): Promise<void> => {
    if (this.isSaving) return;
    await this.whileSaving(async () => this.take(await this.store.read()), true);
  };

  /** What the store has now. It is shown where nothing was typed; else the next save says that there is something newer. */
  readonly offer = (report: Report): void => {
    if (report.revision <= this.stored.revision || this.isUnsaved || this.isSaving) return;
    this.take(report);
    this.tell();
  };

  /** The reader goes: no pause is waited for. */
  readonly leave = (): void => {
    if (this.problem?.kind !== 'conflict') void this.save();
  };

  /** The browser leaves the page: what is not stored is sent at once, in a request that outlives it. */
  readonly leavePage = (): void => {
    if (!this.isUnsaved || this.problem?.kind === 'conflict') return;
    void (this.isSaving ? this.sendBesides() : this.saveNow(true));
  };

  /** The browser may drop the save that is on its way; where it arrived, its revision is gone and this one changes nothing. */
  private async sendBesides(): Promise<void> {
    try {
      await this.send(this.content, this.stored.revision, true);
      this.problem = null;
    } catch {
      // Told by the save that is on its way.
    }
    this.tell();
  }

  /** Gives up what is not stored: there is no such report any more. */
  readonly drop = (): void => {
    this.content = this.stored.content;
    this.problem = null;
    this.tell();
  };

  private take(report: Report): void {
    this.stored = storedOf(report);
    this.content = this.stored.content;
    this.taken += 1;
  }

  private async whileSaving(work: () => Promise<void>, isConflict: boolean): Promise<void> {
    this.isSaving = true;
    this.problem = null;
    this.tell();
    try {
      await work();
    } catch (error) {
      // It may have been stored by the request that was sent as the page was left.
      if (this.isUnsaved) this.problem = problemOf(error, isConflict);
    }
    this.isSaving = false;
    this.tell();
  }

  private tell(): void {
    this.view = this.viewNow();
    if (this.timer) clearTimeout(this.timer);
    this.timer =
      this.view.state.kind === 'unsaved' ? setTimeout(() => void this.save(), SAVE_AFTER_MS) : null;
    for (const listener of this.listeners) listener();
  }

  private viewNow(): DraftView {
    return { content: this.content, taken: this.taken, state: this.stateNow() };
  }

  private stateNow(): SaveState {
    if (this.isSaving) return { kind: 'saving' };
    if (this.problem) return this.problem;
    return this.isUnsaved ? { kind: 'unsaved' } : { kind: 'saved', at: this.stored.updatedAt };
  }
}

function storedOf({ revision, updatedAt, title, blocks }: Report) {
  return { revision, updatedAt, content: { title, blocks } };
}

/** A conflict lasts until a person has settled it, whatever else goes wrong meanwhile. */
function problemOf(
  error: unknown,
  wasConflict: boolean,
): Extract<SaveState, { kind: 'conflict' | 'failed' }> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AppError && error.code === 'conflict') return { kind: 'conflict', message: null };
  return wasConflict ? { kind: 'conflict', message } : { kind: 'failed', message };
}
