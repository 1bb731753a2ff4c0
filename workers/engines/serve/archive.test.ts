import { expect, it } from 'vitest';
import { readTar } from '../../alfworld/tar';
import { tarBytes, type ArchivedFile } from './archive';

function file(name: string, text: string): ArchivedFile {
  async function* content(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < text.length; at += 300) yield Buffer.from(text.slice(at, at + 300));
  }
  return { name, size: text.length, modifiedMs: 1_700_000_000_000, content };
}

async function archive(files: readonly ArchivedFile[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tarBytes(files)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('an archive holds each file as it is, whatever its size does to a block', async () => {
  const texts = ['', 'a', 'b'.repeat(511), 'c'.repeat(512), 'd'.repeat(1300)];
  const bytes = await archive(texts.map((text, index) => file(`file-${index}.txt`, text)));
  expect(bytes.length % 512).toBe(0);
  const read = readTar(bytes, 'test.tar');
  expect([...read].map(([name, content]) => [name, content.toString()])).toEqual(
    texts.map((text, index) => [`file-${index}.txt`, text]),
  );
});

it('a file that changes while it is sent, or has too long a name, breaks it off', async () => {
  await expect(archive([{ ...file('a', 'abc'), size: 4 }])).rejects.toThrow('a has 3 bytes, it had 4');
  await expect(archive([file('n'.repeat(101), '')])).rejects.toThrow('does not fit a ustar archive');
});
