/**
 * A server with the dialect of a recorded one (SkyRL tx on a CPU): what it says is taken from the recording, word for word;
 * which answer a request gets is decided by the rules that the recording shows.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

interface Said {
  status: number;
  body: string;
}

const LINE = /^## (.+?) (?:(\{.*?"request_id":"\d+"\}) )?(SUBMIT )?(\d{3}) (?:\d+)? ?(.*)$/;

const Body = z.looseObject({
  model_id: z.string().optional(),
  seq_id: z.number().optional(),
  request_id: z.string().optional(),
  path: z.string().optional(),
  base_model: z.string().optional(),
  prompt_logprobs: z.boolean().optional(),
  topk_prompt_logprobs: z.number().optional(),
  num_samples: z.number().optional(),
  prompt: z.looseObject({ chunks: z.array(z.looseObject({ tokens: z.array(z.number()) })) }).optional(),
  sampling_params: z
    .looseObject({ stop: z.unknown().optional(), max_tokens: z.number().nullish() })
    .optional(),
  forward_backward_input: z
    .looseObject({
      loss_fn: z.string(),
      data: z.array(z.looseObject({ loss_fn_inputs: z.unknown() })).optional(),
    })
    .optional(),
});
type Body = z.infer<typeof Body>;

/** What the recording has for each of its steps, by the step's name. */
function readRecording(path: string): Map<string, Said> {
  const steps = readFileSync(path, 'utf8').split('\n');
  return new Map(
    steps.flatMap((line) => {
      const [, name, , , status, body] = LINE.exec(line) ?? [];
      return name === undefined || body === undefined
        ? []
        : [[name, { status: Number(status), body: body.trim() }] as const];
    }),
  );
}

/** Serves until `close`. */
export class RecordedServer {
  /** Every request in order: its route and body. */
  readonly requests: { route: string; body: Body }[] = [];
  /** Routes whose next answer is lost on its way, after the request was taken. */
  readonly lost = new Set<string>();
  private readonly recording: Map<string, Said>;
  private readonly http: Server;
  /** Results by request id, and how often each was asked for. */
  private readonly futures = new Map<string, { said: Said; polls: number }>();
  private readonly operations = new Map<string, { body: string; requestId: string }>();
  private readonly saved = new Set<string>();

