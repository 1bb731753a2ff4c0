import { createHash, timingSafeEqual } from 'node:crypto';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { Secret } from '../tinker/secret';
import { invalidBody, Refusal, refusalOf } from './refusal';
import { isLoopback, type ServeSettings } from './settings';

/** A forward-backward request of the most data that clients send at once is some 15 MB of JSON. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const PREFIX = '/api/v1';
const OPEN_ROUTE = `${PREFIX}/healthz`;

interface RouteText<Body> {
  summary: string;
  body?: z.ZodType<Body>;
}

/** Routes of the protocol with their description, behind the checks that all of them share. */
export class Api {
  readonly app = new OpenAPIHono();

  constructor({ apiKey, host }: Pick<ServeSettings, 'apiKey' | 'host'>) {
    this.app.use(refuseBrowsers(host));
    this.app.use(requireKey(apiKey));
    this.app.use(
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        onError: () => {
          throw new Refusal(413, `a body has at most ${MAX_BODY_BYTES} bytes`);
        },
      }),
    );
    this.app.onError((error, context) => answerError(error, context));
    this.app.notFound((context) => context.json({ detail: 'Not Found' }, 404));
    this.app.doc31('/openapi.json', {
      openapi: '3.1.0',
      info: { title: 'Stepscope engine: Tinker protocol', version: '1' },
    });
  }

  /** A route with a JSON body, parsed; what `answer` gives is the JSON answer, unless it is a response. */
  post<Body>(
    path: string,
    { summary, body }: RouteText<Body> & { body: z.ZodType<Body> },
    answer: (body: Body, context: Context) => object | Promise<object>,
  ): void {
    this.describe('post', path, { summary, body });
    this.app.post(honoPath(path), async (context) =>
      toResponse(context, await answer(await readJson(context, body), context)),
    );
  }

  get(path: string, summary: string, answer: (context: Context) => object | Promise<object>): void {
    this.describe('get', path, { summary });
    this.app.get(honoPath(path), async (context) => toResponse(context, await answer(context)));
  }

  delete(path: string, summary: string, answer: (context: Context) => object | Promise<object>): void {
    this.describe('delete', path, { summary });
    this.app.delete(honoPath(path), async (context) => toResponse(context, await answer(context)));
  }

  private describe<Body>(
    method: 'get' | 'post' | 'delete',
    path: string,
    { summary, body }: RouteText<Body>,
  ): void {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name: name ?? '',
      in: 'path' as const,
      required: true,
      schema: { type: 'string' as const },
    }));
    this.app.openAPIRegistry.registerPath({
      method,
      path: `${PREFIX}${path}`,
      summary,
      parameters,
      ...(body && { request: { body: { content: { 'application/json': { schema: body } } } } }),
      responses: { 200: { description: summary } },
    });
  }
}

/** The JSON body of a request. Refuses with 422, naming each wrong field. */
export async function readJson<Body>(context: Context, schema: z.ZodType<Body>): Promise<Body> {
  const text = await context.req.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal(422, [
      { type: 'json_invalid', loc: ['body'], msg: error instanceof Error ? error.message : String(error) },
    ]);
  }
  return parseBody(schema, value);
}

/** The body of a request, decoded. Refuses with 422, naming each wrong field. */
export function parseBody<Body>(schema: z.ZodType<Body>, value: unknown): Body {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidBody(parsed.error);
  return parsed.data;
}

function honoPath(path: string): string {
  return `${PREFIX}${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

function toResponse(context: Context, answer: object): Response {
  return answer instanceof Response ? answer : context.json(answer);
}

function answerError(error: Error, context: Context): Response {
  if (error instanceof Refusal) return context.json({ detail: error.detail }, error.status);
  if (error instanceof AppError) return answerError(refusalOf(error), context);
  if (error instanceof HTTPException) return context.json({ detail: error.message }, error.status);
  console.error(error);
  return context.json({ detail: 'Internal Server Error' }, 500);
}

/** No page of a browser is a client: neither one of another site, nor one whose name was pointed at this machine. */
function refuseBrowsers(host: string): MiddlewareHandler {
  return async (context, next) => {
    if (context.req.header('origin') !== undefined)
      throw new Refusal(403, 'requests of web pages are refused');
    const asked = hostnameOf(context.req.header('host') ?? '');
    if (isLoopback(host) && !isLoopback(asked))
      throw new Refusal(403, `Host is “${asked}”, expected 127.0.0.1 or localhost`);
    await next();
  };
}

function requireKey(apiKey: Secret | null): MiddlewareHandler {
  return async (context, next) => {
    if (apiKey && context.req.path !== OPEN_ROUTE) {
      const given =
        context.req.header('x-api-key') ?? context.req.header('authorization')?.replace(/^Bearer /, '');
      if (given === undefined || !timingSafeEqual(digest(given), digest(apiKey.reveal())))
        throw new Refusal(401, 'X-API-Key is missing or wrong');
    }
    await next();
  };
}

/** Without its port; empty where it is none. */
function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
