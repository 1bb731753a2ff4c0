import type { QueryClient } from '@tanstack/react-query';
import { io, type Socket } from 'socket.io-client';
import type { RunDetail, SeriesCurve, SeriesSum } from '@/contract/api';
import type { PublishedEvent } from '@/contract/run-events';
import type { BrowserToServer, ServerToBrowser } from '@/contract/socket';
import { MAX_RUNS } from '@/contract/run-list';
import { refreshChangedRuns } from './changed-runs';
import { addPoints, appendPoints, continues, foldRunDetail, listsChanged } from './fold-run';
import { queryKeys } from './query-keys';

export interface LiveState {
  /** `away`: the socket is gone; what is on screen is the last that was heard. */
  phase: 'connecting' | 'live' | 'away';
  /** When this phase began, of `away` when the server was last heard; ms since 1970. */
  since: number | null;
  lastEventAt: number | null;
}

/** Later than this many events back, charts that were never drawn are fetched rather than appended to. */
const EVENTS_KEPT = 500;
/** A server that is just starting may accept a connection and never answer it: the next try is soon. */
const CONNECT_TIMEOUT_MS = 4000;
const RETRY_AT_MOST_MS = 3000;
/** The list of runs is asked for at most this often. */
const RUNS_EVERY_MS = 1000;

/** What detectors find in a run. */
const analysisKeys = (runId: string) => [queryKeys.alerts(runId), queryKeys.failureClusters(runId)];

interface WatchedRun {
  watchers: number;
  /** Events heard since the watch began, without a hole. */
  events: PublishedEvent[];
}

