import { AppError } from '@/contract/errors';
import type { SeededLora } from '@/contract/lora';
import type { TinkerConnection, TinkerRequest } from './connection';
import { awaitResult, type Submitted } from './future';
import type { TinkerSession } from './session';
import { CreateModelAnswer, type LoraConfig, SubmittedAnswer } from './wire';

const UNLOAD_TIMEOUT_MS = 2000;

/** What a model is created from. */
export interface RemoteModelSpec {
  baseModel: string;
  lora: RemoteLora;
}

/** Adapters as a server is asked for them; rank 0 = all parameters are trained. What is absent the server chooses. */
export type RemoteLora = Pick<SeededLora, 'rank'> & Partial<SeededLora>;

/** A model under training on a server, with the numbers of its operations. */
export class RemoteModel {
  private lastSeqId = 0;

  private constructor(
    private readonly connection: TinkerConnection,
    readonly id: string,
  ) {}

  static async create(
    connection: TinkerConnection,
    session: TinkerSession,
    { baseModel, lora }: RemoteModelSpec,
  ): Promise<RemoteModel> {
    const request = {
      route: 'create_model',
      body: {
        type: 'create_model',
        session_id: session.id,
        model_seq_id: session.nextModel(),
        base_model: baseModel,
        lora_config: toWireLora(lora),
      },
    };
    const submit = () => connection.request(SubmittedAnswer, request).then(({ request_id: id }) => id);
    const submitted = {
      route: request.route,
      requestId: await submit(),
      resubmit: submit,
      isRepeatable: false,
    };
    const reply = await awaitResult(connection, submitted);
    const { model_id: id } = connection.parse(CreateModelAnswer, request, reply);
    return new RemoteModel(connection, id);
  }

  /** Whether nothing was ever asked of it. */
  get isFresh(): boolean {
    return this.lastSeqId === 0;
  }

  /** Number that the next operation will have; unique within the model. */
  get nextSeqId(): number {
    return this.lastSeqId + 1;
  }

  /**
   * Submits the next operation; the caller waits for this before the next, for servers order by arrival. An operation that
   * was refused leaves its number to the next, for some servers wait for a number that is missing. `encode` gives the body
   * with model and number in it.
   */
  async submit(
    route: string,
    fields: object,
    {
      encode,
      headers,
    }: { encode?: (body: object) => TinkerRequest['body']; headers?: Submitted['headers'] } = {},
  ): Promise<Submitted> {
    const seqId = this.nextSeqId;
    const body = { ...fields, model_id: this.id, seq_id: seqId };
    const request: TinkerRequest = { route, body: encode ? encode(body) : body };
    const send = async (): Promise<string> => {
      try {
        return (await this.connection.request(SubmittedAnswer, request)).request_id;
      } catch (error) {
        // Of weights that are loaded it may be the checkpoint that is not there.
        throw route === 'load_weights' ? error : this.explained(error);
      }
    };
    const requestId = await send();
    this.lastSeqId = seqId;
    return { route, requestId, headers, resubmit: send, isRepeatable: false };
  }

  /** Frees what it holds on the server, without insisting: an abandoned session expires by itself. */
  async unload(): Promise<void> {
    await this.connection
      .send({
        route: 'unload_model',
        body: { model_id: this.id, type: 'unload_model' },
        timeoutMs: UNLOAD_TIMEOUT_MS,
      })
      .catch(() => undefined);
  }

  private explained(error: unknown): unknown {
    if (!(error instanceof AppError) || error.code !== 'not_found') return error;
    return new AppError(
      'unavailable',
      `${error.message}: the server no longer has model ${this.id}, since it was started anew or its session expired; a resume goes on from the last checkpoint`,
      [],
      { cause: error },
    );
  }
}

function toWireLora({ rank, alpha, seed, targets }: RemoteLora): Partial<LoraConfig> {
  return {
    rank,
    alpha,
    seed,
    train_attn: targets?.includes('attention'),
    train_mlp: targets?.includes('mlp'),
    train_unembed: targets?.includes('unembed'),
  };
}
