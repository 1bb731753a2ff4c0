import type { TinkerConnection } from './connection';
import { awaitResult, type Submitted } from './future';
import { decodeForwardBackwardAnswer, encodeForwardBackwardRequest } from './protobuf/forward-backward';
import type { RemoteModel } from './remote-model';
import { ForwardBackwardAnswer, ForwardBackwardRequest, type ForwardBackwardInput } from './wire';

/** The form of gradients and samples on the wire; everything else is JSON. */
export type Codec = 'json' | 'protobuf';

/** Passes of data through a model: in order on their way there, side by side on their way back. */
export class ModelPasses {
  constructor(
    private readonly connection: TinkerConnection,
    private readonly codec: Codec,
  ) {}

  /** Submits the parts of one gradient. */
  async submitGradient(model: RemoteModel, inputs: readonly ForwardBackwardInput[]): Promise<Submitted[]> {
    const submitted: Submitted[] = [];
    for (const input of inputs)
      submitted.push(
        await model.submit(
          'forward_backward',
          { forward_backward_input: input },
          this.form({ forwardOnly: false }),
        ),
      );
    return submitted;
  }

  /** Submits the parts of one pass for log-probabilities; its protobuf form has no route of its own. */
  async submitForward(model: RemoteModel, inputs: readonly ForwardBackwardInput[]): Promise<Submitted[]> {
    const submitted: Submitted[] = [];
    for (const input of inputs)
      submitted.push(
        this.codec === 'json'
          ? await model.submit('forward', { forward_input: input })
          : await model.submit(
              'forward_backward',
              { forward_backward_input: input },
              this.form({ forwardOnly: true }),
            ),
      );
    return submitted;
  }

  async results(submitted: readonly Submitted[]): Promise<ForwardBackwardAnswer[]> {
    return Promise.all(
      submitted.map(async (part) => {
        const reply = await awaitResult(this.connection, part);
        return reply.headers.get('content-type')?.startsWith('application/x-protobuf')
          ? decodeForwardBackwardAnswer(reply.bytes)
          : this.connection.parse(ForwardBackwardAnswer, part, reply);
      }),
    );
  }

  private form({ forwardOnly }: { forwardOnly: boolean }): Parameters<RemoteModel['submit']>[2] {
    if (this.codec === 'json') return {};
    return {
      encode: (body) => encodeForwardBackwardRequest(ForwardBackwardRequest.parse(body), { forwardOnly }),
      headers: { Accept: 'application/x-protobuf' },
    };
  }
}
