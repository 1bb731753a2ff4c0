import { readFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { EndpointSettings } from '@/contract/endpoint';
import { AppError } from '@/contract/errors';
import { parseOrThrow, toFieldIssues } from '@/contract/parse';
import { readEngineCommand, type EngineCommandSettings } from './engine-command/settings';
import { PROFILE_IDS, type ProfileId } from './engines/tinker/profile';
import { Secret } from './engines/tinker/secret';

/** The repository root: every entry point lies in its `workers/`. */
export const REPOSITORY_DIR = resolve(import.meta.dirname, '..');

type Variables = Readonly<Record<string, string | undefined>>;

/** What can be sent as a header; an error of a header would show it. */
const secretText = z.string().regex(/^[\x21-\x7e]+$/, 'expected printable ASCII without spaces');

/** An empty variable is an absent one. */
function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
}

/** Folder of everything the product stores on this machine: `STEPSCOPE_HOME`, or `.stepscope` in the repository. */
export function productHome(variables: Variables = process.env): string {
  return resolve(REPOSITORY_DIR, variables.STEPSCOPE_HOME || '.stepscope');
}

/** Folder of ALFWorld's games: `ALFWORLD_DATA`, or `~/.cache/alfworld`, as upstream has it. */
export function alfWorldDataDir(variables: Variables = process.env): string {
  return resolve(variables.ALFWORLD_DATA || join(homedir(), '.cache', 'alfworld'));
}

/** Folder of data that is no part of the repository: `STEPSCOPE_DATA`, or `../shared/data` beside it. */
export function outsideDataDir(variables: Variables = process.env): string {
  return resolve(REPOSITORY_DIR, variables.STEPSCOPE_DATA || '../shared/data');
}

/** Folder of answers that endpoints gave: `STEPSCOPE_ENDPOINT_CACHE`, or `endpoint-answers` in the product's folder. */
export function endpointAnswersDir(variables: Variables = process.env): string {
  return resolve(
    REPOSITORY_DIR,
    variables.STEPSCOPE_ENDPOINT_CACHE || join(productHome(variables), 'endpoint-answers'),
  );
}

/** Folder of the sentence model in `STEPSCOPE_EMBEDDING_MODEL`; null where none is named. */
export function embeddingModelDir(variables: Variables = process.env): string | null {
  const dir = variables.STEPSCOPE_EMBEDDING_MODEL;
  return dir ? resolve(REPOSITORY_DIR, dir) : null;
}

/** A server of the Tinker protocol that this worker may train on. */
export interface TinkerServerSettings {
  address: string;
  apiKey: Secret | null;
  profile: ProfileId | 'auto';
  codec: 'json' | 'protobuf';
  /** Null = the profile's own. */
  loraRank: number | null;
  patienceMs: number;
  /** Folder with the text files of models in folders of their names. */
  tokenizersDir: string;
}

