/**
 * JSON of the Tinker protocol as both of its ends here read it. Field names are the protocol's own; what is marked as
 * an extension is sent by and to our server alone, and ignored by others.
 */
import { z } from 'zod';
import { DEFAULT_LORA_ALPHA } from '@/contract/lora';

/** The release of the protocol's Python client whose requests these are. */
export const SDK_VERSION = '0.25.0';

const tokenId = z.int().min(0).max(0x7fffffff);
const name = z.string().min(1).max(255);

export const ModelInput = z.object({
  chunks: z.array(
    z.object({ type: z.literal('encoded_text').default('encoded_text'), tokens: z.array(tokenId) }),
  ),
});

/** A tensor, flat. `null` stands for NaN, which JSON lacks. */
export const TensorData = z.object({
  data: z.array(z.number().nullable()),
  dtype: z.enum(['int64', 'float32']).optional(),
  shape: z.array(z.int().nonnegative()).optional(),
});
export type TensorData = z.infer<typeof TensorData>;

export const WireDatum = z.object({
  model_input: ModelInput,
  loss_fn_inputs: z.record(z.string(), TensorData),
});
export type WireDatum = z.infer<typeof WireDatum>;

export const ForwardBackwardInput = z.object({
  data: z.array(WireDatum),
  loss_fn: z.string(),
  loss_fn_config: z.record(z.string(), z.number()).nullish(),
});
export type ForwardBackwardInput = z.infer<typeof ForwardBackwardInput>;

/** Of every operation on a model; equal numbers with equal bodies are one operation. */
const operation = { model_id: name, seq_id: z.int().nonnegative().nullish() };

export const ForwardBackwardRequest = z.object({
  ...operation,
  forward_backward_input: ForwardBackwardInput,
});
export type ForwardBackwardRequest = z.infer<typeof ForwardBackwardRequest>;

export const ForwardRequest = z.object({ ...operation, forward_input: ForwardBackwardInput });

export const ForwardBackwardAnswer = z.object({
  loss_fn_output_type: z.string(),
  loss_fn_outputs: z.array(z.record(z.string(), TensorData)),
  metrics: z.record(z.string(), z.number()).default({}),
});
export type ForwardBackwardAnswer = z.infer<typeof ForwardBackwardAnswer>;

export const WireAdamParams = z.object({
  /** More than 1 is a slip of the pen that ends in weights that are no numbers. */
  learning_rate: z.number().min(0).max(1).default(1e-4),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.95),
  eps: z.number().positive().default(1e-12),
  weight_decay: z.number().min(0).default(0),
  grad_clip_norm: z.number().min(0).default(0),
});

export const OptimStepRequest = z.object({ ...operation, adam_params: WireAdamParams });
export const OptimStepAnswer = z.object({ metrics: z.record(z.string(), z.number()).nullish() });

export const LoraConfig = z.object({
  /** 0 = all parameters are trained. */
  rank: z.int().nonnegative(),
  seed: z.int().nullish(),
  train_attn: z.boolean().default(true),
  train_mlp: z.boolean().default(true),
  train_unembed: z.boolean().default(true),
  /** Extension: the update of a matrix is alpha / rank times A B. */
  alpha: z.number().positive().max(65_536).default(DEFAULT_LORA_ALPHA),
});
export type LoraConfig = z.infer<typeof LoraConfig>;

export const CreateSessionRequest = z.object({
  tags: z.array(z.string()),
  user_metadata: z.record(z.string(), z.unknown()).nullish(),
  sdk_version: z.string(),
});
export const CreateSessionAnswer = z.object({
  session_id: z.string(),
  warning_message: z.string().nullish(),
  error_message: z.string().nullish(),
});

export const SessionHeartbeatRequest = z.object({ session_id: name });

export const CreateModelRequest = z.object({
  session_id: name,
  model_seq_id: z.int().nonnegative().nullish(),
  base_model: z.string().min(1),
  lora_config: LoraConfig.nullish(),
});
export const CreateModelAnswer = z.object({ model_id: z.string() });

export const ModelRequest = z.object({ model_id: name });

export const GetInfoAnswer = z.object({
  model_id: z.string(),
  model_data: z.object({
    base_model: z.string().optional(),
    model_name: z.string().nullish(),
    tokenizer_id: z.string().nullish(),
    /** Extension: trainable parameters. */
    parameters: z.number().optional(),
  }),
});

