import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { SeededLora } from '@/contract/lora';
import type { CheckpointEntry } from '../tinker/wire';
import { Refusal } from './refusal';

const KINDS = { training: 'weights', sampler: 'sampler_weights' } as const;
export type CheckpointKind = keyof typeof KINDS;

/** Moments of all parameters, or of adapters in their own folder. */
const OPTIMIZERS = ['optimizer.safetensors', 'adapter/optimizer.safetensors'];
const RUN = 'run.json';
const NAME = /^[a-zA-Z0-9_-]{1,255}$/;
/** The short form `tinker://<model>/<name>` names a sampler's weights. */
const PATH = /^tinker:\/\/([a-zA-Z0-9_-]{1,255})\/(?:(weights|sampler_weights)\/)?([a-zA-Z0-9_-]{1,255})$/;

const TrainingRun = z.object({
  training_run_id: z.string(),
  base_model: z.string(),
  created: z.string(),
  /** Null where all parameters were trained. */
  lora: SeededLora.nullable().default(null),
});
export type TrainingRun = z.infer<typeof TrainingRun>;

export interface CheckpointPlace {
  modelId: string;
  kind: CheckpointKind;
  name: string;
}

/** Checkpoints on this machine: `<root>/<model>/weights|sampler_weights/<name>`, Hugging Face folders. They outlive models. */
export class CheckpointFolder {
  private constructor(private readonly root: string) {}

  /** Makes the folder where there is none. Throws `invalid_input` where nothing could be saved in it. */
  static async open(root: string): Promise<CheckpointFolder> {
    try {
      await mkdir(root, { recursive: true });
      await access(root, constants.W_OK | constants.X_OK);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError(
        'invalid_input',
        `--checkpoints ${root}: expected a folder that can be written to (${reason})`,
        [],
        { cause: error },
      );
    }
    return new CheckpointFolder(root);
  }

  async addRun(
    modelId: string,
    { baseModel, created, lora }: { baseModel: string; created: string; lora: SeededLora | null },
  ): Promise<void> {
    const dir = join(this.root, modelId);
    await mkdir(dir, { recursive: true });
    const run: TrainingRun = { training_run_id: modelId, base_model: baseModel, created, lora };
    await writeFile(join(dir, RUN), `${JSON.stringify(run)}\n`);
  }

  /** Every model that was ever trained here, newest first. */
  async runs(): Promise<TrainingRun[]> {
    const ids = await readdir(this.root).catch(() => []);
    const runs = await Promise.all(ids.map((id) => this.findRun(id)));
    return runs
      .filter((run): run is TrainingRun => run !== null)
      .sort((a, b) => b.created.localeCompare(a.created));
  }

  async findRun(modelId: string): Promise<TrainingRun | null> {
    if (!NAME.test(modelId)) return null;
    const text = await readFile(join(this.root, modelId, RUN), 'utf8').catch(() => null);
    return text === null ? null : TrainingRun.parse(JSON.parse(text));
  }

  dirOf({ modelId, kind, name }: CheckpointPlace): string {
    return join(this.root, modelId, KINDS[kind], name);
  }

  pathOf({ modelId, kind, name }: CheckpointPlace): string {
    return `tinker://${modelId}/${KINDS[kind]}/${name}`;
  }

  /** The place a path names. Refuses with 400 what is no path, and with 404 what is not there. */
  async find(path: string): Promise<CheckpointPlace> {
    const [, modelId, folder, name] = PATH.exec(path) ?? [];
    if (modelId === undefined || name === undefined)
      throw new Refusal(
        400,
        `path is "${path}", expected tinker://<model>/weights/<name> or .../sampler_weights/<name>`,
      );
    const place: CheckpointPlace = { modelId, kind: folder === 'weights' ? 'training' : 'sampler', name };
    if (!(await this.has(place))) throw new Refusal(404, `Checkpoint ${path} not found`);
    return place;
  }

  async has(place: CheckpointPlace): Promise<boolean> {
    return stat(join(this.dirOf(place), 'config.json')).then(
      () => true,
      () => false,
    );
  }

  /** A model's checkpoints, newest first. */
  async list(modelId: string): Promise<z.infer<typeof CheckpointEntry>[]> {
    const entries: z.infer<typeof CheckpointEntry>[] = [];
    for (const kind of ['training', 'sampler'] as const) {
      const names = await readdir(join(this.root, modelId, KINDS[kind])).catch(() => []);
      for (const name of names.filter((candidate) => NAME.test(candidate))) {
        const place = { modelId, kind, name };
        const files = await this.files(place);
        entries.push({
          checkpoint_id: name,
          checkpoint_type: kind,
          time: new Date(Math.max(0, ...files.map((file) => file.modifiedMs))).toISOString(),
          tinker_path: this.pathOf(place),
          size_bytes: files.reduce((sum, file) => sum + file.size, 0),
        });
      }
    }
    return entries.sort((a, b) => b.time.localeCompare(a.time));
  }

  /** Every file of a checkpoint, by its path within the folder. */
  async files(place: CheckpointPlace): Promise<{ name: string; size: number; modifiedMs: number }[]> {
    const dir = this.dirOf(place);
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
      .sort();
    return Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(join(dir, name));
        return { name, size, modifiedMs: mtimeMs };
      }),
    );
  }

  read(place: CheckpointPlace, file: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.dirOf(place), file));
  }

  async remove(place: CheckpointPlace): Promise<void> {
    await rm(this.dirOf(place), { recursive: true, force: true });
  }

  /** Keeps what `save` writes into a folder as a sampler's: weights without optimizer, whole or not at all. */
  async addSampler(place: CheckpointPlace, save: (dir: string) => Promise<void>): Promise<void> {
    const dir = this.dirOf(place);
    const draft = join(this.root, place.modelId, `draft-${randomBytes(4).toString('hex')}`);
    try {
      await save(draft);
      for (const optimizer of OPTIMIZERS) await rm(join(draft, optimizer), { force: true });
      await mkdir(dirname(dir), { recursive: true });
      await rename(draft, dir);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }

  /** Calls `use` with a folder of the checkpoint's weights, without its optimizer state where that is not wanted. */
  async withWeights(
    place: CheckpointPlace,
    { optimizer }: { optimizer: boolean },
    use: (dir: string) => Promise<void>,
  ): Promise<void> {
    if (optimizer) return use(this.dirOf(place));
    const links = await mkdtemp(join(tmpdir(), 'stepscope-weights-'));
    try {
      for (const { name } of await this.files(place)) {
        if (OPTIMIZERS.includes(name)) continue;
        await mkdir(dirname(join(links, name)), { recursive: true });
        await symlink(join(this.dirOf(place), name), join(links, name));
      }
      await use(links);
    } finally {
      await rm(links, { recursive: true, force: true });
    }
  }
}
