import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChatReply } from '@/contract/endpoint';
import { AnswerStore } from './answer-store';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'stepscope-answers-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const reply = (content: string): ChatReply => ({
  content,
  reasoning: null,
  toolCalls: [{ id: 'a', name: 'go', arguments: '{}' }],
  stopReason: 'stop',
  usage: { promptTokens: 5, cachedPromptTokens: null, replyTokens: 2 },
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
}

it('gives back what was kept for the same address and body, and for no other', async () => {
  await new AnswerStore(dir).keep('http://a', 'body', reply('yes'));
  expect(await new AnswerStore(dir).find('http://a', 'body')).toEqual(reply('yes'));
  expect(await new AnswerStore(dir).find('http://b', 'body')).toBeNull();
  expect(await new AnswerStore(dir).find('http://a', 'body ')).toBeNull();
});

it('takes a file that is broken for none', async () => {
  const store = new AnswerStore(dir);
  await store.keep('http://a', 'body', reply('yes'));
  const [file = ''] = filesIn(dir);
  writeFileSync(join(dir, file), '{"content": ');
  expect(await store.find('http://a', 'body')).toBeNull();
});

it('lets the oldest answers of a folder go, and keeps none that alone is larger than it', async () => {
  const folderBytes = 200;
  const store = new AnswerStore(dir, folderBytes);
  for (let index = 0; index < 120; index++) await store.keep('http://a', `body ${index}`, reply('yes'));
  const bytesOf = (folder: string) =>
    filesIn(join(dir, folder)).reduce((sum, name) => sum + statSync(join(dir, folder, name)).size, 0);
  expect(Math.max(...readdirSync(dir).map(bytesOf))).toBeLessThanOrEqual(folderBytes);
  expect(filesIn(dir).length).toBeLessThan(120);
  expect(await store.find('http://a', 'body 119')).toEqual(reply('yes'));
  await store.keep('http://a', 'long', reply('x'.repeat(folderBytes)));
  expect(await store.find('http://a', 'long')).toBeNull();
});
