import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeModel, type Graph } from '../engines/onnx/graph/encode';
import { openEmbedder } from './open-embedder';
import { openSentenceModel } from './sentence-model';

/** Hidden states of each token, whatever stands beside it. Padding's would drown every mean. */
const STATES = {
  '[PAD]': [900, 900],
  '[UNK]': [0, 0],
  '[CLS]': [1, 0],
  '[SEP]': [0, 1],
  go: [3, 0],
  left: [0, 4],
  '##ward': [1, 1],
};

const special = (content: string, id: number) => ({
  content,
  id,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
});

const tokenizer = {
  version: '1.0',
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(special),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(Object.keys(STATES).map((token, id) => [token, id])),
  },
};

const shape = ['batch', 'length'];
const lookup = (output: string, input = 'input_ids'): Graph => ({
  nodes: [{ operator: 'Gather', inputs: ['states', input], outputs: [output] }],
  initializers: [
    {
      name: 'states',
      type: 'f32',
      shape: [Object.keys(STATES).length, 2],
      data: Float32Array.from(Object.values(STATES).flat()),
    },
  ],
  inputs: [input, 'attention_mask'].map((name) => ({ name, type: 'i64', shape })),
  outputs: [{ name: output, type: 'f32', shape: [...shape, 2] }],
});

let root = '';
beforeAll(async () => (root = await mkdtemp(join(tmpdir(), 'stepscope-embeddings-'))));
afterAll(() => rm(root, { recursive: true, force: true }));

async function folder(name: string, graph: Graph, files: Record<string, unknown> = {}): Promise<string> {
  const dir = join(root, name);
  await mkdir(join(dir, 'onnx'), { recursive: true });
  await writeFile(join(dir, 'onnx', 'model.onnx'), encodeModel(graph));
  for (const [file, value] of Object.entries({ 'tokenizer.json': tokenizer, ...files }))
    await writeFile(join(dir, file), JSON.stringify(value));
  return dir;
}

const unit = (x: number, y: number) => [x / Math.hypot(x, y), y / Math.hypot(x, y)];

function expectVectors(vectors: readonly number[][], expected: readonly number[][]): void {
  expect(vectors).toHaveLength(expected.length);
  expected.flat().forEach((value, i) => expect(vectors.flat()[i]).toBeCloseTo(value, 6));
}

describe('a sentence model', () => {
  it('gives the direction of the mean over a text’s tokens, its marks included and padding left out', async () => {
    const embedder = await openSentenceModel(await folder('pooling', lookup('last_hidden_state')));
    expect(embedder).toMatchObject({ name: 'pooling', kind: 'sentence-model' });
    // [CLS] go [SEP]: (1+3+0, 0+0+1). [CLS] go left ##ward [SEP]: (5, 6). [CLS] [SEP]: (1, 1).
    expectVectors(await embedder.embed(['Go', 'go LEFTward', '']), [unit(4, 1), unit(5, 6), unit(1, 1)]);
  });

  it('gives the same for many texts as for each alone', async () => {
    const embedder = await openSentenceModel(await folder('batches', lookup('last_hidden_state')));
    const texts = Array.from({ length: 70 }, (_, i) => Array.from({ length: i % 5 }, () => 'go').join(' '));
    const alone = [];
    for (const text of texts) alone.push(...(await embedder.embed([text])));
    expectVectors(await embedder.embed(texts), alone);
  });

  it('cuts a long text before its end mark', async () => {
    const dir = await folder('long', lookup('last_hidden_state'), {
      'sentence_bert_config.json': { max_seq_length: 3 },
    });
    const embedder = await openSentenceModel(dir);
    expectVectors(await embedder.embed(['go left left left']), [unit(4, 1)]);
  });

  it('is refused where a file is missing or the graph is another', async () => {
    await expect(openSentenceModel(join(root, 'nothing'))).rejects.toThrow(
      'holds no onnx/model.onnx or model.onnx',
    );
    await expect(openSentenceModel(await folder('pooled', lookup('sentence_embedding')))).rejects.toThrow(
      'the graph gives sentence_embedding; expected last_hidden_state among them',
    );
    const other = await openSentenceModel(await folder('other', lookup('last_hidden_state', 'pixels')));
    await expect(other.embed(['go'])).rejects.toThrow('the graph asks for pixels; expected input_ids');
  });
});

describe('the embedder of a worker', () => {
  it('is the folder that its environment names, else hashed n-grams', async () => {
    vi.stubEnv('STEPSCOPE_EMBEDDING_MODEL', '');
    expect((await openEmbedder()).kind).toBe('hashed-ngrams');
    vi.stubEnv('STEPSCOPE_EMBEDDING_MODEL', await folder('named', lookup('last_hidden_state')));
    expect((await openEmbedder()).name).toBe('named');
    vi.unstubAllEnvs();
  });
});
