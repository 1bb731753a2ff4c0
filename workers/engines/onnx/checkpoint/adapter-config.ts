import { z } from 'zod';
import { AppError } from '@/contract/errors';
import type { LoraSettings } from '@/contract/lora';
import { parseOrThrow } from '@/contract/parse';
import { targetModules } from '../adapters/layout';
import { parseJson } from './json-file';

/** What of PEFT's `adapter_config.json` decides the computation; other keys are passed over. */
const configSchema = z.looseObject({
  peft_type: z.string(),
  r: z.int().positive(),
  lora_alpha: z.number().positive(),
  target_modules: z.array(z.string()),
  bias: z.string().default('none'),
  fan_in_fan_out: z.boolean().default(false),
  use_dora: z.boolean().default(false),
  use_rslora: z.boolean().default(false),
  modules_to_save: z.array(z.string()).nullish(),
  layers_to_transform: z.unknown(),
  rank_pattern: z.record(z.string(), z.number()).nullish(),
  alpha_pattern: z.record(z.string(), z.number()).nullish(),
});

/** The `adapter_config.json` of these adapters on a base of this name, as PEFT's `LoraConfig` reads it. */
export function renderAdapterConfig(lora: LoraSettings, baseName: string): Record<string, unknown> {
  return {
    peft_type: 'LORA',
    task_type: 'CAUSAL_LM',
    base_model_name_or_path: baseName,
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: 0,
    target_modules: targetModules(lora.targets),
    bias: 'none',
    fan_in_fan_out: false,
    init_lora_weights: true,
    inference_mode: true,
    modules_to_save: null,
    layers_to_transform: null,
    use_dora: false,
    use_rslora: false,
  };
}

/**
 * Checks that an `adapter_config.json` is of adapters as `lora` says. Throws `invalid_input` naming file, field, its value
 * and the one that the engine trains.
 */
export function checkAdapterConfig(path: string, text: string, lora: LoraSettings): void {
  const found = parseOrThrow(configSchema, parseJson(path, text), path);
  const isEmpty = (value: object | null | undefined): boolean => Object.keys(value ?? {}).length === 0;
  const modules = targetModules(lora.targets);
  const checks: [field: keyof typeof found, expected: unknown, holds: boolean][] = [
    ['peft_type', 'LORA', found.peft_type === 'LORA'],
    ['r', lora.rank, found.r === lora.rank],
    ['lora_alpha', lora.alpha, found.lora_alpha === lora.alpha],
    ['target_modules', modules, [...found.target_modules].sort().join() === [...modules].sort().join()],
    ['bias', 'none', found.bias === 'none'],
    ['fan_in_fan_out', false, !found.fan_in_fan_out],
    ['use_dora', false, !found.use_dora],
    ['use_rslora', false, !found.use_rslora],
    ['modules_to_save', null, isEmpty(found.modules_to_save)],
    ['layers_to_transform', null, (found.layers_to_transform ?? null) === null],
    ['rank_pattern', {}, isEmpty(found.rank_pattern)],
    ['alpha_pattern', {}, isEmpty(found.alpha_pattern)],
  ];
  for (const [field, expected, holds] of checks)
    if (!holds)
      throw new AppError(
        'invalid_input',
        `${path}: ${field} is ${JSON.stringify(found[field])}, this engine trains ${JSON.stringify(expected)}`,
      );
}
