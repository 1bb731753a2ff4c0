import type { Database } from './database';
import type { BlobStore } from './blobs/store';
import type { LeaseSettings } from './queue/lease';
import type { Publisher } from './sockets/publisher';

/** The live objects of the server process. */
export interface Runtime {
  database: Database;
  blobs: BlobStore;
  publisher: Publisher;
  lease: LeaseSettings;
}

/** Next compiles its own copy of this module, so the one instance hangs on the process, not on the module. */
const KEY = Symbol.for('stepscope.runtime');
const holder = globalThis as { [KEY]?: Runtime };

export function setRuntime(runtime: Runtime | null): void {
  if (runtime === null) delete holder[KEY];
  else holder[KEY] = runtime;
}

/** The server's live objects, for pages; throws where no server runs in this process. */
export function getRuntime(): Runtime {
  const runtime = holder[KEY];
  if (!runtime)
    throw new Error(
      'no server runs in this process: pages are served by server/main.ts, not by `next start`',
    );
  return runtime;
}
