import { resolve } from 'node:path';
import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { LoraSettings } from '@/contract/lora';
import type { WorkerCapabilities } from '@/contract/socket';
import type { ProviderReport } from '@/contract/worker-report';
import { onnxProvider, REPOSITORY_DIR, tinkerServer, type TinkerServerSettings } from '../env';
import { createOnnxEngine } from './onnx/onnx-engine';
import { NoEngine } from './no-engine';
import { createTinkerEngine } from './tinker/tinker-engine';

/** What a run's config says of its engine. */
export interface EngineSpec {
  kind: Engine['kind'];
  /** A Hugging Face folder, relative to the repository. */
  model: string;
  children: number;
  microBatchTokens: number;
  /** Memory of each child for the keys and values of earlier turns; absent = the engine's default. */
  prefixCacheMb?: number;
  /** `enable_thinking` of the model's chat template; absent = the template's own default. */
  thinking?: 'on' | 'off';
  /** Train adapters instead of all parameters; null leaves a server's to the worker's environment. */
  lora?: LoraSettings | null;
  /** How long a server that is away is waited for, in ms; absent = as long as the worker's environment says. */
  patienceMs?: number;
  /** Seed of the adapters' first values, default 0. */
  seed?: number;
}

/** Engines this worker can open: `none` for runs without weights, `tinker` where its environment names a server of that protocol. */
export function offeredEngines(server = tinkerServer()): Engine['kind'][] {
  return server ? ['onnx', 'tinker', 'none'] : ['onnx', 'none'];
}

/** What the embedded engine computes with here: a card only where its provider can be used and the environment has it used. */
export function offeredDevices(
  cuda: ProviderReport | undefined,
  provider = onnxProvider(),
): WorkerCapabilities['devices'] {
  return cuda?.available && provider !== 'cpu' ? ['cpu', 'cuda'] : ['cpu'];
}

/**
 * Opens the engine a run asks for; the caller closes it. `lifetime` is aborted when the server's process is known to have
 * ended. Throws where this worker cannot provide the engine.
 */
export async function createEngine(
  spec: EngineSpec,
  server: TinkerServerSettings | null = tinkerServer(),
  lifetime?: AbortSignal,
): Promise<Engine> {
  const { kind, model, children, microBatchTokens, prefixCacheMb, thinking, lora = null, seed = 0 } = spec;
  if (kind === 'none') return new NoEngine();
  const seededLora = lora && { ...lora, seed };
  const chatVariables = thinking && { enable_thinking: thinking === 'on' };
  if (kind === 'onnx')
    return createOnnxEngine({
      modelDir: resolve(REPOSITORY_DIR, model),
      modelName: model,
      children,
      microBatchTokens,
      prefixCacheMb,
      lora: seededLora,
      chatVariables,
    });
  if (server)
    return createTinkerEngine({
      ...server,
      patienceMs: spec.patienceMs ?? server.patienceMs,
      model,
      lora: seededLora,
      chatVariables,
      signal: lifetime,
    });
  throw new AppError(
    'invalid_input',
    `engine.kind is "${kind}", this worker has: ${offeredEngines(server).join(', ')}; it trains on a server of the Tinker protocol once STEPSCOPE_TINKER_URL names one in its environment`,
  );
}