/** The one socket of a page. Events are folded into the query cache; nobody else listens. */
export class LiveConnection {
  state: LiveState = { phase: 'connecting', since: null, lastEventAt: null };
  private readonly socket: Socket<ServerToBrowser, BrowserToServer>;
  private readonly runs = new Map<string, WatchedRun>();
  private readonly subscribers = new Set<() => void>();
  /** When anything last came from the server, its pings included: one that hangs is missed only later. */
  private heardAt: number | null = null;
  private listWatchers = 0;
  /** The server tells this connection of changed runs; it does so until the connection ends. */
  private listJoined = false;
  private readonly changedRuns = new Set<string>();
  private listTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly client: QueryClient) {
    // Polls first, then upgrades: where a WebSocket hangs behind a proxy or another tab, events still come.
    this.socket = io({
      timeout: CONNECT_TIMEOUT_MS,
      reconnectionDelayMax: RETRY_AT_MOST_MS,
    });
    this.socket.on('connect', () => this.onConnect());
    this.socket.on('disconnect', (reason) => {
      this.setPhase('away');
      // A server that stops in order ends its sockets itself; socket.io takes that as final unless asked again.
      if (reason === 'io server disconnect') this.socket.connect();
    });
    this.socket.on('connect_error', () => this.setPhase('away'));
    this.socket.on('run:events', ({ runId, events }) => this.onEvents(runId, events));
    this.socket.on('runs:changed', ({ runId }) => this.refreshRuns(runId));
    this.socket.on('run:analysed', ({ runId }) => this.stale(...analysisKeys(runId), queryKeys.openAlerts));
    this.socket.on('workers:changed', () => this.stale(queryKeys.workers));
  }

  close(): void {
    if (this.listTimer) clearTimeout(this.listTimer);
    this.socket.disconnect();
  }

  subscribe(subscriber: () => void): () => void {
    this.subscribers.add(subscriber);
    return () => this.subscribers.delete(subscriber);
  }

  watchRun(runId: string): () => void {
    const watched = this.runs.get(runId) ?? { watchers: 0, events: [] };
    watched.watchers += 1;
    this.runs.set(runId, watched);
    if (watched.watchers === 1 && this.socket.connected) this.joinRun(runId);
    return () => {
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      this.runs.delete(runId);
      if (this.socket.connected) this.socket.emit('run:unwatch', { runId });
    };
  }

  watchRuns(): () => void {
    this.listWatchers += 1;
    if (this.listWatchers === 1 && this.socket.connected) this.joinList();
    return () => {
      this.listWatchers -= 1;
    };
  }

  private onConnect(): void {
    const returned = this.state.phase === 'away';
    this.heardAt = Date.now();
    this.socket.io.engine.on('packet', () => {
      this.heardAt = Date.now();
    });
    this.setPhase('live');
    this.listJoined = false;
    if (this.listWatchers > 0) this.joinList();
    for (const runId of this.runs.keys()) this.joinRun(runId);
    // What is not told by events may have changed while the socket was away, or since the page was made.
    if (returned) void this.client.invalidateQueries();
    else this.stale(queryKeys.workers);
  }

  /** Asks anew, once it is joined, for what may have changed after the list on screen was read. */
  private joinList(): void {
    if (this.listJoined) return;
    this.listJoined = true;
    this.socket.emit('runs:watch', () =>
      this.stale(queryKeys.runs, queryKeys.runPages, queryKeys.runsSummary, queryKeys.openAlerts),
    );
  }

  private stale(...keys: readonly (readonly string[])[]): void {
    for (const queryKey of keys) void this.client.invalidateQueries({ queryKey });
  }

  /** Besides its events, what detectors found after the page was made is asked for. */
  private joinRun(runId: string): void {
    this.askForMissed(runId, () => this.stale(...analysisKeys(runId)));
  }

  private askForMissed(runId: string, onJoined?: () => void): void {
    const afterPosition = this.positionOf(runId);
    if (afterPosition === null) return;
    this.socket.emit('run:watch', { runId, afterPosition }, (answer) => {
      if (!answer.ok) console.error(`run ${runId} is not watched: ${answer.error.message}`);
      else if (answer.value.kind === 'events') this.onEvents(runId, answer.value.events);
      else this.refetch(runId);
      onJoined?.();
    });
  }

  /** Position of the last event known of a run, null before its first answer. */
  private positionOf(runId: string): number | null {
    const detail = this.client.getQueryData<RunDetail>(queryKeys.detail(runId));
    return detail ? detail.view.position : null;
  }

  private onEvents(runId: string, events: PublishedEvent[]): void {
    const watched = this.runs.get(runId);
    const position = this.positionOf(runId);
    if (!watched || position === null || events.length === 0) return;
    if (!continues(position, events)) return this.askForMissed(runId);
    this.keep(watched, events);
    this.client.setQueryData<RunDetail>(queryKeys.detail(runId), (detail) =>
      detail ? foldRunDetail(detail, events) : detail,
    );
    this.foldInto<SeriesCurve>(queryKeys.series(runId), watched.events, appendPoints);
    this.foldInto<SeriesSum>(queryKeys.seriesSums(runId), watched.events, addPoints);
    this.refreshLists(runId, events);
    this.setState({ ...this.state, lastEventAt: Date.now() });
  }

  private keep(watched: WatchedRun, events: PublishedEvent[]): void {
    const last = watched.events.at(-1)?.position ?? 0;
    const later = events.filter((event) => event.position > last);
    const gap = watched.events.length > 0 && !continues(last, later);
    watched.events = [...(gap ? [] : watched.events), ...later].slice(-EVENTS_KEPT);
  }

  /** Answers under a key with the events folded in; what cannot be folded is asked for again. */
  private foldInto<Row>(
    under: readonly string[],
    events: readonly PublishedEvent[],
    fold: (rows: readonly Row[], events: readonly PublishedEvent[]) => Row[] | null,
  ): void {
    for (const [queryKey, rows] of this.client.getQueriesData<Row[]>({ queryKey: under })) {
      if (!rows) continue;
      const folded = fold(rows, events);
      if (folded) this.client.setQueryData(queryKey, folded);
      else void this.client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }
  }

  private refreshLists(runId: string, events: PublishedEvent[]): void {
    const changed = listsChanged(events);
    if (changed.evaluations)
      this.stale(queryKeys.evaluations(runId), queryKeys.probe(runId), queryKeys.detail(runId));
    if (changed.checkpoints) this.stale(queryKeys.checkpoints(runId));
    if (changed.worker) this.stale(queryKeys.detail(runId));
  }

  private refetch(runId: string): void {
    const watched = this.runs.get(runId);
    if (watched) watched.events = [];
    void this.client.invalidateQueries({ queryKey: queryKeys.run(runId) });
  }

  private refreshRuns(runId: string): void {
    this.changedRuns.add(runId);
    this.listTimer ??= setTimeout(() => {
      this.listTimer = null;
      const changed = [...this.changedRuns].slice(0, MAX_RUNS);
      for (const id of changed) this.changedRuns.delete(id);
      void this.client.invalidateQueries({ queryKey: queryKeys.runs });
      // A server that does not answer is said elsewhere; what is missed is read when it is back.
      refreshChangedRuns(this.client, changed).catch(() => undefined);
    }, RUNS_EVERY_MS);
    this.setState({ ...this.state, lastEventAt: Date.now() });
  }

  private setPhase(phase: LiveState['phase']): void {
    if (phase === this.state.phase) return;
    const since = phase === 'away' ? (this.heardAt ?? Date.now()) : Date.now();
    this.setState({ ...this.state, phase, since });
  }

  private setState(state: LiveState): void {
    this.state = state;
    for (const subscriber of this.subscribers) subscriber();
  }
}
