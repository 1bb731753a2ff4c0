import type { SampleRequest } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from './model/parameters';
import { checkTokenIds } from './model/token-ids';

/** Throws `invalid_input`, naming request, field and value, for a request the model cannot answer. */
export function checkSampleRequest(request: SampleRequest, name: string, config: ModelConfig): void {
  const { prompt, seed, params } = request;
  const { maxTokens, temperature, topK = 0, topP = 1, stopTokens, allowedReplies } = params;
  const { vocabularySize } = config;
  checkTokenIds(prompt, `${name}.prompt`, vocabularySize);
  checkTokenIds(stopTokens, `${name}.params.stopTokens`, vocabularySize);
  allowedReplies?.forEach((reply, index) =>
    checkTokenIds(reply, `${name}.params.allowedReplies[${index}]`, vocabularySize),
  );
  check(prompt.length > 0, `${name}.prompt is empty`);
  check(Number.isSafeInteger(seed), `${name}.seed is ${seed}, expected an integer`);
  check(
    Number.isInteger(maxTokens) && maxTokens >= 1,
    `${name}.params.maxTokens is ${maxTokens}, expected at least 1`,
  );
  check(
    Number.isFinite(temperature) && temperature >= 0,
    `${name}.params.temperature is ${temperature}, expected at least 0`,
  );
  check(
    Number.isInteger(topK) && topK >= 0,
    `${name}.params.topK is ${topK}, expected 0 (off) or a positive integer`,
  );
  check(topP > 0 && topP <= 1, `${name}.params.topP is ${topP}, expected above 0 and at most 1`);
  check(
    prompt.length + maxTokens <= config.maxPositions,
    `${name}: ${prompt.length} prompt tokens and ${maxTokens} more exceed the model's ${config.maxPositions} positions`,
  );
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new AppError('invalid_input', message);
}
