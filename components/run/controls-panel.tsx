import type { EvaluationRow } from '@/contract/api';
import { POLICY_TITLES, type EvaluationResult, type Policy } from '@/contract/evaluation';
import { formatPercent, MISSING } from '@/contract/format';
import type { Split } from '@/contract/trajectory';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Rate } from '@/components/ui/rate';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, GroupRow, HeadCell, Row, Table } from '@/components/ui/table';
import {
  checkpointEvaluations,
  controlEvaluations,
  DECODINGS,
  differencePp,
  evaluatedSplits,
  formatPp,
  maskedBaseFor,
} from './evaluation-points';

const CONTROLS: readonly Policy[] = [
  'random_offered_action',
  'masked_base',
  'look_around_script',
  'full_knowledge_planner',
];
/** How each control acts, so that its rate can be read. */
const METHODS: Record<Policy, string> = {
  checkpoint: 'the run’s own weights, unmasked',
  random_offered_action: 'an action drawn from the offered list',
  look_around_script: 'the offered action that names the goal, else turn left or try a door',
  masked_base: 'the base model, decoding limited to the offered actions; no learning',
  full_knowledge_planner: 'sees the whole grid; not reachable from the view',
};
const COLUMNS = 5;

/** The checkpoint beside policies that did not learn, on the same tasks. */
export function ControlsPanel({ evaluations }: { evaluations: readonly EvaluationRow[] }) {
  const splits = evaluatedSplits(evaluations);
  return (
    <Panel aria-label="Controls">
      <PanelHead
        title="Controls"
        caption="Learning is claimed only for what exceeds the masked base: not offering refused actions needs no learning."
      />
      {splits.length === 0 ? (
        <EmptyState title="Not evaluated yet.">
          The controls are measured once, with the first evaluation, where <code>evaluation.controls</code> is
          on.
        </EmptyState>
      ) : (
        <Table>
          <thead>
            <tr>
              <HeadCell>Policy</HeadCell>
              <HeadCell>Decoding</HeadCell>
              <HeadCell numeric>Success, k/n, %, 95% Wilson</HeadCell>
              <HeadCell numeric>To masked base</HeadCell>
              <HeadCell numeric>Invalid actions, % of turns</HeadCell>
            </tr>
          </thead>
          {splits.map((split) => (
            <SplitRows key={split} split={split} evaluations={evaluations} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function SplitRows({ split, evaluations }: { split: Split; evaluations: readonly EvaluationRow[] }) {
  const newest = DECODINGS.flatMap((decoding) =>
    checkpointEvaluations(evaluations, split, decoding).slice(-1),
  );
  const rows = [...newest, ...controlEvaluations(evaluations, split, CONTROLS)];
  return (
    <tbody>
      <GroupRow columns={COLUMNS}>{split}</GroupRow>
      {rows.map((evaluation) => (
        <PolicyRow
          key={`${evaluation.policy}/${evaluation.decoding}`}
          evaluation={evaluation}
          maskedBase={evaluation.policy === 'checkpoint' ? maskedBaseFor(evaluations, evaluation) : null}
        />
      ))}
    </tbody>
  );
}

function PolicyRow({
  evaluation,
  maskedBase,
}: {
  evaluation: EvaluationResult;
  maskedBase: EvaluationResult | null;
}) {
  const { policy, decoding, step, successes, n, invalidActions, turns } = evaluation;
  const own = policy === 'checkpoint';
  return (
    <Row>
      <Cell className={own ? 'font-semibold' : undefined}>
        {own ? `Checkpoint of step ${step}` : POLICY_TITLES[policy]}
        <span className="block text-xs font-normal text-ink-3">{METHODS[policy]}</span>
      </Cell>
      <Cell>{policy === 'checkpoint' || policy === 'masked_base' ? decoding : MISSING}</Cell>
      <Cell numeric>
        <Rate successes={successes} n={n} />
      </Cell>
      <Cell numeric>
        {own ? (
          maskedBase ? (
            formatPp(differencePp(evaluation, maskedBase))
          ) : (
            <span className="text-ink-3">no masked base, {decoding}</span>
          )
        ) : (
          ''
        )}
      </Cell>
      <Cell numeric>{formatPercent(turns === 0 ? null : invalidActions / turns)}</Cell>
    </Row>
  );
}
