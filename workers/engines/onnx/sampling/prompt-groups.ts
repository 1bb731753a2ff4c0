import type { PrefilledPrompt } from './prefill';
import type { SampleRow } from './sample-row';

/** The rows that continue one prompt. */
export interface PromptGroup {
  prompt: readonly number[];
  rows: SampleRow[];
  /** Set while its rows wait or start, so that its memory goes with the last of them. */
  computed: PrefilledPrompt | null;
}

/** Groups rows by equal prompts, shortest prompt first, so that neighbours pad little. */
export function groupByPrompt(rows: readonly SampleRow[]): PromptGroup[] {
  const groups = new Map<string, PromptGroup>();
  for (const row of rows) {
    const { prompt } = row.request;
    const key = prompt.join();
    const group = groups.get(key) ?? { prompt, rows: [], computed: null };
    group.rows.push(row);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => a.prompt.length - b.prompt.length);
}

/** Cuts groups in ascending order of length into batches of at most `maxTokens` tokens, padding included. */
export function prefillBatches(groups: readonly PromptGroup[], maxTokens: number): PromptGroup[][] {
  const batches: PromptGroup[][] = [];
  let batch: PromptGroup[] = [];
  for (const group of groups) {
    if (batch.length > 0 && (batch.length + 1) * group.prompt.length > maxTokens) {
      batches.push(batch);
      batch = [];
    }
    batch.push(group);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
