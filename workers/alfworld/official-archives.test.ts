import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallGameText } from '@/rl/environments/alfworld/testing/small-game';
import { REPOSITORY_DIR } from '../env';
import { fetchArchives, GAMES_ARCHIVE } from './official-archives';
import { makeZip } from './testing/make-zip';

const GAME = 'json_2.1.1/valid_seen/pick_and_place_simple-Mug-None-Shelf-1/trial_1/game.tw-pddl';
const ARCHIVE = makeZip([{ path: GAME, text: smallGameText() }]);

let dataDir: string;
let server: Server;
let from: string;
let served: Buffer;
let requests: string[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'alfworld-data-'));
  served = ARCHIVE;
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(served);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // An address of a listening TCP server.
  from = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases/`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(dataDir, { recursive: true });
});

async function fetchGames(): Promise<string[]> {
  const said: string[] = [];
  await fetchArchives({
    dataDir,
    from,
    archives: [GAMES_ARCHIVE],
    say: (line) => said.push(line),
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return said;
}

const PAGE = Buffer.from('<html>login</html>');
const lockFile = () => join(dataDir, 'downloads', 'checksums.json');
const stored = () => join(dataDir, 'downloads', 'json_2.1.3_tw-pddl.zip');

describe('fetchArchives', () => {
  it('fetches and unpacks, notes the checksum, and does not fetch again', async () => {
    expect((await fetchGames())[0]).toMatch(/SHA-256 [0-9a-f]{64}, noted, since upstream publishes none/);
    expect(readFileSync(join(dataDir, GAME), 'utf8')).toBe(smallGameText());
    expect((await fetchGames())[0]).toMatch(/is there and as before/);
    expect(requests).toEqual(['/releases/0.4.2/json_2.1.3_tw-pddl.zip']);
  });

  it('fetches anew what has changed on the disk, and refuses what has changed on the server', async () => {
    await fetchGames();
    writeFileSync(stored(), 'damage');
    expect((await fetchGames())[0]).toMatch(/had the SHA-256 .* it is fetched again/);
    rmSync(stored());
    served = makeZip([{ path: GAME, text: 'another' }]);
    await expect(fetchGames()).rejects.toThrow(/has the SHA-256 .*, expected /);
    expect(existsSync(stored())).toBe(false);
    expect(readFileSync(join(dataDir, GAME), 'utf8')).toBe(smallGameText());
  });

  it('deletes a page that came instead of the archive, notes nothing of it, and asks again', async () => {
    served = PAGE;
    await expect(fetchGames()).rejects.toMatchObject({
      code: 'unavailable',
      message: `${stored()}: not a zip archive, or cut off; it is deleted, again fetches it anew`,
    });
    expect(existsSync(stored())).toBe(false);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8'))).toEqual({});
    served = ARCHIVE;
    expect((await fetchGames())[0]).toMatch(/SHA-256 [0-9a-f]{64}, noted/);
    expect(existsSync(join(dataDir, GAME))).toBe(true);
  });

  it('forgets the checksum of what is no archive', async () => {
    mkdirSync(join(dataDir, 'downloads'));
    writeFileSync(stored(), PAGE);
    const sha256 = createHash('sha256').update(PAGE).digest('hex');
    writeFileSync(lockFile(), JSON.stringify({ 'json_2.1.3_tw-pddl.zip': sha256 }));
    await expect(fetchGames()).rejects.toThrow(/not a zip archive/);
    await fetchGames();
    expect(readFileSync(stored()).equals(ARCHIVE)).toBe(true);
  });

  it('keeps an archive that is only too large to be unpacked here', async () => {
    served = makeZip([{ path: GAME, text: 'x', announcedBytes: 2 ** 29 }]);
    await expect(fetchGames()).rejects.toThrow(/makes it too large/);
    expect(existsSync(stored())).toBe(true);
    expect(existsSync(lockFile())).toBe(false);
  });

  it('takes an archive that was put there by hand', async () => {
    mkdirSync(join(dataDir, 'downloads'));
    writeFileSync(stored(), ARCHIVE);
    expect((await fetchGames())[0]).toMatch(/is there$/);
    expect(requests).toEqual([]);
    expect(existsSync(join(dataDir, GAME))).toBe(true);
  });

  it('names a lock file that is damaged', async () => {
    mkdirSync(join(dataDir, 'downloads'));
    writeFileSync(join(dataDir, 'downloads', 'checksums.json'), '{');
    await expect(fetchGames()).rejects.toThrow(/checksums\.json is not JSON; delete it to start anew/);
  });
});

describe('alfworld:download', () => {
  function run(...argv: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const program = [
      join(REPOSITORY_DIR, 'scripts', 'run-ts.mjs'),
      'workers/alfworld/download-cli.ts',
      ...argv,
    ];
    return new Promise((resolve) => {
      const child = execFile(process.execPath, program, { cwd: REPOSITORY_DIR }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
  }

  it('says how many games there are to play', async () => {
    const { code, stdout } = await run('--data', dataDir, '--from', from, '--games-only');
    expect(stdout).toMatch(/valid_seen: 1 games \(list [0-9a-f]{16}\); left out: none/);
    expect(code).toBe(0);
  });

  it('says what to do where the network refuses', async () => {
    await new Promise((resolve) => server.close(resolve));
    const { code, stderr } = await run('--data', dataDir, '--from', from);
    expect(stderr).toMatch(/cannot be reached: .*ECONNREFUSED/);
    expect(stderr).toContain(`put them into ${join(dataDir, 'downloads')}, and run this again`);
    expect(stderr).toMatch(/environment household, which need no download/);
    expect(code).toBe(1);
  });

  it('says what to do where a page comes instead of the archive', async () => {
    served = PAGE;
    const { code, stderr } = await run('--data', dataDir, '--from', from, '--games-only');
    expect(stderr).toMatch(/not a zip archive, or cut off; it is deleted/);
    expect(stderr).toContain(`put them into ${join(dataDir, 'downloads')}, and run this again`);
    expect(code).toBe(1);
  });

  it('refuses arguments it does not know', async () => {
    const { code, stderr } = await run('--dta', dataDir);
    expect(stderr).toMatch(/Unknown option '--dta'/);
    expect(code).toBe(2);
  });
});
