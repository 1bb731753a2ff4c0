import { z } from 'zod';
import {
  deviates,
  hasUnequalRewards,
  keepGroups,
  membersOfUpdate,
  type KeptGroups,
} from '@/rl/learning/dynamic-sampling';
import { Ids, Vector } from '../tensors';
import { vectorFunction } from '../vector-function';

interface SampledRow {
  row: number;
  uid: string | number;
}

export const SAMPLING = [
  vectorFunction(
    'dapo_dynamic_sampling_keep_rule',
    {
      metric: z.string(),
      train_batch_size: z.int(),
      rollout_n: z.int(),
      max_num_gen_batches: z.int(),
      gen_batches: z.array(z.object({ uid: Ids, metric_values: Vector, rows: z.array(z.int()) })),
    },
    ({ train_batch_size, rollout_n, max_num_gen_batches, gen_batches }) => {
      const settings = { groups: train_batch_size, groupSize: rollout_n, maxBatches: max_num_gen_batches };
      let kept: KeptGroups<SampledRow> = { batches: 0, groups: 0, members: [] };
      let update: SampledRow[] | null = null;
      for (const { uid, metric_values, rows } of gen_batches) {
        const members = rows.map((row, i) => ({ row, uid: uid[i] ?? '' }));
        kept = keepGroups(kept, { members, groupIds: uid, metrics: metric_values }, deviates);
        update = membersOfUpdate(kept, settings);
        if (update) break;
      }
      return {
        num_gen_batches: kept.batches,
        num_prompt_in_batch: kept.groups,
        kept_rows: update?.map(({ row }) => row) ?? null,
        kept_uids: update?.map(({ uid }) => uid) ?? null,
        needs_more: update === null,
      };
    },
  ),

  vectorFunction(
    'verlagent_filter_group_data',
    {
      train_batch_size: z.int(),
      group_n: z.int(),
      episode_rewards: Vector,
      episode_lengths: Vector,
      success: z.record(z.string(), Vector),
      last_try: z.boolean(),
    },
    ({ train_batch_size, group_n, episode_rewards, episode_lengths, success, last_try }) => {
      // The last batch allowed is trained on as it is.
      const kept = last_try
        ? [...episode_rewards.keys()]
        : blocksOf(train_batch_size, group_n)
            .filter((block) => hasUnequalRewards(block.map((index) => episode_rewards[index] ?? NaN)))
            .flat();
      const take = (values: readonly number[]) => kept.map((index) => values[index]);
      const counted = Object.entries(success).filter(
        ([, values]) => values.length === episode_rewards.length,
      );
      return {
        kept_indices: kept,
        episode_rewards: take(episode_rewards),
        episode_lengths: take(episode_lengths),
        success: last_try
          ? success
          : Object.fromEntries(counted.map(([name, values]) => [name, take(values)])),
      };
    },
  ),
];

/** Indices of consecutive groups. */
function blocksOf(groups: number, size: number): number[][] {
  return Array.from({ length: groups }, (_, group) =>
    Array.from({ length: size }, (_, member) => group * size + member),
  );
}
