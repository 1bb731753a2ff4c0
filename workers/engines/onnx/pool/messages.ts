import type { Datum, ForwardBackwardOutput, LossFn, LossFnConfig, SampleRequest } from '@/contract/engine';
import type { ErrorCode } from '@/contract/errors';
import type { ModelConfig } from '../model/parameters';
import type { SampledBatch } from '../sampling/sampler';

/** Weights under a number: equal numbers, equal weights. */
export interface PolicyVersion {
  version: number;
  /** Flat f32 parameters, [P]. */
  parametersP: Float32Array;
}

export interface ChildSettings {
  config: ModelConfig;
  /** Tokens of a training micro-batch, padding included; bounds memory. */
  microBatchTokens: number;
  /** Most bytes of keys and values kept for prompts that go on from earlier ones. */
  prefixCacheBytes: number;
}

/** Of a pass, with or without its gradient. */
export interface LossRequest {
  data: Datum[];
  lossFn: LossFn;
  lossFnConfig: LossFnConfig;
}

/** One child's share of a forward and backward pass; arrays follow its share of the data. */
export interface GradientShare extends ForwardBackwardOutput {
  /** Flat gradient of the summed loss, [P]. */
  gradientP: Float32Array;
}

/** What a child can be asked, by name: argument and result. */
export interface ChildOperations {
  open: { argument: ChildSettings; result: null };
  sampleBatch: { argument: SampleRequest[]; result: SampledBatch };
  computeLogprobs: { argument: number[]; result: number[] };
  computeLoss: { argument: LossRequest; result: ForwardBackwardOutput };
  computeGradient: { argument: LossRequest; result: GradientShare };
}

export type OperationName = keyof ChildOperations;

/** Descriptor, in the child, of the vector file it shares with its parent. One request at a time has its use. */
export const VECTOR_FILE = 4;

/** Parent to child. */
export type ChildRequest = {
  [Name in OperationName]: {
    id: number;
    operation: Name;
    argument: ChildOperations[Name]['argument'];
    /** Weights to compute with from now on, or where they are; absent where the child already holds the wanted version. */
    parametersP?: Float32Array | 'in file';
    /** Whether this request has the use of the vector file, for its weights and its gradient. */
    hasFile: boolean;
  };
}[OperationName];

/** Child to parent; answers come in the order of the requests. */
export type ChildReply =
  | { id: number; result: ChildOperations[OperationName]['result'] }
  /** A gradient share whose gradient lies in the vector file. */
  | { id: number; share: ForwardBackwardOutput; gradientElements: number }
  | { id: number; error: { code: ErrorCode; message: string } };
