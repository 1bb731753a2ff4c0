import type { EvaluationRow } from '@/contract/api';
import { evaluationMetric, type EvaluationResult, type Policy } from '@/contract/evaluation';
import { formatPercent } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { Difference, DifferenceHead } from '@/components/ui/difference';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';
import {
  checkpointEvaluations,
  controlEvaluations,
  DECODINGS,
  evaluatedSplits,
  evaluatedSteps,
  maskedBaseFor,
} from './evaluation-points';
import { learningClaims } from './learning-claim';

/** The masked base first: it is what a checkpoint is read against. */
const CONTROLS: readonly Policy[] = [
  'masked_base',
  'random_offered_action',
  'look_around_script',
  'full_knowledge_planner',
];
/** Each policy's name in the panel, how it acts, and of that what no reader may miss. */
const POLICY_WORDS: Record<Policy, { title: string; method: string; caveat?: string }> = {
  checkpoint: { title: 'Checkpoint', method: 'The run’s own weights, unmasked' },
  masked_base: {
    title: 'Masked base',
    method: 'The base model, decoding limited to the offered actions',
    caveat: 'base limited to offered actions; no learning',
  },
  random_offered_action: {
    title: 'Random offered action',
    method: 'An action drawn from the offered list',
  },
  look_around_script: {
    title: 'Look-around script',
    method: 'The offered action that names the goal, else turn left or try a door',
  },
  full_knowledge_planner: {
    title: 'Full-knowledge planner',
    method: 'Sees the true state',
    caveat: 'sees the true state; not reachable from what is observed',
  },
};
const COLUMNS = 4;

/** The checkpoint beside policies that did not learn. */
export function ControlsPanel({ evaluations }: { evaluations: readonly EvaluationRow[] }) {
  const splits = evaluatedSplits(evaluations);
  return (
    <Panel aria-label="Controls">
      <PanelHead
        title="Controls"
        caption="Learning is claimed only for what exceeds the masked base: to offer no refused action needs none."
      />
      {splits.length === 0 ? (
        <EmptyState title="Not evaluated yet.">
          The controls are measured once, with the first evaluation, where <code>evaluation.controls</code> is
          on.
        </EmptyState>
      ) : (
        <>
          <Claims evaluations={evaluations} />
          <Table>
            <thead>
              <tr>
                <HeadCell>Policy</HeadCell>
                <HeadCell numeric>Success, k/n, %, 95% Wilson</HeadCell>
                <HeadCell numeric>
                  <DifferenceHead of="To masked base" />
                </HeadCell>
                <HeadCell numeric>
                  Invalid,
                  <br />% of turns
                </HeadCell>
              </tr>
            </thead>
            {splits.map((split) => (
              <SplitRows key={split} split={split} evaluations={evaluations} />
            ))}
          </Table>
        </>
      )}
    </Panel>
  );
}

/** One sentence a split: what the figures below establish. */
function Claims({ evaluations }: { evaluations: readonly EvaluationRow[] }) {
  return (
    <ul aria-label="Learning claimed" className="border-b border-line px-2.5 py-1.5 text-sm">
      {learningClaims(evaluations).map(({ split, claimed, words }) => (
        <li key={split} className={claimed ? undefined : 'text-ink-2'}>
          <b className="font-semibold">{split}</b>: {words}.
        </li>
      ))}
    </ul>
  );
}

function SplitRows({ split, evaluations }: { split: Split; evaluations: readonly EvaluationRow[] }) {
  const newestStep = evaluatedSteps(evaluations).at(-1) ?? 0;
  const newest = DECODINGS.flatMap((decoding) =>
    checkpointEvaluations(evaluations, split, decoding).slice(-1),
  );
  return (
    <tbody>
      <GroupRow columns={COLUMNS}>{split}</GroupRow>
      {[...newest, ...controlEvaluations(evaluations, split, CONTROLS)].map((evaluation) => (
        <PolicyRow
          key={`${evaluation.policy}/${evaluation.decoding}`}
          evaluation={evaluation}
          maskedBase={maskedBaseFor(evaluations, evaluation)}
          newestStep={newestStep}
        />
      ))}
    </tbody>
  );
}

function PolicyRow({
  evaluation,
  maskedBase,
  newestStep,
}: {
  evaluation: EvaluationResult;
  maskedBase: EvaluationResult | null;
  /** The newest step at which any split was evaluated. */
  newestStep: number;
}) {
  const { policy, decoding, step, successes, n } = evaluation;
  const own = policy === 'checkpoint';
  const { title, method, caveat } = POLICY_WORDS[policy];
  return (
    <Row>
      <Cell title={method}>
        <span className={own ? 'font-semibold' : undefined}>{own ? `${title} of step ${step}` : title}</span>
        {(own || policy === 'masked_base') && <span className="text-ink-3"> {decoding}</span>}
        {own && step < newestStep && <span className="text-ink-3">, not evaluated since</span>}
        {caveat && <span className="block text-xs text-ink-3">{caveat}</span>}
      </Cell>
      <Cell numeric>
        <Rate successes={successes} n={n} />
      </Cell>
      <Cell numeric>
        {own && maskedBase && <Difference a={evaluation} b={maskedBase} />}
        {own && !maskedBase && <span className="text-ink-3">no masked base, {decoding}</span>}
      </Cell>
      <Cell numeric>{formatPercent(evaluationMetric(evaluation, 'invalid_action_rate'))}</Cell>
    </Row>
  );
}
