/** Builds the pages where there is no build or its sources have changed since. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './ensure-install.mjs';
import { binOf, CHILD_ENV, fail, ROOT } from './project.mjs';
import { startProgress } from './progress.mjs';

/** What Next compiles or copies. */
const SOURCES = [
  'app',
  'components',
  'contract',
  'stats',
  'rl',
  'server',
  'public',
  'next.config.mjs',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];
/** Beside the build, so that deleting the one deletes the other. */
const HASH_FILE = join(ROOT, '.next', 'sources.sha256');

function* filesBelow(path) {
  const absolute = join(ROOT, path);
  if (!existsSync(absolute)) return;
  const entries = readdirSync(absolute, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(child);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield child;
  }
}

/** One hash over the names and bytes of all sources but tests. */
function hashSources() {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    const files = /\.\w+$/.test(source) ? [source] : filesBelow(source);
    for (const file of files) {
      if (!existsSync(join(ROOT, file))) continue;
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(ROOT, file)))
        .update('\0');
    }
  }
  return hash.digest('hex');
}

export async function ensureBuild() {
  const sources = hashSources();
  const built = existsSync(HASH_FILE) ? readFileSync(HASH_FILE, 'utf8') : null;
  if (built === sources && existsSync(join(ROOT, '.next', 'BUILD_ID'))) return;
  const progress = startProgress('build');
  const { code, output } = await runQuietly(
    process.execPath,
    [binOf('next', 'dist/bin/next'), 'build'],
    { ...CHILD_ENV, NODE_ENV: 'production' },
    (line) => progress.set(null, line),
  );
  if (code !== 0) {
    progress.failed();
    fail(`${output}\nnext build failed with code ${code}.`);
  }
  writeFileSync(HASH_FILE, sources);
  progress.done();
}

if (process.argv[1] === import.meta.filename) await ensureBuild();
