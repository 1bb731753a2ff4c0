/** A Chromium for the browser tests: one that is set or installed, Debian's by apt, or one from npm. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runQuietly } from './ensure-install.mjs';
import { CHILD_ENV, HOME } from './project.mjs';
import { startProgress } from './progress.mjs';

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The last that runs on Node 20. */
const PACKAGE = '@sparticuz/chromium@147.0.0';

/** Its path, or null with words on what was tried. */
export async function ensureChromium() {
  const set = process.env.CHROMIUM_PATH;
  if (set) {
    if (existsSync(set)) return set;
    console.error(`CHROMIUM_PATH=${set} does not exist.`);
    return null;
  }
  const found = INSTALLED.find((path) => existsSync(path));
  if (found) return found;
  return (await installByApt()) ?? (await installByNpm());
}

async function installByApt() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return null;
  const progress = startProgress('chromium by apt');
  const script = 'apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation';
  const { code, output } = await runQuietly('sh', ['-c', script], {
    ...CHILD_ENV,
    DEBIAN_FRONTEND: 'noninteractive',
  });
  const path = INSTALLED.find((candidate) => existsSync(candidate)) ?? null;
  if (code === 0 && path) {
    progress.done();
    return path;
  }
  progress.failed(output.trim().split('\n').at(-1));
  return null;
}

async function installByNpm() {
  const folder = join(HOME, 'chromium');
  const progress = startProgress('chromium by npm');
  const { code, output } = await runQuietly('npm', [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    PACKAGE,
  ]);
  if (code !== 0) {
    progress.failed();
    console.error(
      `${output}\nNo Chromium: install Debian's (apt-get install chromium), or set CHROMIUM_PATH to one.`,
    );
    return null;
  }
  const entry = createRequire(join(folder, 'package.json')).resolve('@sparticuz/chromium');
  const { default: chromium } = await import(pathToFileURL(entry).href);
  const path = await chromium.executablePath();
  progress.done(path);
  return path;
}
