/** `npm run worker -- --server URL --token TOKEN --home DIR`: a worker in this terminal. */
import { ensureInstall } from './ensure-install.mjs';

await ensureInstall();
process.argv.splice(2, 0, 'workers/main.ts');
await import('./run-ts.mjs');
