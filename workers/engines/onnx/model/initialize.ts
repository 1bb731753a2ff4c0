import type { Random } from '@/rl/random';
import { parameterCount, parameterSpecs } from './parameters';
import type { ModelConfig } from './parameters';

/** Standard deviation of a fresh matrix, as in Hugging Face's `initializer_range` of Qwen2. */
const STANDARD_DEVIATION = 0.02;

/**
 * Fresh parameters: matrices normal with deviation 0.02 `scale`, those that write to the residual stream divided by
 * sqrt(2 layers) (GPT-2), norms 1, biases 0. Equal generators give equal parameters.
 */
export function initializeParameters(config: ModelConfig, random: Random, scale = 1): Float32Array {
  const parameters = new Float32Array(parameterCount(config));
  for (const { name, shape, offset, size } of parameterSpecs(config)) {
    const part = parameters.subarray(offset, offset + size);
    if (shape.length === 1) {
      part.fill(name.endsWith('Norm') ? 1 : 0);
      continue;
    }
    const residual = /\.(output|down)Weight$/.test(name) ? Math.sqrt(2 * config.layers) : 1;
    const deviation = (STANDARD_DEVIATION * scale) / residual;
    for (let index = 0; index < size; index++) part[index] = deviation * normal(random);
  }
  return parameters;
}

/** One standard normal draw (Box and Muller 1958). */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}
