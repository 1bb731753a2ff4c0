/** `npm run check`: format, lint, types and the fast tests; says which of them failed. */
import { spawnSync } from 'node:child_process';
import { ensureInstall } from './ensure-install.mjs';
import { binOf, CHILD_ENV, ROOT } from './project.mjs';
import { formatElapsed } from './progress.mjs';

const CHECKS = [
  ['format', binOf('prettier', 'bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  ['lint', binOf('eslint', 'bin/eslint.js'), '.', '--max-warnings', '0'],
  ['types', binOf('typescript', 'bin/tsc'), '--noEmit'],
  ['unit', binOf('vitest', 'vitest.mjs'), 'run', '--project', 'unit', '--project', 'dom'],
];

await ensureInstall();
const failed = [];
for (const [name, ...nodeArguments] of CHECKS) {
  const startedAt = Date.now();
  const { status } = spawnSync(process.execPath, nodeArguments, {
    cwd: ROOT,
    env: CHILD_ENV,
    stdio: 'inherit',
  });
  if (status !== 0) failed.push(name);
  console.log(
    `${name.padEnd(8)} ${status === 0 ? 'passed' : 'FAILED'} in ${formatElapsed(Date.now() - startedAt)}`,
  );
}
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
