import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { babyAiPhrases } from '../../../models/babyai-vocabulary';
import { createTokenizer } from './hugging-face-tokenizer';
import { buildPhraseTokenizer } from './phrase-tokenizer';

const GOLDEN = join(process.env['STEPSCOPE_DATA'] ?? '../shared/data', 'golden/babyai_agentgym.jsonl');

function tokenizerOf(phrases: readonly string[], overrides: Record<string, string> = {}) {
  const { tokenizerJson, tokenizerConfig } = buildPhraseTokenizer(phrases);
  return createTokenizer('model', {
    'tokenizer.json': JSON.stringify(tokenizerJson),
    'tokenizer_config.json': JSON.stringify(tokenizerConfig),
    ...overrides,
  });
}

const babyAi = tokenizerOf(babyAiPhrases());
const pieces = (text: string): string[] => babyAi.encode(text).map((id) => babyAi.decode([id]));

describe('the phrase tokenizer', () => {
  it('takes the longest phrase that fits and falls back to bytes', () => {
    expect(pieces(' toggle and go through red closed door 1')).toEqual([
      ' toggle and go through',
      ' red closed door',
      ' 1',
    ]);
    expect(pieces(' toggle red door')).toEqual([' toggle', ' red door']);
    expect(pieces(' 1"')).toEqual([' 1"']);
    expect(pieces(' redder')).toEqual([' ', 'r', 'e', 'd', 'd', 'e', 'r']);
    expect(babyAi.encode('é')).toEqual([0xc3, 0xa9]);
  });

  it('keeps spaces around and between phrases as they are', () => {
    for (const text of [
      '  go to',
      ' go to ',
      '\n\n go to \n',
      ' go to   red ball',
      ' 1 1 steps in front of you and',
    ])
      expect(babyAi.decode(babyAi.encode(text))).toBe(text);
  });

  it('gives any text back: control characters, astral planes, combining marks and phrases cut short', () => {
    const random = createRandom(5);
    const fragments = [
      ...babyAiPhrases(),
      '\0',
      '\x1b[31m',
      '😀',
      '👩‍👩‍👧',
      'e\u0301',
      'Ġ',
      'Ċ',
      '\ufeff',
      '\r\n',
      '\u2028',
      '中文',
      '<|',
      '|>',
    ];
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: random.integer(12) }, () => {
        const fragment = random.pick(fragments);
        const code = random.integer(0x110000);
        const any = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code);
        return random.pick([
          fragment,
          [...fragment].slice(0, random.integer(fragment.length + 1)).join(''),
          any,
        ]);
      }).join('');
      const ids = babyAi.encode(text);
      expect(babyAi.decode(ids)).toBe(text);
      expect(ids.every((id) => id >= 0 && id < babyAi.vocabularySize)).toBe(true);
    }
  });

  it('writes a lone surrogate as U+FFFD, for it has no UTF-8', () => {
    expect(babyAi.decode(babyAi.encode('a\ud800b'))).toBe('a\ufffdb');
  });

  it('numbers bytes, special tokens and phrases without gap or repetition', () => {
    expect(babyAi.vocabularySize).toBe(256 + 4 + babyAiPhrases().length);
    expect(
      ['<|pad|>', '<|user|>', '<|assistant|>', '<|end|>'].map((token) => babyAi.specialId(token)),
    ).toEqual([256, 257, 258, 259]);
    expect(new Set(babyAiPhrases()).size).toBe(babyAiPhrases().length);
    expect(() => babyAi.specialId('<|eot|>')).toThrow('no special token "<|eot|>"');
  });

  it('writes one user message as user, content, end, assistant, and keeps what the content holds', () => {
    const render = (content: string) => babyAi.decode(babyAi.encodeChat([{ role: 'user', content }]));
    expect(render(' go to\n')).toBe('<|user|> go to\n<|end|><|assistant|>');
    expect(render('{{ 1 }} {% x %}')).toBe('<|user|>{{ 1 }} {% x %}<|end|><|assistant|>');
    expect(
      babyAi.decode(
        babyAi.encodeChat([
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
          { role: 'user', content: 'c' },
        ]),
      ),
    ).toBe('<|user|>a<|end|><|assistant|>b<|end|><|user|>c<|end|><|assistant|>');
    expect(babyAi.encodeChat([{ role: 'user', content: '' }])).toEqual([257, 259, 258]);
  });
});

describe("a model folder's tokenizer", () => {
  it('prefers chat_template.jinja to the template in its config', () => {
    const tokenizer = tokenizerOf([], { 'chat_template.jinja': '{{ messages[0].content }}{{ eos_token }}' });
    expect(tokenizer.encodeChat([{ role: 'user', content: 'a' }])).toEqual([97, 259]);
  });

  it('marks ids that only a padded vocabulary has', () => {
    expect(babyAi.decode([97, 9_999, 98])).toBe('a\ufffdb');
    expect(babyAi.decode([9_999])).toBe('\ufffd');
  });

  it('names what is missing or malformed', () => {
    expect(() => createTokenizer('model', {})).toThrow('model/tokenizer.json: not found');
    expect(() => createTokenizer('model', { 'tokenizer.json': '{' })).toThrow(
      'model/tokenizer.json: not JSON',
    );
    expect(() => createTokenizer('model', { 'tokenizer.json': '{}' })).toThrow('model/tokenizer.json');
    expect(() => tokenizerOf([], { 'chat_template.jinja': '{% if' })).toThrow('model: chat template');
    const plain = tokenizerOf([], { 'tokenizer_config.json': '{}' });
    expect(() => plain.encodeChat([{ role: 'user', content: 'a' }])).toThrow('model has no chat template');
  });
});

describe.skipIf(!existsSync(GOLDEN))('on real BabyAI text', () => {
  it('is lossless and spends under 1 token on 10 characters', () => {
    const texts = readFileSync(GOLDEN, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => {
        const entry = JSON.parse(line) as { reset?: { observation: string } };
        return entry.reset ? [entry.reset.observation] : [];
      });
    expect(texts.length).toBeGreaterThan(100);
    let tokens = 0;
    for (const text of texts) {
      const ids = babyAi.encode(text);
      tokens += ids.length;
      expect(babyAi.decode(ids)).toBe(text);
    }
    expect(tokens).toBeLessThan(texts.join('').length / 10);
  });
});
