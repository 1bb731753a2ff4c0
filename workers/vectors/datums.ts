import type { Datum } from '@/contract/engine';
import { rowToDatum, type Row } from '@/rl/learning/rows';
import type { Outputs } from './vector-function';

/** A row with every sampled token at full weight, which then is the mask. */
export function unweighted(row: Row): Datum {
  return rowToDatum(row, row.sampled.map(Number));
}

export function labDatum({ modelInput, lossFnInputs }: Datum): Outputs {
  return {
    input_tokens: modelInput,
    target_tokens: lossFnInputs.targetTokens,
    logprobs: lossFnInputs.logprobs,
    advantages: lossFnInputs.advantages,
  };
}
