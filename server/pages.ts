import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { PagesHandler } from './http/listener';

/** Next on our HTTP server: the production build, or pages compiled as they are asked for. */
export async function preparePages(
  httpServer: Server,
  options: { directory: string; hostname: string; port: number; development: boolean },
): Promise<PagesHandler> {
  const { directory, hostname, port, development } = options;
  if (!development && !existsSync(join(directory, '.next', 'BUILD_ID')))
    throw new Error(`no pages are built in ${directory}: run npm start, or npm run build first`);
  const { default: next } = await import('next');
  const app = next({ dev: development, dir: directory, hostname, port, httpServer });
  await app.prepare();
  const handle = app.getRequestHandler();
  return (request, response) => handle(request, response);
}

/** The pages that are opened first; the run is one that cannot be. */
const FIRST_PAGES = ['/runs', '/runs/-'];

/** Has the code of the first pages read before a reader waits for it. */
export async function warmPages(url: string): Promise<void> {
  for (const path of FIRST_PAGES)
    await fetch(url + path, { headers: { 'sec-fetch-dest': 'document' } })
      .then((response) => response.arrayBuffer())
      // Whoever opens the page is told.
      .catch(() => undefined);
}