  private constructor(path: string) {
    this.recording = readRecording(path);
    this.http = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(path: string): Promise<RecordedServer> {
    const server = new RecordedServer(path);
    server.http.listen(0, '127.0.0.1');
    await once(server.http, 'listening');
    return server;
  }

  get address(): string {
    const address = this.http.address();
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** What the recorded server said at a step. */
  said(step: string): Said {
    const said = this.recording.get(step);
    if (!said) throw new Error(`the recording has no step "${step}"`);
    return said;
  }

  /** Whole arrays of a kind that the recording has at a step; its long lines are cut off. */
  numbers(step: string, name: string): number[][] {
    const pattern = new RegExp(`"${name}":(?:\\{"data":)?\\[([-\\d.,e]+)\\]`, 'g');
    return [...this.said(step).body.matchAll(pattern)].map(([, list]) => (list ?? '').split(',').map(Number));
  }

  async close(): Promise<void> {
    this.http.close();
    this.http.closeAllConnections();
    await once(this.http, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = (request.url ?? '').replace('/api/v1/', '');
    const content = await text(request);
    const body = Body.parse(content === '' ? {} : JSON.parse(content));
    this.requests.push({ route, body });
    const said = this.answerTo(route, body);
    if (this.lost.delete(route)) {
      response.destroy();
      return;
    }
    response.writeHead(said.status, { 'Content-Type': 'application/json' });
    response.end(said.body);
  }

  private answerTo(route: string, body: Body): Said {
    switch (route) {
      case 'client/config':
        return this.said('config');
      case 'get_server_capabilities':
        return this.said('caps');
      case 'create_session':
        return this.said('session');
      case 'session_heartbeat':
        return this.said('hb');
      case 'create_model':
        return this.future(this.said('create_model'));
      case 'get_info':
        return this.said('info');
      case 'create_sampling_session':
        return this.said('create_sampling_session');
      case 'save_weights_for_sampler':
        return this.future(this.said('save_sampler_ephemeral'));
      case 'load_weights':
        return (body.seq_id ?? 0) > 1 ? this.said('load_weights not first') : this.future(this.said('load2'));
      case 'unload_model':
        return this.future(this.said('unload'));
      case 'asample':
        return this.sample(body);
      case 'forward_backward':
        return this.gradient(body);
      case 'optim_step':
        return this.once(route, body, this.said('optim'), this.said('optim same seq diff body'));
      case 'save_weights':
        return this.save(body.path ?? '');
      case 'retrieve_future':
        return this.retrieve(body.request_id ?? '');
      default:
        return route.endsWith('/checkpoints') ? this.listed() : this.said('dyn');
    }
  }

  /** A result is not there when it is first asked for. */
  private retrieve(id: string): Said {
    if (!/^\d+$/.test(id)) return this.said('non-int future');
    const future = this.futures.get(id);
    if (!future) return this.said('bad future');
    future.polls++;
    return future.polls === 1
      ? { status: 408, body: '{"detail":"Timeout waiting for result"}' }
      : future.said;
  }

  private future(said: Said): Said {
    const id = String(this.futures.size + 1);
    this.futures.set(id, { said, polls: 0 });
    return { status: 200, body: JSON.stringify({ future_id: id, status: 'pending', request_id: id }) };
  }

  /** A number that comes again is the same request, or is refused. */
  private once(route: string, body: Body, said: Said, refused: Said): Said {
    const key = `${route} ${body.model_id} ${body.seq_id}`;
    const known = this.operations.get(key);
    if (known && known.body !== JSON.stringify(body)) return refused;
    const requestId =
      known?.requestId ??
      z.looseObject({ request_id: z.string() }).parse(JSON.parse(this.future(said).body)).request_id;
    this.operations.set(key, { body: JSON.stringify(body), requestId });
    return { status: 200, body: JSON.stringify({ request_id: requestId, future_id: requestId }) };
  }

  private gradient(body: Body): Said {
    const loss = body.forward_backward_input?.loss_fn ?? '';
    if (loss === 'dro') return this.said('fb dro');
    if (loss === 'gspo')
      return this.once('forward_backward', body, this.said('fb gspo'), this.said('bad model'));
    const [logprobs] = this.numbers(`fb ${loss}`, 'logprobs');
    const [losses] = this.numbers(`fb ${loss}`, 'elementwise_loss');
    const output = { elementwise_loss: { data: losses }, logprobs: { data: logprobs } };
    const result = { loss_fn_output_type: 'scalar', loss_fn_outputs: [output], metrics: {} };
    return this.once(
      'forward_backward',
      body,
      { status: 200, body: JSON.stringify(result) },
      this.said('optim same seq diff body'),
    );
  }

  private sample(body: Body): Said {
    const params = body.sampling_params;
    if (typeof params?.stop === 'string') return this.said('asample stop string scalar');
    if (params?.max_tokens === undefined || params.max_tokens === null)
      return this.said('asample no max_tokens');
    if (body.topk_prompt_logprobs) return this.future(this.said('asample topk'));
    const tokens = this.numbers('asample', 'tokens');
    const logprobs = this.numbers('asample', 'logprobs');
    const sequences = Array.from({ length: body.num_samples ?? 1 }, (_, i) => ({
      stop_reason: 'length',
      tokens: tokens[i]?.slice(0, params.max_tokens ?? 0),
      logprobs: logprobs[i]?.slice(0, params.max_tokens ?? 0),
    }));
    // One fewer than the prompt has tokens: the first, which is undefined, is left out.
    const [scored = []] = this.numbers('fb ppo', 'logprobs');
    const promptTokens = body.prompt?.chunks.flatMap((chunk) => chunk.tokens).length ?? 0;
    const promptLogprobs = body.prompt_logprobs ? scored.slice(0, promptTokens - 1) : null;
    const result = { sequences, prompt_logprobs: promptLogprobs, topk_prompt_logprobs: null };
    return this.future({ status: 200, body: JSON.stringify(result) });
  }

  private save(name: string): Said {
    const again = this.said('save_weights again');
    if (this.saved.has(name)) return { ...again, body: again.body.replace('step1', name) };
    this.saved.add(name);
    const said = this.said('save_weights');
    return this.future({ ...said, body: said.body.replace('step1', name) });
  }

  private listed(): Said {
    const said = this.said('ckpts');
    return { ...said, body: said.body.replaceAll('step1', [...this.saved].at(-1) ?? 'none') };
  }
}
