import type { EvaluationResult } from '@/contract/evaluation';
import { formatPercent } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { comparisonVerdict, verdictWords } from '../comparison-verdict';
import { newcombe } from '../newcombe';
import { LIMITS } from './limits';
import { findingsOf, merged, type DetectorReport, type Hit } from './report';
import type { RunFacts } from './run-facts';

/** A checkpoint evaluated on both splits. */
interface Evaluated {
  step: number;
  seen: EvaluationResult;
  unseen: EvaluationResult;
}

/** valid_seen and valid_unseen are highest at different checkpoints: neither may be called the one to keep. */
export function splitDisagreement(facts: RunFacts): DetectorReport {
  const evaluations = facts.evaluations();
  return merged(
    (['sampled', 'greedy'] as const).map((decoding) =>
      disagreementOf(decoding, evaluatedOnBoth(evaluations.filter((each) => each.decoding === decoding))),
    ),
  );
}

function evaluatedOnBoth(evaluations: readonly EvaluationResult[]): Evaluated[] {
  const on = (split: Split) =>
    new Map(evaluations.filter((each) => each.split === split).map((each) => [each.step, each]));
  const unseenAt = on('valid_unseen');
  return [...on('valid_seen')].flatMap(([step, seen]) => {
    const unseen = unseenAt.get(step);
    return unseen ? [{ step, seen, unseen }] : [];
  });
}

function disagreementOf(decoding: string, checkpoints: readonly Evaluated[]): DetectorReport {
  if (checkpoints.length < LIMITS.disagreement.checkpoints) return { reading: null, findings: [] };
  const measured = checkpoints.map(({ step }, index) => ({
    step,
    hit: hitOf(checkpoints.slice(0, index + 1)),
  }));
  const seen = highest(checkpoints, 'seen');
  const unseen = highest(checkpoints, 'unseen');
  return {
    reading: `${decoding}: valid_seen highest at step ${seen?.step ?? ''}, valid_unseen at ${unseen?.step ?? ''}`,
    findings: findingsOf(decoding, measured, 'newest'),
  };
}

/** Ties are the earlier checkpoint's on both splits, so that they do not disagree by themselves. */
function highest(checkpoints: readonly Evaluated[], side: 'seen' | 'unseen'): Evaluated | null {
  return checkpoints.reduce<Evaluated | null>(
    (best, each) => (best !== null && rateOf(best[side]) >= rateOf(each[side]) ? best : each),
    null,
  );
}

function hitOf(checkpoints: readonly Evaluated[]): Hit | null {
  const bySeen = highest(checkpoints, 'seen');
  const byUnseen = highest(checkpoints, 'unseen');
  if (!bySeen || !byUnseen || bySeen.step === byUnseen.step) return null;
  return {
    message:
      `valid_seen is highest at step ${bySeen.step} (${rateWords(bySeen.seen)}; step ${byUnseen.step}: ${rateWords(byUnseen.seen)}, ` +
      `${differenceWords(byUnseen.seen, bySeen.seen)}), valid_unseen at step ${byUnseen.step} (${rateWords(byUnseen.unseen)}; ` +
      `step ${bySeen.step}: ${rateWords(bySeen.unseen)}, ${differenceWords(bySeen.unseen, byUnseen.unseen)})`,
    severity: 'notice',
    evidence: [
      { kind: 'evaluation', split: 'valid_seen', step: bySeen.step },
      { kind: 'evaluation', split: 'valid_unseen', step: byUnseen.step },
    ],
  };
}

function rateOf({ successes, n }: EvaluationResult): number {
  return successes / n;
}

function rateWords(evaluation: EvaluationResult): string {
  return `${evaluation.successes}/${evaluation.n}, ${formatPercent(rateOf(evaluation))} %`;
}

/** From the counts alone: pairs by task are the comparison's business. */
function differenceWords(before: EvaluationResult, after: EvaluationResult): string {
  const { difference, low, high } = newcombe(
    { k: after.successes, n: after.n },
    { k: before.successes, n: before.n },
  );
  return verdictWords(
    comparisonVerdict({
      n: Math.min(before.n, after.n),
      difference,
      paired: false,
      rejected: low > 0 || high < 0,
      smallestDifference: null,
      equivalentWithin: null,
    }),
  );
}
