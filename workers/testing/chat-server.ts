/** A small OpenAI-compatible API on this machine that answers, or fails, as it is told. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Asked = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })).default([]),
  tools: z.array(z.unknown()).optional(),
  seed: z.number(),
  /** Of a completion. */
  prompt: z.union([z.string(), z.array(z.int())]).default([]),
  max_tokens: z.int(),
  echo: z.boolean().optional(),
  prompt_logprobs: z.int().optional(),
});
type Asked = z.infer<typeof Asked>;

const ROUTES: readonly string[] = ['/v1/chat/completions', '/v1/completions'];

/** What a request is answered with: a status with headers and a body, nothing at all, or a body that breaks off. */
export type ChatServerAnswer =
  { status: number; headers?: Record<string, string>; body: string } | 'hang' | 'drop' | 'truncate';

/** A chat completion with a text, and what it used. */
export function completion(content: string, message: Record<string, unknown> = {}): ChatServerAnswer {
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } },
  };
  return { status: 200, body: JSON.stringify(body) };
}

/** Serves until `close`. */
export class ChatServer {
  /** Every request in order. */
  readonly asked: Asked[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Most requests that were open at once. */
  mostOpen = 0;
  private open = 0;
  private readonly http: Server;

  /** @param answer of the nth request, from 0 */
  private constructor(answer: (asked: Asked, nth: number) => ChatServerAnswer | Promise<ChatServerAnswer>) {
    this.http = createServer((request, response) => {
      const answered = async (): Promise<void> => {
        this.mostOpen = Math.max(this.mostOpen, ++this.open);
        response.on('close', () => this.open--);
        const asked = Asked.parse(JSON.parse(await text(request)));
        this.headers.push(request.headers);
        const nth = this.asked.push(asked) - 1;
        send(response, ROUTES.includes(request.url ?? '') ? await answer(asked, nth) : 'drop');
      };
      answered().catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(
    answer: (asked: Asked, nth: number) => ChatServerAnswer | Promise<ChatServerAnswer>,
    port = 0,
  ): Promise<ChatServer> {
    const server = new ChatServer(answer);
    server.http.listen(port, '127.0.0.1');
    await once(server.http, 'listening');
    return server;
  }

  get port(): number {
    const address = this.http.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return address.port;
  }

  /** The base address that an endpoint's settings take. */
  get address(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  /** Ends at once: open requests stay without an answer, later ones are refused. */
  async close(): Promise<void> {
    if (!this.http.listening) return;
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, 'close');
  }
}

function send(response: ServerResponse, answer: ChatServerAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.destroy();
    return;
  }
  if (answer === 'truncate') {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 1000 });
    response.write('{"choices": [', () => response.destroy());
    return;
  }
  response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers });
  response.end(answer.body);
}
