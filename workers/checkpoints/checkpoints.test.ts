import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import type { CheckpointFile } from '@/contract/checkpoint';
import type { RunEvent } from '@/contract/run-events';
import type { BlobSource } from '../connection/blob-client';
import { CheckpointStore, type LocalCheckpoint } from './checkpoint-store';
import { hashFolder } from './hash-files';
import { restoreCheckpoint } from './restore';
import { CheckpointUploader } from './uploader';

const attempt = { runId: 'r-0001', attempt: 1 };
const never = new AbortController().signal;
let root: string;
let store: CheckpointStore;
let said: RunEvent[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stepscope-checkpoints-'));
  store = new CheckpointStore(join(root, 'own'));
  said = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function writeFiles(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

async function addCheckpoint(step: number, text = `weights ${step}`): Promise<LocalCheckpoint> {
  const dir = store.dirOf(attempt, step);
  writeFiles(dir, { 'config.json': '{}', 'model.safetensors': text });
  return store.add(attempt, { step, parentStep: null, dir }, 1000 + step);
}

/** The server's files by hash, as uploads leave them. */
class BlobShelf {
  readonly blobs = new Map<string, Buffer>();
  readonly fetched: string[] = [];
  failures: AppError[] = [];

  async put(source: BlobSource): Promise<void> {
    const failure = this.failures.shift();
    if (failure) throw failure;
    this.blobs.set(source.sha256, Buffer.from(await source.read(0, source.size)));
  }

  fetch(file: CheckpointFile, path: string): Promise<void> {
    const failure = this.failures.shift();
    if (failure) return Promise.reject(failure);
    const bytes = this.blobs.get(file.sha256);
    if (!bytes) return Promise.reject(new AppError('not_found', `no blob ${file.path}`));
    this.fetched.push(file.path);
    writeFileSync(path, bytes);
    return Promise.resolve();
  }
}

describe('hashFolder', () => {
  it('lists every file with its hash and size, by path', async () => {
    writeFiles(root, { 'b.txt': 'bb', 'a/c.txt': 'c' });
    expect(await hashFolder(root)).toEqual([
      { path: 'a/c.txt', sha256: sha256('c'), size: 1 },
      { path: 'b.txt', sha256: sha256('bb'), size: 2 },
    ]);
  });

  it('names a file whose name cannot be sent', async () => {
    writeFiles(root, { 'a b.txt': 'x' });
    await expect(hashFolder(root)).rejects.toThrow('checkpoint file "a b.txt"');
  });
});

describe('CheckpointStore', () => {
  it('knows its checkpoints again after a restart, oldest first', async () => {
    await addCheckpoint(10);
    const five = await addCheckpoint(5);
    await store.mark(five, 'uploaded');
    const again = await new CheckpointStore(join(root, 'own')).list();
    expect(again.map((local) => [local.checkpoint.step, local.state, local.checkpoint.size])).toEqual([
      [5, 'uploaded', 11],
      [10, 'saved', 12],
    ]);
  });

  it.each(['', '{"runId":', '{}', '[1]'])('passes over a manifest that a crash left as %j', async (text) => {
    const torn = await addCheckpoint(5);
    await addCheckpoint(10);
    writeFileSync(`${torn.dir}.json`, text);
    expect((await store.list()).map((local) => local.checkpoint.step)).toEqual([10]);
  });

  it('refuses a folder outside', async () => {
    writeFiles(join(root, 'elsewhere'), { 'x.txt': 'x' });
    await expect(
      store.add(attempt, { step: 1, parentStep: null, dir: join(root, 'own', '..', 'elsewhere') }, 1),
    ).rejects.toThrow('is outside');
  });

  it('keeps the newest three uploaded checkpoints and all that the server lacks', async () => {
    for (const step of [1, 2, 3, 4, 5, 6, 7]) {
      const local = await addCheckpoint(step);
      if (step === 2) await store.mark(local, 'kept');
      else if (step !== 1) await store.mark(local, 'uploaded');
    }
    await store.prune();
    expect((await store.list()).map((local) => local.checkpoint.step)).toEqual([1, 2, 5, 6, 7]);
    expect(existsSync(store.dirOf(attempt, 3))).toBe(false);
  });

  it('finds its own copy only where every byte is right', async () => {
    const local = await addCheckpoint(5);
    const { files } = local.checkpoint;
    expect(await store.findVerified('r-0001', 5, files)).toBe(local.dir);
    expect(await store.findVerified('r-0002', 5, files)).toBeNull();
    writeFileSync(join(local.dir, 'model.safetensors'), 'weights 6');
    expect(await store.findVerified('r-0001', 5, files)).toBeNull();
  });
});

describe('CheckpointUploader', () => {
  it('uploads every file before it says that a checkpoint is complete, in the order they were written', async () => {
    const shelf = new BlobShelf();
    const uploader = new CheckpointUploader(store, shelf, 'worker-1');
    for (const step of [5, 10])
      uploader.enqueue(await addCheckpoint(step), (event) => {
        expect(shelf.blobs.has(sha256(`weights ${step}`))).toBe(true);
        said.push(event);
      });
    await uploader.idle(never);
    expect(said).toEqual([
      { kind: 'checkpoint:completed', step: 5, location: { kind: 'blob' } },
      { kind: 'checkpoint:completed', step: 10, location: { kind: 'blob' } },
    ]);
    expect((await store.list()).map(({ state }) => state)).toEqual(['uploaded', 'uploaded']);
  });

  it('tries again while the server is away', async () => {
    const shelf = new BlobShelf();
    shelf.failures = [new AppError('unavailable', 'away'), new AppError('internal', 'stumbled')];
    const uploader = new CheckpointUploader(store, shelf, 'worker-1');
    uploader.enqueue(await addCheckpoint(5), (event) => said.push(event));
    await uploader.idle(never);
    expect(said).toHaveLength(1);
    expect(shelf.blobs.size).toBe(2);
  });

  it('leaves a checkpoint over the bound where it is, and says so', async () => {
    const uploader = new CheckpointUploader(store, new BlobShelf(), 'worker-1', 5);
    const local = await addCheckpoint(5);
    uploader.enqueue(local, (event) => said.push(event));
    await uploader.idle(never);
    expect(said).toEqual([
      {
        kind: 'checkpoint:completed',
        step: 5,
        location: { kind: 'worker', workerId: 'worker-1', path: local.dir },
      },
    ]);
    expect(local.state).toBe('kept');
  });

  it('says what the server refused, and goes on with the next', async () => {
    const shelf = new BlobShelf();
    shelf.failures = [new AppError('too_large', 'a blob has at most 1 byte')];
    const uploader = new CheckpointUploader(store, shelf, 'worker-1');
    for (const step of [5, 10]) uploader.enqueue(await addCheckpoint(step), (event) => said.push(event));
    await uploader.idle(never);
    expect(said).toEqual([
      {
        kind: 'log:written',
        level: 'error',
        message: 'checkpoint of step 5 was not uploaded: a blob has at most 1 byte',
      },
      { kind: 'checkpoint:completed', step: 10, location: { kind: 'blob' } },
    ]);
  });

  it('hands on what its own disk refuses', async () => {
    const local = await addCheckpoint(5);
    rmSync(local.dir, { recursive: true });
    const uploader = new CheckpointUploader(store, new BlobShelf(), 'worker-1');
    uploader.enqueue(local, (event) => said.push(event));
    await expect(uploader.idle(never)).rejects.toThrow('ENOENT');
    expect(said).toEqual([]);
  });

  it('is not waited for once its worker leaves', async () => {
    const shelf = new BlobShelf();
    shelf.failures = Array.from({ length: 100 }, () => new AppError('unavailable', 'away'));
    const uploader = new CheckpointUploader(store, shelf, 'worker-1');
    uploader.enqueue(await addCheckpoint(5), (event) => said.push(event));
    await uploader.idle(AbortSignal.timeout(50));
    await uploader.stop();
    expect(said).toEqual([]);
    expect((await store.list())[0]?.state).toBe('saved');
  });
});

describe('restoreCheckpoint', () => {
  async function uploaded(): Promise<{ shelf: BlobShelf; files: CheckpointFile[] }> {
    const shelf = new BlobShelf();
    const other = join(root, 'other');
    writeFiles(other, { 'config.json': '{}', 'sub/model.safetensors': 'weights' });
    const files = await hashFolder(other);
    for (const { path, sha256: hash } of files) shelf.blobs.set(hash, readFileSync(join(other, path)));
    return { shelf, files };
  }

  it('fetches another worker’s files and deletes them when they are released', async () => {
    const { shelf, files } = await uploaded();
    const point = { step: 5, files, location: { kind: 'blob' } as const };
    const restored = await restoreCheckpoint('r-0001', point, { store, blobs: shelf }, never);
    expect(await hashFolder(restored.dir)).toEqual(files);
    await restored.release();
    expect(existsSync(restored.dir)).toBe(false);
  });

  it('does not fetch again what an interrupted fetch left whole', async () => {
    const { shelf, files } = await uploaded();
    const dir = store.fetchDirOf('r-0001', 5);
    writeFiles(dir, { 'config.json': '{}', 'sub/model.safetensors': 'wei' });
    const point = { step: 5, files, location: { kind: 'blob' } as const };
    await restoreCheckpoint('r-0001', point, { store, blobs: shelf }, never);
    expect(shelf.fetched).toEqual(['sub/model.safetensors']);
  });

  it('waits while the server is away, and throws what cannot pass', async () => {
    const { shelf, files } = await uploaded();
    shelf.failures = [new AppError('unavailable', 'away')];
    const point = { step: 5, files, location: { kind: 'blob' } as const };
    await restoreCheckpoint('r-0001', point, { store, blobs: shelf }, never);
    expect(shelf.fetched).toHaveLength(2);
    shelf.blobs.clear();
    await expect(restoreCheckpoint('r-0002', point, { store, blobs: shelf }, never)).rejects.toThrow(
      "checkpoint of step 5 is whole neither on this worker's disk nor on the server: no blob config.json",
    );
  });

  it('fetches from the server what it has pruned itself', async () => {
    const shelf = new BlobShelf();
    const uploader = new CheckpointUploader(store, shelf, 'worker-1');
    const [first] = await Promise.all([5, 10, 15, 20].map((step) => addCheckpoint(step)));
    for (const local of await store.list()) uploader.enqueue(local, (event) => said.push(event));
    await uploader.idle(never);
    if (!first) throw new Error('a checkpoint was added');
    expect(existsSync(first.dir)).toBe(false);
    const { files } = first.checkpoint;
    const point = { step: 5, files, location: { kind: 'blob' } as const };
    const restored = await restoreCheckpoint('r-0001', point, { store, blobs: shelf }, never);
    expect(await hashFolder(restored.dir)).toEqual(files);
  });

  it('takes its own copy rather than the server’s, and keeps it', async () => {
    const local = await addCheckpoint(5);
    const shelf = new BlobShelf();
    const point = { step: 5, files: local.checkpoint.files, location: { kind: 'blob' } as const };
    const restored = await restoreCheckpoint('r-0001', point, { store, blobs: shelf }, never);
    await restored.release();
    expect(restored.dir).toBe(local.dir);
    expect(existsSync(local.dir)).toBe(true);
  });

  it('says so where the only copy is no longer whole', async () => {
    const local = await addCheckpoint(5);
    writeFileSync(join(local.dir, 'config.json'), '[]');
    const location = { kind: 'worker', path: local.dir } as const;
    await expect(
      restoreCheckpoint(
        'r-0001',
        { step: 5, files: local.checkpoint.files, location },
        { store, blobs: new BlobShelf() },
        never,
      ),
    ).rejects.toThrow(`checkpoint of step 5 is no longer whole in ${local.dir}`);
  });

  it.each(['../escape', '/etc/passwd', 'a/../../b'])('refuses the path %s', async (path) => {
    const point = {
      step: 5,
      files: [{ path, sha256: sha256('x'), size: 1 }],
      location: { kind: 'blob' } as const,
    };
    await expect(
      restoreCheckpoint('r-0001', point, { store, blobs: new BlobShelf() }, never),
    ).rejects.toThrow('would leave its folder');
  });

  it('refuses a worker’s folder outside its store', async () => {
    const point = { step: 5, files: [], location: { kind: 'worker', path: '/etc' } as const };
    await expect(
      restoreCheckpoint('r-0001', point, { store, blobs: new BlobShelf() }, never),
    ).rejects.toThrow('checkpoint folder /etc is outside');
  });
});
