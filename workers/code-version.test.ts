import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeVersion } from './code-version';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-code-'));
  writeFileSync(join(dir, 'package.json'), '{"version": "1.2.3"}');
});
afterEach(() => rmSync(dir, { recursive: true }));

const author = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
const git = (...argv: string[]) =>
  execFileSync('git', ['-C', dir, ...author, ...argv], { encoding: 'utf8' }).trim();

describe('the code of a checkout', () => {
  it('is its commit, and whether its files still are that', async () => {
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    const commit = git('rev-parse', 'HEAD');
    expect(await codeVersion(dir)).toEqual({ version: '1.2.3', commit, dirty: false });
    writeFileSync(join(dir, 'package.json'), '{"version": "1.2.4"}');
    expect(await codeVersion(dir)).toEqual({ version: '1.2.4', commit, dirty: true });
  });

  it('is its version alone without git, and in a folder of another checkout', async () => {
    expect(await codeVersion(dir)).toEqual({ version: '1.2.3', commit: null, dirty: null });
    git('init', '-q');
    const inner = join(dir, 'inner');
    mkdirSync(inner);
    writeFileSync(join(inner, 'package.json'), '{"version": "2.0.0"}');
    expect(await codeVersion(inner)).toEqual({ version: '2.0.0', commit: null, dirty: null });
  });
});
