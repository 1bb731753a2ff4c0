import type { SampleRequest } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { ModelConfig } from './model/parameters';

/** Throws `invalid_input`, naming request, field and value, for a request the model cannot answer. */
export function checkSampleRequest(request: SampleRequest, name: string, config: ModelConfig): void {
  const { prompt, seed, params } = request;
  const { maxTokens, temperature, stopTokens, allowedReplies } = params;
  checkTokenIds(prompt, `${name}.prompt`, config);
  checkTokenIds(stopTokens, `${name}.params.stopTokens`, config);
  allowedReplies?.forEach((reply, index) =>
    checkTokenIds(reply, `${name}.params.allowedReplies[${index}]`, config),
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
    prompt.length + maxTokens <= config.maxPositions,
    `${name}: ${prompt.length} prompt tokens and ${maxTokens} more exceed the model's ${config.maxPositions} positions`,
  );
}

/** Throws `invalid_input` for the first id that is not in the model's vocabulary. */
export function checkTokenIds(ids: readonly number[], name: string, { vocabularySize }: ModelConfig): void {
  const index = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= vocabularySize);
  check(
    index === -1,
    `${name}[${index}] is ${ids[index]}, expected a token id of 0 to ${vocabularySize - 1}`,
  );
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new AppError('invalid_input', message);
}
