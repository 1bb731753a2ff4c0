/** `npm run engine:serve -- --model DIR --port N`: the embedded engine as a server of the Tinker protocol. */
import { ensureInstall } from './ensure-install.mjs';

await ensureInstall();
process.argv.splice(2, 0, 'workers/engines/serve/main.ts');
await import('./run-ts.mjs');
