export interface WireAnswer {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Requests to a server of the protocol as they are on the wire, without a client's help. */
export class WireClient {
  constructor(
    /** Asked anew each time, for a server that is started later. */
    private readonly address: () => string,
    private readonly key: string,
  ) {}

  /** A GET without body, a POST with one; a text is sent as it is. The key is sent where no headers are given. */
  async ask(
    route: string,
    body?: unknown,
    headers: Record<string, string> = { 'X-API-Key': this.key },
  ): Promise<WireAnswer> {
    const response = await fetch(`${this.address()}${route}`, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text.startsWith('{') ? JSON.parse(text) : text;
    // Tests look into a text as into an object without fields.
    return { status: response.status, body: json as Record<string, unknown>, headers: response.headers };
  }

  post(route: string, body: unknown): Promise<WireAnswer> {
    return this.ask(`/api/v1/${route}`, body);
  }

  result(requestId: unknown): Promise<WireAnswer> {
    return this.post('retrieve_future', { request_id: requestId });
  }

  /** A model in a session of its own, once it is open. */
  async newModel(baseModel: string, loraConfig: object): Promise<{ session_id: unknown; model_id: unknown }> {
    const { body: session } = await this.post('create_session', { tags: [], sdk_version: '1' });
    const { body: created } = await this.post('create_model', {
      session_id: session.session_id,
      base_model: baseModel,
      lora_config: loraConfig,
    });
    await this.result(created.request_id);
    return { session_id: session.session_id, model_id: created.model_id };
  }
}
