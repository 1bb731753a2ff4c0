import type { Engine, SamplingClient, Tokenizer, TrainingClient } from '@/contract/engine';
import { AppError } from '@/contract/errors';

/** What a run has that holds no weights, such as an evaluation of an endpoint. Throws `invalid_input` wherever weights are asked for. */
export class NoEngine implements Engine {
  readonly kind = 'none';
  readonly stopTokens: number[] = [];
  readonly contextTokens = Infinity;
  readonly parameters = NaN;

  get tokenizer(): Tokenizer {
    throw absent('tokenizer');
  }

  get training(): TrainingClient {
    throw absent('training client');
  }

  get base(): SamplingClient {
    throw absent('base model');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function absent(what: string): AppError {
  return new AppError(
    'invalid_input',
    `engine.kind is "none", which has no ${what}; expected onnx or tinker`,
  );
}
