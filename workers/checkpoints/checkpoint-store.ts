import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { CheckpointRecord, type CheckpointFile } from '@/contract/checkpoint';
import { RunAttempt } from '@/contract/socket';
import { hashFolder, holdsFiles } from './hash-files';

/** Uploaded checkpoints that stay on this disk as well, counted over all runs. */
const UPLOADED_KEPT = 3;

/**
 * What is known of a checkpoint on this disk. `saved`: the server has only heard of it. `uploaded`: the server
 * has the files. `kept`: too large to upload, so this is the only copy.
 */
const Manifest = RunAttempt.extend({
  state: z.enum(['saved', 'uploaded', 'kept']),
  /** ms since 1970 */
  savedAt: z.int(),
  checkpoint: CheckpointRecord,
});
type Manifest = z.infer<typeof Manifest>;

export interface LocalCheckpoint extends Manifest {
  dir: string;
}

/** A worker's checkpoints: a folder each, `<run>/<attempt>/step-<step>`, with its manifest beside it. */
export class CheckpointStore {
  constructor(private readonly root: string) {}

  dirOf({ runId, attempt }: RunAttempt, step: number): string {
    return join(this.root, runId, String(attempt), `step-${String(step).padStart(6, '0')}`);
  }

  /** Where files of another worker's checkpoint are put together. */
  fetchDirOf(runId: string, step: number): string {
    return join(this.root, runId, 'fetched', `step-${String(step).padStart(6, '0')}`);
  }

  /** Hashes what a recipe wrote and takes it in as `saved`. */
  async add(
    attempt: RunAttempt,
    written: { step: number; parentStep: number | null; dir: string },
    savedAt: number,
  ): Promise<LocalCheckpoint> {
    this.requireInside(written.dir);
    const files = await hashFolder(written.dir);
    const checkpoint: CheckpointRecord = {
      step: written.step,
      parentStep: written.parentStep,
      files,
      size: files.reduce((sum, file) => sum + file.size, 0),
    };
    const local: LocalCheckpoint = { ...attempt, state: 'saved', savedAt, checkpoint, dir: written.dir };
    await writeManifest(local);
    return local;
  }

  async mark(local: LocalCheckpoint, state: Manifest['state']): Promise<void> {
    local.state = state;
    await writeManifest(local);
  }

  /** Every checkpoint with a whole manifest, oldest first. One that a crash cut off is none: its folder is nobody's. */
  async list(): Promise<LocalCheckpoint[]> {
    if (!existsSync(this.root)) return [];
    const entries = await readdir(this.root, { recursive: true });
    const found: LocalCheckpoint[] = [];
    for (const entry of entries.filter((path) => /(^|[/\\])step-\d+\.json$/.test(path))) {
      const path = join(this.root, entry);
      const dir = path.slice(0, -'.json'.length);
      const manifest = readManifest(await readFile(path, 'utf8'));
      if (manifest) found.push({ ...manifest, dir });
    }
    return found.sort((a, b) => a.savedAt - b.savedAt);
  }

  /** A folder on this disk that holds exactly these files of the run, verified by hash; null where there is none. */
  async findVerified(runId: string, step: number, files: readonly CheckpointFile[]): Promise<string | null> {
    for (const local of await this.list())
      if (local.runId === runId && local.checkpoint.step === step && (await holdsFiles(local.dir, files)))
        return local.dir;
    return null;
  }

  /** Deletes uploaded checkpoints but the newest few. What the server lacks always stays. */
  async prune(): Promise<void> {
    const uploaded = (await this.list()).filter((local) => local.state === 'uploaded');
    for (const local of uploaded.slice(0, Math.max(0, uploaded.length - UPLOADED_KEPT))) {
      // The manifest goes first: a folder without one is nobody's, a manifest without its folder would be a lie.
      await rm(manifestPath(local.dir), { force: true });
      await rm(local.dir, { recursive: true, force: true });
    }
  }

  /** Throws `forbidden` for a folder that is not below this store. */
  requireInside(dir: string): void {
    if (resolve(dir).startsWith(resolve(this.root) + sep)) return;
    throw new AppError('forbidden', `checkpoint folder ${dir} is outside ${this.root}`);
  }
}

function readManifest(text: string): Manifest | null {
  try {
    return Manifest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function manifestPath(dir: string): string {
  return `${dir}.json`;
}

async function writeManifest({ dir, ...manifest }: LocalCheckpoint): Promise<void> {
  const path = manifestPath(dir);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.partial`, JSON.stringify(manifest));
  await rename(`${path}.partial`, path);
}
