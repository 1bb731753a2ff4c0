/** Installs what `package-lock.json` asks for, where `node_modules` is missing or holds something else. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { binOf, CHILD_ENV, fail, readJson, ROOT } from './project.mjs';
import { startProgress } from './progress.mjs';

const OLDEST_NODE = [20, 20];
const POLL_MS = 500;

/** Package paths of the lock that are absent or of another version; optional ones may be absent. */
export function missingPackages(lock, installed) {
  return Object.entries(lock.packages).filter(([path, wanted]) => {
    if (path === '') return false;
    const found = installed?.packages[path];
    if (!found) return !wanted.optional;
    return found.version !== wanted.version;
  });
}

/**
 * Packages on the top level of node_modules: `of` all, `done` those unpacked. npm first makes every folder, then fills
 * them, so folders alone would read as nearly all from the first seconds on.
 */
function countInstalled() {
  const folder = join(ROOT, 'node_modules');
  const packages = namesIn(folder).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(folder, name)).map((part) => join(name, part)) : [name],
  );
  const unpacked = packages.filter((name) => existsSync(join(folder, name, 'package.json')));
  return { done: unpacked.length, of: packages.length };
}

/** None where the folder is absent: npm removes and makes folders meanwhile. */
function namesIn(folder) {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

/** Runs a program and keeps its output, which is shown only where it fails. */
export function runQuietly(command, commandArguments, env = CHILD_ENV, onLine = () => {}) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
      const line = output.trimEnd().split('\n').at(-1);
      if (line) onLine(line.trim());
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The npm that runs this script, or the one on the path. */
function npm(npmArguments) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, [script, ...npmArguments]] : ['npm', npmArguments];
}

export async function ensureInstall() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]))
    fail(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);

  const lock = readJson(join(ROOT, 'package-lock.json'));
  const installed = readJson(join(ROOT, 'node_modules', '.package-lock.json'));
  if (!lock) fail('package-lock.json is missing: this is not a whole checkout.');
  if (missingPackages(lock, installed).length > 0) await install();
  if (!isClientCurrent()) await generateClient();
}

async function install() {
  const progress = startProgress('install');
  const timer = setInterval(() => {
    const { done, of } = countInstalled();
    if (of > 0) progress.set(done / of, `${done} of ${of} packages`);
  }, POLL_MS);
  const { code, output } = await runQuietly(...npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']));
  clearInterval(timer);
  if (code === 0) return progress.done();
  progress.failed();
  fail(`${output}\nnpm ci failed with code ${code}.`);
}

/** The client is written from the schema, which a pull can change without changing a package. */
function isClientCurrent() {
  const client = join(ROOT, 'server', 'generated', 'prisma', 'client.ts');
  const schema = join(ROOT, 'prisma', 'schema.prisma');
  return existsSync(client) && statSync(client).mtimeMs >= statSync(schema).mtimeMs;
}

async function generateClient() {
  const progress = startProgress('database client');
  const { code, output } = await runQuietly(process.execPath, [
    binOf('prisma', 'build/index.js'),
    'generate',
  ]);
  if (code === 0) return progress.done();
  progress.failed();
  fail(`${output}\nprisma generate failed with code ${code}.`);
}

if (process.argv[1] === import.meta.filename) await ensureInstall();