const TinkerVariables = z.object({
  STEPSCOPE_TINKER_URL: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port or https://host' })
    .refine(
      (url) => !/[?#@]/.test(url),
      'expected no user name, query or #: the key has a variable of its own',
    )
    .transform((url) => url.replace(/\/+$/, '')),
  STEPSCOPE_TINKER_API_KEY: secretText.optional(),
  STEPSCOPE_TINKER_PROFILE: z.enum(['auto', ...PROFILE_IDS]).default('auto'),
  STEPSCOPE_TINKER_CODEC: z.enum(['json', 'protobuf']).default('json'),
  STEPSCOPE_TINKER_LORA_RANK: z.coerce.number().int().min(0).max(4096).optional(),
  STEPSCOPE_TINKER_PATIENCE_S: z.coerce.number().positive().max(86_400).default(300),
  STEPSCOPE_TOKENIZERS: z.string().optional(),
});

/** The server in `STEPSCOPE_TINKER_URL`, or null where none is named. Throws `invalid_input` naming a wrong variable. */
export function tinkerServer(variables: Variables = process.env): TinkerServerSettings | null {
  if (!variables.STEPSCOPE_TINKER_URL) return null;
  const set = parseOrThrow(TinkerVariables, withoutEmpty(variables), 'the environment');
  return {
    address: set.STEPSCOPE_TINKER_URL,
    apiKey: set.STEPSCOPE_TINKER_API_KEY ? new Secret(set.STEPSCOPE_TINKER_API_KEY) : null,
    profile: set.STEPSCOPE_TINKER_PROFILE,
    codec: set.STEPSCOPE_TINKER_CODEC,
    loraRank: set.STEPSCOPE_TINKER_LORA_RANK ?? null,
    patienceMs: set.STEPSCOPE_TINKER_PATIENCE_S * 1000,
    tokenizersDir: resolve(REPOSITORY_DIR, set.STEPSCOPE_TOKENIZERS ?? '.'),
  };
}

/** The engine command of this worker's own environment, or null where there is none. Throws `invalid_input` naming a wrong variable. */
export function engineCommand(variables: Variables = process.env): EngineCommandSettings | null {
  return readEngineCommand(variables);
}

const ONNX_PROVIDERS = ['cpu', 'cuda', 'auto'] as const;
export type OnnxProvider = (typeof ONNX_PROVIDERS)[number];

/** What the embedded engine computes with: `STEPSCOPE_ONNX_PROVIDER`, or the processor. Throws `invalid_input` naming what it can be. */
export function onnxProvider(variables: Variables = process.env): OnnxProvider {
  const provider = z.enum(ONNX_PROVIDERS).safeParse(variables.STEPSCOPE_ONNX_PROVIDER || 'cpu');
  if (provider.success) return provider.data;
  throw new AppError(
    'invalid_input',
    `STEPSCOPE_ONNX_PROVIDER is "${variables.STEPSCOPE_ONNX_PROVIDER}", expected one of ${ONNX_PROVIDERS.join(', ')}`,
  );
}

/** The secret in a named variable. Throws `invalid_input` where it is absent or cannot be sent as a header. */
export function secretVariable(name: string, variables: Variables = process.env): Secret {
  const text = secretText.safeParse(variables[name] ?? '');
  if (text.success) return new Secret(text.data);
  throw new AppError(
    'invalid_input',
    `the variable ${name} holds no key: expected printable ASCII without spaces`,
  );
}

/** Whether a config may name the variable as its endpoint's. */
function isKeyVariable(name: string): boolean {
  return EndpointSettings.shape.keyVariable.safeParse(name).success;
}

/** Names of the variables that hold a key of an endpoint, as `secretVariable` takes it. */
export function heldEndpointKeys(variables: Variables = process.env): string[] {
  return Object.keys(variables)
    .filter((name) => isKeyVariable(name) && secretText.safeParse(variables[name]).success)
    .sort();
}

export const WORKER_USAGE = `npm run worker -- [--server URL] [--token TOKEN] [--home DIR] [--name NAME]

  --server  address of the server (default: the one that runs on this machine, by server.json in its data folder)
  --token   worker token; STEPSCOPE_WORKER_TOKEN keeps it out of the process list (default: this machine's own)
  --home    the worker's own folder: outbox, checkpoints, identity (default: workers/local in the data folder)
  --name    how screens call it (default: the host's name)`;

const Settings = z.object({
  server: z
    .url({ protocol: /^https?$/, error: 'expected http://host:port or https://host' })
    .transform((url) => url.replace(/\/+$/, '')),
  token: z.string().trim().min(1, 'expected a token').max(500),
  home: z.string().min(1),
  name: z.string().trim().min(1, 'expected a name').max(100),
  /** How long a stopped run may take to end its step and write its checkpoint, in ms. */
  stopGraceMs: z.coerce.number().int().min(0).max(3_600_000),
});
export type WorkerSettings = z.infer<typeof Settings>;

/**
 * Reads arguments and environment. Throws `invalid_input` naming what is wrong or missing, and `unavailable` where
 * a default is to be found in a data folder that has no server.
 */
export function workerSettings(argv: readonly string[], variables: Variables = process.env): WorkerSettings {
  const given = parseArguments(argv);
  const dataDir = productHome(variables);
  const parsed = Settings.safeParse({
    server: given.server ?? localServer(dataDir),
    token: given.token ?? variables.STEPSCOPE_WORKER_TOKEN ?? localToken(dataDir),
    home: resolve(given.home ?? join(dataDir, 'workers', 'local')),
    name: given.name ?? hostname().slice(0, 100),
    stopGraceMs: variables.STEPSCOPE_STOP_GRACE_MS ?? 60_000,
  });
  if (parsed.success) return parsed.data;
  const issues = toFieldIssues(parsed.error);
  const named = issues.map(({ path, message }) => `${SOURCES[path] ?? path}: ${message}`).join('; ');
  throw new AppError('invalid_input', named, issues, { cause: parsed.error });
}

const SOURCES: Record<string, string> = {
  server: '--server',
  token: '--token',
  home: '--home',
  name: '--name',
  stopGraceMs: 'STEPSCOPE_STOP_GRACE_MS',
};

function parseArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...argv], options: { server: text, token: text, home: text, name: text } })
      .values;
  } catch (error) {
    throw new AppError('invalid_input', error instanceof Error ? error.message : String(error), [], {
      cause: error,
    });
  }
}

function localServer(dataDir: string): unknown {
  const text = readDefault(join(dataDir, 'server.json'), '--server');
  try {
    return z.object({ url: z.string() }).parse(JSON.parse(text)).url;
  } catch (error) {
    throw new AppError(
      'invalid_input',
      `${join(dataDir, 'server.json')} is not a server's: give --server`,
      [],
      {
        cause: error,
      },
    );
  }
}

function localToken(dataDir: string): string {
  return readDefault(join(dataDir, 'worker-token'), '--token or STEPSCOPE_WORKER_TOKEN');
}

function readDefault(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AppError(
      'unavailable',
      `${path} cannot be read: start a server on this machine first (npm start), or give ${option}`,
      [],
      { cause: error },
    );
  }
}