const checkpointName = z
  .string()
  .max(255)
  .regex(/^[a-zA-Z0-9_-]+$/, 'expected letters, digits, _ and -');

export const SaveWeightsRequest = z.object({ ...operation, path: checkpointName });
export const SaveWeightsAnswer = z.object({ path: z.string() });

export const LoadWeightsRequest = z.object({
  ...operation,
  path: z.string().min(1).max(1000),
  optimizer: z.boolean().default(true),
});
export const LoadWeightsAnswer = z.object({ type: z.literal('load_weights') });

export const SaveForSamplerRequest = z.object({
  ...operation,
  path: checkpointName.nullish(),
  sampling_session_seq_id: z.int().nonnegative().nullish(),
});
export const SaveForSamplerAnswer = z.object({
  path: z.string().nullish(),
  sampling_session_id: z.string().nullish(),
});

export const CreateSamplingSessionRequest = z.object({
  session_id: name,
  sampling_session_seq_id: z.int().nonnegative(),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
});
export const CreateSamplingSessionAnswer = z.object({ sampling_session_id: z.string() });

/**
 * Extension: requests that are computed together. The server begins once all `size` are there and orders them by `index`,
 * so that what shares a matrix product does not depend on the network.
 */
export const SampleBatch = z
  .object({
    id: name,
    size: z.int().min(1).max(65_536),
    index: z.int().nonnegative(),
    lane: z.int().nonnegative(),
  })
  .refine(({ size, index }) => index < size, { path: ['index'], message: 'expected less than size' });

export const WireSamplingParams = z.object({
  max_tokens: z.int().nonnegative().nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.array(tokenId), z.array(z.string())]).nullish(),
  temperature: z.number().min(0).default(1),
  /** -1 and 0 = all tokens. */
  top_k: z.int().min(-1).default(-1),
  top_p: z.number().positive().max(1).default(1),
  /** Extension: the only replies that may be written. */
  allowed_replies: z.array(z.array(tokenId)).optional(),
});
export type WireSamplingParams = z.infer<typeof WireSamplingParams>;

export const WireSampleRequest = z.object({
  num_samples: z.int().min(1).max(65_536).default(1),
  prompt: ModelInput,
  sampling_params: WireSamplingParams,
  sampling_session_id: name.nullish(),
  seq_id: z.int().nonnegative().nullish(),
  base_model: z.string().nullish(),
  model_path: z.string().nullish(),
  prompt_logprobs: z.boolean().nullish(),
  topk_prompt_logprobs: z.int().nonnegative().default(0),
  batch: SampleBatch.optional(),
});
export type WireSampleRequest = z.infer<typeof WireSampleRequest>;

/** Extension, in one answer of a batch: seconds that its sampling session has used since it last said so. */
export const SamplingUsage = z.object({
  prefill_s: z.number(),
  decode_s: z.number(),
});

export const SampleAnswer = z.object({
  sequences: z.array(
    z.object({
      stop_reason: z.enum(['stop', 'length']),
      tokens: z.array(z.int()),
      logprobs: z.array(z.number().nullable()).nullish(),
    }),
  ),
  prompt_logprobs: z.array(z.number().nullable()).nullish(),
  /** Prompt tokens that were reused; what several samples share is computed for the first. */
  prompt_cache_hit_tokens: z.int().nonnegative().nullish(),
  usage: SamplingUsage.optional(),
});
export type SampleAnswer = z.infer<typeof SampleAnswer>;

export const RetrieveFutureRequest = z.object({ request_id: z.string() });
export const SubmittedAnswer = z.object({ request_id: z.string() });

export const CapabilitiesAnswer = z.object({
  supported_models: z.array(
    z.object({
      model_name: z.string(),
      max_context_length: z.int().positive().nullish(),
      /** Extension: batches that are computed side by side. */
      lanes: z.int().positive().optional(),
    }),
  ),
});

export const ClientConfigAnswer = z.object({
  pjwt_auth_enabled: z.boolean().default(false),
  /** Extension: the product behind the protocol. */
  server: z.string().optional(),
});

export const CheckpointEntry = z.object({
  checkpoint_id: z.string(),
  checkpoint_type: z.enum(['training', 'sampler']),
  time: z.string(),
  tinker_path: z.string(),
  size_bytes: z.number().nullish(),
});
export const CheckpointsAnswer = z.object({ checkpoints: z.array(CheckpointEntry) });

export const WeightsInfoRequest = z.object({ tinker_path: z.string().min(1).max(1000) });
