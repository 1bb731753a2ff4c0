import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EndpointSettings } from '@/contract/endpoint';
import type { Tokenizer } from '@/contract/engine';
import { ChatServer, type ChatServerAnswer } from '../testing/chat-server';
import { scoredCompletion, type AskedCompletion } from '../testing/completion-server';
import { EndpointTeacher } from './endpoint-teacher';
import { CUT_SAMPLE } from './same-vocabulary';

/** A token is a character. */
function letters(alphabet: readonly string[]): Tokenizer {
  return {
    vocabularySize: alphabet.length,
    encode: (text) => [...text].map((letter) => alphabet.indexOf(letter)),
    decode: (ids) => ids.map((id) => alphabet[id] ?? '').join(''),
    specialId: () => 0,
    renderChat: () => '',
    encodeChat: () => [],
  };
}

const ALPHABET = [...new Set(['§', ...CUT_SAMPLE])];
const student = { tokenizer: letters(ALPHABET), stopTokens: [0] };
const logprob = (id: number, at: number): number => -(id + at / 100);

let stop: AbortController;
let server: ChatServer | null;
beforeEach(() => {
  stop = new AbortController();
  server = null;
});
afterEach(async () => {
  stop.abort(new Error('the run was stopped'));
  await server?.close();
});

const scores =
  (tokenizer: Tokenizer = student.tokenizer) =>
  (asked: AskedCompletion): ChatServerAnswer =>
    scoredCompletion(asked, { tokenizer, logprob });

async function teacherBehind(
  answer: (asked: AskedCompletion, nth: number) => ChatServerAnswer,
  scoring: 'prompt_logprobs' | 'echo' = 'prompt_logprobs',
): Promise<EndpointTeacher> {
  server = await ChatServer.start(answer);
  const settings = EndpointSettings.parse({
    address: server.address,
    model: 'teacher-1',
    triesBeforePause: 1,
  });
  return new EndpointTeacher({ settings, scoring, apiKey: null, student, signal: stop.signal });
}

describe('a teacher behind an endpoint', () => {
  it.each(['prompt_logprobs', 'echo'] as const)(
    'scores given ids by %s, the first of which is not known',
    async (scoring) => {
      const teacher = await teacherBehind(scores(), scoring);
      await teacher.prepare();
      const before = teacher.counts();
      expect(await teacher.computeLogprobs([3, 1, 2])).toEqual([NaN, -1.01, -2.02]);
      expect(server?.asked.at(-1)).toMatchObject({ model: 'teacher-1', prompt: [3, 1, 2], temperature: 1 });
      expect(teacher.counts().prefilled - before.prefilled).toBe(3);
      expect(await teacher.computeLogprobs([3])).toEqual([NaN]);
    },
  );

  it('goes on after ids until one of the student’s ends', async () => {
    const teacher = await teacherBehind(scores());
    const request = { tokens: [3, 1], maxTokens: 5, temperature: 0.5, seed: 2 ** 40 + 7 };
    expect(await teacher.continueText(request)).toBe(' go');
    expect(server?.asked[0]).toMatchObject({ max_tokens: 5, temperature: 0.5, seed: 7, stop: ['§'] });
  });

  it('is asked in its probe for every id of a small vocabulary', async () => {
    const teacher = await teacherBehind(scores());
    await teacher.prepare();
    expect(server?.asked[0]?.prompt).toEqual(expect.arrayContaining(ALPHABET.map((_, id) => id)));
  });

  it.each(['prompt_logprobs', 'echo'] as const)(
    'is refused by %s where an id is another text to it',
    async (scoring) => {
      const other = letters(ALPHABET.with(2, 'X'));
      const teacher = await teacherBehind(scores(other), scoring);
      await expect(teacher.prepare()).rejects.toThrow('id 2 is "X" to it, "h" to the student');
    },
  );

  it('is refused where it cuts a text differently though its ids are the same texts', async () => {
    const coarse = {
      ...student.tokenizer,
      encode: (text: string) => student.tokenizer.encode(text).slice(0, -1),
    };
    const teacher = await teacherBehind(scores(coarse));
    await expect(teacher.prepare()).rejects.toThrow('they cut a text differently from its token');
  });

  it('may put a token of its own before a text', async () => {
    const marked = { ...student.tokenizer, encode: (text: string) => [0, ...student.tokenizer.encode(text)] };
    await expect((await teacherBehind(scores(marked))).prepare()).resolves.toBeUndefined();
  });

  it('is refused where it reads other tokens than it was given', async () => {
    const teacher = await teacherBehind((asked) => {
      const answer = scores()(asked);
      if (typeof answer === 'string') return answer;
      const body: unknown = JSON.parse(answer.body);
      return {
        ...answer,
        body: JSON.stringify(Object.assign({}, body, { usage: { prompt_tokens: 9, completion_tokens: 0 } })),
      };
    });
    await expect(teacher.prepare()).rejects.toThrow(
      `it read 9 tokens where it was given ${ALPHABET.length} ids`,
    );
  });

  it.each([
    ['prompt_logprobs', 'it has no prompt_logprobs'],
    ['echo', 'it has no logprobs of an echoed prompt'],
  ] as const)('is refused where it does not score by %s', async (scoring, why) => {
    const plain = { status: 200, body: JSON.stringify({ choices: [{ text: 'hi' }] }) };
    const teacher = await teacherBehind(() => plain, scoring);
    await expect(teacher.prepare()).rejects.toThrow(why);
  });

  it('that scores nothing for once is asked again, and says meanwhile what it answered', async () => {
    const plain = { status: 200, body: JSON.stringify({ choices: [{ text: 'hi' }] }) };
    const teacher = await teacherBehind((asked, nth) => (nth === 0 ? plain : scores()(asked)));
    const changed = teacher.troubleChanged();
    const scored = teacher.computeLogprobs([3, 1]);
    await changed;
    expect(teacher.trouble).toContain('answered no completion that scores its prompt');
    expect(await scored).toEqual([NaN, -1.01]);
    expect(teacher.trouble).toBeNull();
  });

  it('that refuses a request fails it with the status', async () => {
    const teacher = await teacherBehind(() => ({ status: 404, body: 'no such model' }));
    await expect(teacher.computeLogprobs([3, 1])).rejects.toThrow('HTTP 404: “no such model”');
  });
});
