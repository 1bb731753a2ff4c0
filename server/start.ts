import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import { MAX_UPLOADED_CHECKPOINT_BYTES } from '@/contract/version';
import { disconnectAll } from '@/server/workers/registry';
import { startAnalysis } from './analysis/start-analysis';
import { createApi } from './api/router';
import { BlobStore } from './blobs/store';
import type { Database } from './database';
import { listen } from './http/listen';
import { createListener } from './http/listener';
import { warmPages } from './pages';
import type { PagesHandler } from './http/listener';
import { startIndexer } from './indexer';
import type { LeaseSettings } from './queue/lease';
import { setAskApi } from './runtime';
import type { Runtime } from './runtime';
import { attachSockets } from './sockets/attach';
import { serveBrowsers } from './sockets/browsers';
import { HandlersUnderWay } from './sockets/handlers';
import { createPublisher } from './sockets/publisher';
import { serveWorkers } from './sockets/workers';
import { startSweeper } from './sweeper';

const HANDLERS_DRAIN_MS = 3_000;
/** A partial upload that nobody went on with for a week is of a worker that will not come back. */
const STALE_PARTIAL_MS = 7 * 24 * 3_600_000;

export interface ServerOptions {
  database: Database;
  /** By which the detectors' process connects to it; null runs no detectors. */
  analysisUrl: string | null;
  /** The data folder, absolute. */
  home: string;
  host: string;
  port: number;
  portIsFixed: boolean;
  lease: LeaseSettings;
  allowedHosts: readonly string[];
  /** Prepares the pages once the port is known; null serves none. */
  preparePages: ((httpServer: Server, port: number) => Promise<PagesHandler>) | null;
  development: boolean;
}

export interface RunningServer {
  url: string;
  port: number;
  runtime: Runtime;
  /** Lets handlers end, then closes sockets and the port. The database stays open. Safe to call twice. */
  stop(): Promise<void>;
}

/** Opens the port with REST, sockets, pages and the sweeper on an open, migrated database. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, allowedHosts, development } = options;
  const httpServer = createServer();
  const ready = gate(httpServer);
  const { browsers, workers } = attachSockets(httpServer, allowedHosts);
  const runtime: Runtime = {
    database: options.database,
    blobs: new BlobStore(join(options.home, 'blobs'), MAX_UPLOADED_CHECKPOINT_BYTES),
    publisher: createPublisher(browsers, workers),
    lease: options.lease,
  };
  const api = createApi(runtime);
  setAskApi(async (url) => api.request(url));
  const handlers = new HandlersUnderWay();
  serveBrowsers(browsers, runtime, handlers);
  serveWorkers(workers, runtime, handlers);
  await disconnectAll(options.database);
  await runtime.blobs.removeStalePartials(STALE_PARTIAL_MS);

  const port = await listen(httpServer, host, options.port, options.portIsFixed);
  const pages = options.preparePages ? await options.preparePages(httpServer, port) : null;
  ready(createListener({ api, pages, allowedHosts, development }));
  const sweeper = startSweeper(runtime);
  const indexer = startIndexer(options.database);
  const analysis =
    options.analysisUrl === null ? null : startAnalysis(options.analysisUrl, runtime.publisher);

  const close = async () => {
    await sweeper.stop();
    await indexer.stop();
    await analysis?.stop();
    await handlers.drained(HANDLERS_DRAIN_MS);
    runtime.publisher.close();
    // Closes the port too. Clients see a lost transport, not a dismissal, and so connect again by themselves.
    const closed = browsers.close();
    httpServer.closeAllConnections();
    await closed;
    await handlers.drained(HANDLERS_DRAIN_MS);
    setAskApi(null);
  };
  let closing: Promise<void> | null = null;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (pages && !development) void warmPages(url);
  return { url, port, runtime, stop: () => (closing ??= close()) };
}

/**
 * Lets requests wait until the listener is there. Registered before the sockets are attached, so that these
 * take their own path out and hand on the rest.
 */
function gate(httpServer: Server): (listener: RequestListener) => void {
  let open: (listener: RequestListener) => void = () => undefined;
  const opened = new Promise<RequestListener>((resolve) => {
    open = resolve;
  });
  httpServer.on('request', (request, response) => {
    void opened.then((listener) => listener(request, response));
  });
  return open;
}
