import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { toFieldIssues } from '@/contract/parse';
import { productHome, REPOSITORY_DIR, secretVariable } from '../../env';
import type { Secret } from '../tinker/secret';

export const SERVE_USAGE = `npm run engine:serve -- --model DIR [--port N] [--host ADDRESS] [--key-env NAME] [options]

  --model               Hugging Face folder, relative to the repository; clients name the model as it is written here
  --port                default 8123; 0 = any that is free
  --host                default 127.0.0.1; any other address needs --key-env
  --key-env             variable whose text clients must send as X-API-Key
  --children            child processes of each model, one thread each (default 1)
  --micro-batch-tokens  most tokens of one forward-backward pass (default 2048)
  --max-models          models under training at once (default 4)
  --max-samplers        checkpoints that are sampled from at once, each a copy of the weights (default 4)
  --max-lora-rank       highest rank of a model's adapters (default 128)
  --checkpoints         folder of saved weights (default: engine-checkpoints in the data folder)
  --session-timeout     seconds of silence after which a session's models are unloaded (default 300)`;

const Arguments = z.object({
  model: z.string({ error: 'is missing' }).min(1),
  port: z.coerce.number().int().min(0).max(65_535).default(8123),
  host: z.string().min(1).default('127.0.0.1'),
  'key-env': z.string().min(1).optional(),
  children: z.coerce.number().int().min(1).max(64).default(1),
  'micro-batch-tokens': z.coerce.number().int().min(128).max(65_536).default(2048),
  'max-models': z.coerce.number().int().min(1).max(64).default(4),
  'max-samplers': z.coerce.number().int().min(1).max(64).default(4),
  'max-lora-rank': z.coerce.number().int().min(1).max(4096).default(128),
  checkpoints: z.string().min(1).optional(),
  'session-timeout': z.coerce.number().positive().max(86_400).default(300),
});

export interface ServeSettings {
  /** As clients name it. */
  modelName: string;
  modelDir: string;
  host: string;
  port: number;
  apiKey: Secret | null;
  children: number;
  microBatchTokens: number;
  maxModels: number;
  maxSamplers: number;
  maxLoraRank: number;
  checkpointsDir: string;
  sessionTimeoutMs: number;
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** Reads arguments and the key. Throws `invalid_input` naming what is wrong and what would be valid. */
export function serveSettings(
  argv: readonly string[],
  variables?: Readonly<Record<string, string | undefined>>,
): ServeSettings {
  const parsed = Arguments.safeParse(parseArguments(argv));
  if (!parsed.success) {
    const issues = toFieldIssues(parsed.error);
    const named = issues.map(({ path, message }) => `--${path}: ${message}`).join('; ');
    throw new AppError('invalid_input', named, issues, { cause: parsed.error });
  }
  const given = parsed.data;
  const keyName = given['key-env'];
  const apiKey = keyName === undefined ? null : secretVariable(keyName, variables);
  if (!isLoopback(given.host) && !apiKey)
    throw new AppError(
      'invalid_input',
      `--host ${given.host} can be reached from other machines, and whoever reaches it may train: give --key-env, or listen on 127.0.0.1`,
    );
  return {
    modelName: given.model,
    modelDir: resolve(REPOSITORY_DIR, given.model),
    host: given.host,
    port: given.port,
    apiKey,
    children: given.children,
    microBatchTokens: given['micro-batch-tokens'],
    maxModels: given['max-models'],
    maxSamplers: given['max-samplers'],
    maxLoraRank: given['max-lora-rank'],
    checkpointsDir: resolve(given.checkpoints ?? join(productHome(variables), 'engine-checkpoints')),
    sessionTimeoutMs: given['session-timeout'] * 1000,
  };
}

function parseArguments(argv: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(
    Object.keys(Arguments.shape).map((name) => [name, { type: 'string' as const }]),
  );
  try {
    const { values } = parseArgs({ args: [...argv], options });
    const given = z.record(z.string(), z.string().optional()).parse(values);
    // Read as a number, nothing would be 0.
    const empty = Object.keys(given).find((name) => given[name]?.trim() === '');
    if (empty !== undefined)
      throw new Error(`--${empty}: is empty; expected a value, or the option left out`);
    return given;
  } catch (error) {
    throw new AppError('invalid_input', error instanceof Error ? error.message : String(error), [], {
      cause: error,
    });
  }
}
