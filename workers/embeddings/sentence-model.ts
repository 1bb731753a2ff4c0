/**
 * Sentence embeddings as sentence-transformers computes them for models such as all-MiniLM-L6-v2: WordPiece tokens, a
 * transformer, the mean of its last hidden states over the tokens of the text, scaled to length 1.
 */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { z } from 'zod';
import type { TextEmbedder } from '@/contract/embedding';
import { AppError } from '@/contract/errors';
import { parseJson, readTextIfPresent } from '../engines/onnx/checkpoint/json-file';
import { floatOutput, openSession } from '../engines/onnx/session';

const HIDDEN_STATES = 'last_hidden_state';

/** Where exporters put the graph. */
const GRAPH_PATHS = ['onnx/model.onnx', 'model.onnx'];

/** Texts of one forward pass. */
const BATCH = 32;

/** The tokens that all-MiniLM-L6-v2 reads of a text, where the folder does not say. */
const MAX_TOKENS = 256;
const LengthSettings = z.looseObject({ max_seq_length: z.int().min(2).default(MAX_TOKENS) });

interface SentenceModel {
  dir: string;
  session: InferenceSession;
  tokenizer: Tokenizer;
  maxTokens: number;
}

/**
 * Opens a folder with `tokenizer.json`, `onnx/model.onnx` or `model.onnx`, and, where they are there, `tokenizer_config.json`
 * and `sentence_bert_config.json`. Throws `not_found` for a missing file and `invalid_input` for one that cannot be used.
 */
export async function openSentenceModel(dir: string): Promise<TextEmbedder> {
  const model: SentenceModel = {
    dir,
    session: await openGraph(dir),
    tokenizer: await openTokenizer(dir),
    maxTokens: await maxTokensOf(dir),
  };
  return {
    name: basename(dir),
    kind: 'sentence-model',
    async embed(texts) {
      const vectors: number[][] = [];
      for (let first = 0; first < texts.length; first += BATCH)
        vectors.push(...(await embedBatch(model, texts.slice(first, first + BATCH))));
      return vectors;
    },
  };
}

async function openGraph(dir: string): Promise<InferenceSession> {
  const bytes = await firstFile(dir, GRAPH_PATHS);
  const session = await openSession(bytes);
  if (session.outputNames.includes(HIDDEN_STATES)) return session;
  throw new AppError(
    'invalid_input',
    `${dir}: the graph gives ${session.outputNames.join(', ')}; expected ${HIDDEN_STATES} among them`,
  );
}

async function firstFile(dir: string, paths: readonly string[]): Promise<Uint8Array> {
  for (const path of paths) {
    try {
      return await readFile(join(dir, path));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  throw new AppError('not_found', `${dir} holds no ${paths.join(' or ')}`);
}

async function openTokenizer(dir: string): Promise<Tokenizer> {
  const path = join(dir, 'tokenizer.json');
  const text = await readTextIfPresent(path);
  if (text === null) throw new AppError('not_found', `${path}: not found`);
  const json = z.looseObject({}).safeParse(parseJson(path, text));
  if (!json.success) throw new AppError('invalid_input', `${path}: not a JSON object`);
  return new Tokenizer(json.data, await jsonOf(dir, 'tokenizer_config.json'));
}

async function maxTokensOf(dir: string): Promise<number> {
  const name = 'sentence_bert_config.json';
  const settings = LengthSettings.safeParse(await jsonOf(dir, name));
  if (settings.success) return settings.data.max_seq_length;
  throw new AppError('invalid_input', `${join(dir, name)}: max_seq_length is malformed`);
}

/** A JSON object of the folder, empty where there is none. */
async function jsonOf(dir: string, name: string): Promise<object> {
  const path = join(dir, name);
  return z.looseObject({}).parse(parseJson(path, (await readTextIfPresent(path)) ?? '{}'));
}

/** Unit vectors of at most a batch of texts, [texts][hidden]. */
async function embedBatch(model: SentenceModel, texts: readonly string[]): Promise<number[][]> {
  const idsBT = texts.map((text) => tokenIds(model, text));
  const outputs = await model.session.run(feedsOf(model, idsBT));
  const states = floatOutput(outputs, HIDDEN_STATES);
  const length = Math.max(...idsBT.map((ids) => ids.length));
  const hiddenSize = states.length / (idsBT.length * length);
  return idsBT.map((ids, row) => {
    const first = row * length * hiddenSize;
    return unitMean(states.subarray(first, first + ids.length * hiddenSize), hiddenSize);
  });
}

/** Ids of a text with the marks that begin and end it; what is too long loses its last words, not its end mark. */
function tokenIds({ tokenizer, maxTokens }: SentenceModel, text: string): number[] {
  const { ids } = tokenizer.encode(text);
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
}

/** Padding has id 0 and mask 0; the mean leaves it out, so its states do not count. */
function feedsOf({ dir, session }: SentenceModel, idsBT: readonly (readonly number[])[]) {
  const length = Math.max(...idsBT.map((ids) => ids.length));
  const tensor = (valueOf: (ids: readonly number[], t: number) => number) =>
    new Tensor(
      'int64',
      BigInt64Array.from(idsBT.flatMap((ids) => Array.from({ length }, (_, t) => BigInt(valueOf(ids, t))))),
      [idsBT.length, length],
    );
  const known: Record<string, () => Tensor> = {
    input_ids: () => tensor((ids, t) => ids[t] ?? 0),
    attention_mask: () => tensor((ids, t) => Number(t < ids.length)),
    token_type_ids: () => tensor(() => 0),
  };
  return Object.fromEntries(
    session.inputNames.map((name) => {
      const make = known[name];
      if (make) return [name, make()];
      throw new AppError(
        'invalid_input',
        `${dir}: the graph asks for ${name}; expected ${Object.keys(known).join(', ')}`,
      );
    }),
  );
}

/** Mean over tokens of [tokens][hiddenSize] states, scaled to L2 norm 1. */
function unitMean(states: Float32Array, hiddenSize: number): number[] {
  const sums = new Array<number>(hiddenSize).fill(0);
  states.forEach((value, i) => {
    const h = i % hiddenSize;
    sums[h] = (sums[h] ?? 0) + value;
  });
  const norm = Math.hypot(...sums);
  return sums.map((sum) => sum / norm);
}
