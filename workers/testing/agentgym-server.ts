/** A small AgentGym environment server on this machine: its routes, its errors and, on request, its ways to fail. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { ServedRoute, ServedWorld } from './agentgym-world';

/**
 * What becomes of an answer once the action has been taken: `hang` never sends it, `drop` closes the connection first,
 * `break` within its body, `truncated` ends it early, `huge` never ends it, and the others send something else.
 */
export type Fault =
  'hang' | 'drop' | 'break' | 'truncated' | 'huge' | 'html' | 'redirect' | 'wrong_types' | 'internal_error';

export interface AgentGymServerSettings {
  /** The fault of the nth request (from 0) to a route, `POST /step` for instance; null for none. */
  fault?(route: string, nth: number): Fault | null;
  /** Default: any that is free. */
  port?: number;
}

const BROKEN_TYPES = {
  id: 'seven',
  observation: 7,
  reward: 'much',
  score: null,
  available_actions: 'all',
  done: 'no',
};
const CHUNK = ' '.repeat(256 * 1024);

/** Serves a world until `close`. */
export class AgentGymServer {
  /** Every request in order: `POST /step`. */
  readonly requests: string[] = [];
  private readonly http: Server;

  private constructor(
    private readonly world: ServedWorld,
    private readonly settings: AgentGymServerSettings,
  ) {
    this.http = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(world: ServedWorld, settings: AgentGymServerSettings = {}): Promise<AgentGymServer> {
    const server = new AgentGymServer(world, settings);
    server.http.listen(settings.port ?? 0, '127.0.0.1');
    await once(server.http, 'listening');
    return server;
  }

  get port(): number {
    const address = this.http.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How many requests a route had. */
  count(route: string): number {
    return this.requests.filter((requested) => requested === route).length;
  }

  /** Ends at once: open requests stay without an answer, later ones are refused. */
  async close(): Promise<void> {
    if (!this.http.listening) return;
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const name = `${request.method} ${pathname}`;
    const nth = this.count(name);
    this.requests.push(name);
    const body = await text(request);
    const route = this.world.routes[name];
    if (!route) return this.refuseRoute(pathname, response);
    const input = request.method === 'GET' ? fromQuery(searchParams) : fromBody(body);
    const answered = answerOf(route, input);
    const fault = this.settings.fault?.(name, nth) ?? null;
    if (fault === null) send(response, answered.status, JSON.stringify(answered.value));
    else fail(fault, response, JSON.stringify(answered.value));
  }

  private refuseRoute(pathname: string, response: ServerResponse): void {
    const isKnown = Object.keys(this.world.routes).some((name) => name.endsWith(` ${pathname}`));
    const [status, detail] = isKnown ? [405, 'Method Not Allowed'] : [404, 'Not Found'];
    send(response, status, JSON.stringify({ detail }));
  }
}

/** FastAPI answers 422 to a body it cannot read; the world's own errors come with 200. */
function answerOf(route: ServedRoute, input: unknown): { status: number; value: unknown } {
  const parsed = route.input.safeParse(input);
  if (!parsed.success) {
    const detail = parsed.error.issues.map(({ code, path, message }) => ({
      type: code,
      loc: ['body', ...path],
      msg: message,
    }));
    return { status: 422, value: { detail } };
  }
  try {
    return { status: 200, value: route.answer(parsed.data) };
  } catch (error) {
    return { status: 200, value: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function fromQuery(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries([...query].map(([name, value]) => [name, z.coerce.number().parse(value)]));
}

function fromBody(body: string): unknown {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

function send(response: ServerResponse, status: number, body: string, type = 'application/json'): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

function fail(fault: Fault, response: ServerResponse, body: string): void {
  switch (fault) {
    case 'hang':
      return;
    case 'drop':
      response.destroy();
      return;
    case 'break':
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length + 1 });
      response.write(body, () => response.destroy());
      return;
    case 'truncated':
      return send(response, 200, body.slice(0, -1));
    case 'huge':
      return flood(response);
    case 'html':
      return send(response, 200, '<html><body>502 Bad Gateway</body></html>', 'text/html');
    case 'redirect':
      response.writeHead(307, { Location: '/' });
      response.end();
      return;
    case 'wrong_types':
      return send(response, 200, JSON.stringify(BROKEN_TYPES));
    case 'internal_error':
      return send(response, 500, 'Internal Server Error', 'text/plain');
  }
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const pour = (): void => {
    while (!response.destroyed && response.write(CHUNK));
  };
  response.on('drain', pour);
  pour();
}
