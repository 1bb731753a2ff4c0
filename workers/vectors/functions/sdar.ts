import { gatedGap, sdarTokenWeights } from '@/rl/learning/sdar';
import { sumOf } from '@/rl/learning/moments';
import { aggregated, tensorOf } from '../policy-tensors';
import { Double, product, Tensor, type Matrix } from '../tensors';
import { vectorFunction } from '../vector-function';
import { AggregationName } from '../verl-names';

export const SDAR_LOSS = vectorFunction(
  'sdar_compute_sdar_loss',
  {
    student_log_probs: Tensor,
    teacher_log_probs: Tensor,
    response_mask: Tensor,
    gate_beta: Double,
    loss_agg_mode: AggregationName,
  },
  ({ student_log_probs, teacher_log_probs, response_mask, gate_beta, loss_agg_mode }) => {
    const gaps = student_log_probs.map((row, i) =>
      row.map((student, t) => gatedGap(student, teacher_log_probs[i]?.[t] ?? NaN, gate_beta)),
    );
    const { loss, gradient } = aggregated(gaps, sdarTokenWeights(response_mask, loss_agg_mode));
    // Its metrics are 0 where everything is masked.
    const tokens = Math.max(1, sumOf(response_mask.flat()));
    const mean = (values: Matrix) => sumOf(product(response_mask, values).flat()) / tokens;
    return {
      loss,
      metrics: {
        'sdar/gate_mean': mean(tensorOf(gaps, ({ gate }) => gate)),
        'sdar/gate_active_ratio': mean(tensorOf(gaps, ({ gate }) => gate > 0.5)),
        'sdar/teacher_gap_mean': mean(tensorOf(gaps, ({ gap }) => gap)),
        'sdar/loss': loss,
      },
      grad_student_log_probs: gradient,
    };
  },
);
