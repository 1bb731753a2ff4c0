/** Answers of endpoints on the disk, by what was asked. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChatReply } from '@/contract/endpoint';

const StoredReply = z.object({
  content: z.string(),
  reasoning: z.string().nullable(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  stopReason: z.enum(['stop', 'length']),
  usage: z
    .object({ promptTokens: z.int(), cachedPromptTokens: z.int().nullable(), replyTokens: z.int() })
    .nullable(),
}) satisfies z.ZodType<ChatReply>;

/** In each of 256 folders: 256 MiB in all. */
const FOLDER_BYTES = 1024 * 1024;

/**
 * Replies by address and body of their requests. Bounded: where a folder has become too large its oldest answers go.
 * Several processes may share it. A file that cannot be read counts as none.
 */
export class AnswerStore {
  constructor(
    private readonly dir: string,
    private readonly folderBytes = FOLDER_BYTES,
  ) {}

  async find(address: string, body: string): Promise<ChatReply | null> {
    const { path } = this.placeOf(address, body);
    try {
      return StoredReply.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      return null;
    }
  }

  /** Keeps an answer where the disk takes it: without it a request is sent again, which costs and changes nothing else. */
  async keep(address: string, body: string, reply: ChatReply): Promise<void> {
    const text = JSON.stringify(reply);
    if (Buffer.byteLength(text) > this.folderBytes) return;
    const { folder, path } = this.placeOf(address, body);
    const draft = `${path}.${process.pid}.draft`;
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(draft, text);
      await rename(draft, path);
      await this.bound(folder);
    } catch {
      await rm(draft, { force: true });
    }
  }

  private placeOf(address: string, body: string): { folder: string; path: string } {
    const hash = createHash('sha256').update(`${address}\n${body}`).digest('hex');
    const folder = join(this.dir, hash.slice(0, 2));
    return { folder, path: join(folder, `${hash.slice(2)}.json`) };
  }

  private async bound(folder: string): Promise<void> {
    const names = await readdir(folder);
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
    );
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (bytes <= this.folderBytes) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }
}
