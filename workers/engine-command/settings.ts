import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { parseOrThrow } from '@/contract/parse';
import { Secret } from '../engines/tinker/secret';

/** A command of this machine that starts an engine, and what it is started with. */
export interface EngineCommandSettings {
  /** Program and arguments; no shell reads them. */
  argv: readonly string[];
  /** How long its address may take to answer, in ms. */
  readyMs: number;
  /** The worker's environment without its own token and the keys of endpoints; an empty variable stays, for it can hide every card. */
  env: Readonly<Record<string, string | undefined>>;
  /** What its output must not show. */
  secrets: readonly Secret[];
}

const EXAMPLE_COMMAND = '["uv","run","-m","skyrl.tinker.api"]';

const EngineCommandVariables = z.object({
  STEPSCOPE_ENGINE_COMMAND: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: `expected a JSON list of texts, ${EXAMPLE_COMMAND}` });
        return z.NEVER;
      }
    })
    .pipe(
      z
        .array(z.string(), `expected a JSON list of texts, ${EXAMPLE_COMMAND}`)
        .refine(([program]) => Boolean(program), 'expected a program, then its arguments'),
    ),
  STEPSCOPE_ENGINE_READY_S: z.coerce.number().positive().max(86_400).default(900),
});

/** Variables whose names say that nobody shall read them. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)(_|$)/i;
/** Keys of models behind an API, which an engine never asks. */
const ENDPOINT_KEY_NAME = /^STEPSCOPE_ENDPOINT_KEY(_|$)/;
/** In any variable: a proxy's or a database's address has its password within. */
const URL_PASSWORD = /[a-z][a-z\d+.-]*:\/\/[^\s:@/]*:([^\s/?#]+)@/gi;
/** A shorter text is found in what is no secret. */
const SHORTEST_SECRET = 6;

/**
 * The command in `STEPSCOPE_ENGINE_COMMAND`, or null where there is none. It comes from the worker's own environment
 * alone, never from a run's config or a browser. Throws `invalid_input` naming a wrong variable, and where
 * `STEPSCOPE_TINKER_URL` does not say at which address the engine will answer.
 */
export function readEngineCommand(
  variables: Readonly<Record<string, string | undefined>>,
): EngineCommandSettings | null {
  if (!variables.STEPSCOPE_ENGINE_COMMAND) return null;
  const set = parseOrThrow(
    EngineCommandVariables,
    {
      STEPSCOPE_ENGINE_COMMAND: variables.STEPSCOPE_ENGINE_COMMAND,
      STEPSCOPE_ENGINE_READY_S: variables.STEPSCOPE_ENGINE_READY_S || undefined,
    },
    'the environment',
  );
  if (!variables.STEPSCOPE_TINKER_URL)
    throw new AppError(
      'invalid_input',
      'STEPSCOPE_ENGINE_COMMAND is set and STEPSCOPE_TINKER_URL is not: it has to name the address at which the engine will answer',
    );
  const env = Object.fromEntries(
    Object.entries(variables).filter(
      ([name]) => name !== 'STEPSCOPE_WORKER_TOKEN' && !ENDPOINT_KEY_NAME.test(name),
    ),
  );
  return {
    argv: set.STEPSCOPE_ENGINE_COMMAND,
    readyMs: set.STEPSCOPE_ENGINE_READY_S * 1000,
    env,
    secrets: secretsOf(variables),
  };
}

/** Longest first: a secret that begins another would hide that beginning and leave the rest of it to be read. */
function secretsOf(variables: Readonly<Record<string, string | undefined>>): Secret[] {
  const texts = Object.entries(variables).flatMap(([name, value = '']) => [
    ...(SECRET_NAME.test(name) ? [value] : []),
    ...passwordsIn(value),
  ]);
  return [...new Set(texts)]
    .filter((text) => text.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
    .map((text) => new Secret(text));
}

/** Passwords of `scheme://user:password@host`, as they are written and as they are meant. */
function passwordsIn(text: string): string[] {
  return [...text.matchAll(URL_PASSWORD)].flatMap(([, written = '']) => {
    try {
      return [written, decodeURIComponent(written)];
    } catch {
      return [written];
    }
  });
}
