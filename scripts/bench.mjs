/** `npm run bench -- NAME ...`: runs bench/NAME.ts with the arguments after the name. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstall } from './ensure-install.mjs';
import { fail, ROOT } from './project.mjs';

const name = process.argv[2] ?? '';
if (!/^[\w-]+$/.test(name) || !existsSync(join(ROOT, 'bench', `${name}.ts`))) {
  const names = readdirSync(join(ROOT, 'bench'))
    .filter((file) => /^[\w-]+\.ts$/.test(file))
    .map((file) => file.slice(0, -'.ts'.length));
  fail(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ')}`);
}
await ensureInstall();
process.argv.splice(2, 1, join(ROOT, 'bench', `${name}.ts`));
await import('./run-ts.mjs');
