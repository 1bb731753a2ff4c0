import type { Database } from './database';
import type { BlobStore } from './blobs/store';
import type { LeaseSettings } from './queue/lease';
import type { Publisher } from './sockets/publisher';

/** Asks the REST interface from within the process: what a page shows first is what its reader would be answered. */
export type AskApi = (url: string) => Promise<Response>;

/** The live objects of the server process. */
export interface Runtime {
  database: Database;
  blobs: BlobStore;
  publisher: Publisher;
  lease: LeaseSettings;
}

/** Next compiles its own copy of this module, so what it holds hangs on the process, not on the module. */
const KEY = Symbol.for('stepscope.api');
const holder = globalThis as { [KEY]?: AskApi };

/** Sets what pages ask; null when the server stops. */
export function setAskApi(ask: AskApi | null): void {
  if (ask === null) delete holder[KEY];
  else holder[KEY] = ask;
}

/** The REST interface, for pages; throws where no server runs in this process. */
export function askApi(url: string): Promise<Response> {
  const ask = holder[KEY];
  if (!ask)
    throw new Error(
      'no server runs in this process: pages are served by server/main.ts, not by `next start`',
    );
  return ask(url);
}
