'use client';
import type { RunDetail } from '@/contract/api';
import {
  TOKEN_KIND_TITLES,
  TOKEN_PHASES,
  type TokenKind,
  type TokenPhase,
  type TokenPrices,
} from '@/contract/cost';
import { formatAmount, formatCount, formatMillions, formatPercent } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { useSeriesSums } from '@/components/data/run-queries';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { AskedModels } from './asked-models';
import { BILLED_SERIES, costBill, type BillRow, type CostBill } from './cost-bill';
import { runConfigOf } from './run-config-of';

const KIND_WORDS: Record<TokenKind, string> = {
  prefilled: 'Prompt tokens computed',
  reused: 'Prompt tokens not computed, since an equal prompt or prefix was',
  sampled: 'Reply tokens',
  trained: 'Tokens that entered the training graph, each pass counted',
};

const PHASE_TITLES: Record<TokenPhase, string> = {
  training: 'Training',
  evaluation: 'Evaluation',
  probe: 'Probe',
};

/** What the run has used so far and what that costs, as providers' bills have it. */
export function CostPanel({ detail }: { detail: RunDetail }) {
  const sums = useSeriesSums(detail.run.id, BILLED_SERIES);
  const prices = runConfigOf(detail)?.cost ?? null;
  return (
    <Panel aria-label="Tokens and cost">
      <PanelHead
        title="Tokens and cost"
        caption={`millions of tokens to step ${detail.view.step}, all attempts`}
      />
      <Fetched query={sums} what="the tokens" height={200}>
        {(rows) => <Bill bill={costBill(rows, detail.view, prices)} prices={prices} />}
      </Fetched>
      <AskedModels detail={detail} />
    </Panel>
  );
}

function Bill({ bill, prices }: { bill: CostBill; prices: TokenPrices | null }) {
  if (bill.rows.every(({ total }) => total === 0))
    return (
      <EmptyState title="Nothing counted.">
        Tokens are counted with each step and evaluation that is done.
      </EmptyState>
    );
  return (
    <>
      <Table>
        <thead>
          <tr>
            <HeadCell>Tokens</HeadCell>
            {TOKEN_PHASES.map((phase) => (
              <HeadCell key={phase} numeric>
                {PHASE_TITLES[phase]}
              </HeadCell>
            ))}
            <HeadCell numeric>All</HeadCell>
            {prices && (
              <>
                <HeadCell numeric>{prices.currency} a million</HeadCell>
                <HeadCell numeric>Cost, {prices.currency}</HeadCell>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {bill.rows.map((row) => (
            <KindRow key={row.kind} row={row} prices={prices} />
          ))}
          {prices && (
            <Row className="font-medium">
              <Cell>Cost, {prices.currency}</Cell>
              {TOKEN_PHASES.map((phase) => (
                <Cell key={phase} numeric>
                  {formatAmount(bill.costByPhase[phase])}
                </Cell>
              ))}
              <Cell numeric colSpan={3}>
                {formatAmount(bill.cost)}
              </Cell>
            </Row>
          )}
        </tbody>
      </Table>
      <ReuseWords bill={bill} prices={prices} />
    </>
  );
}

function KindRow({ row, prices }: { row: BillRow; prices: TokenPrices | null }) {
  const isFree = row.kind === 'reused' && prices?.reusedPerMillion === undefined;
  return (
    <Row>
      <Cell title={KIND_WORDS[row.kind]}>{TOKEN_KIND_TITLES[row.kind]}</Cell>
      {TOKEN_PHASES.map((phase) => (
        <Cell key={phase} numeric>
          <Millions tokens={row.byPhase[phase]} />
        </Cell>
      ))}
      <Cell numeric>
        <Millions tokens={row.total} />
      </Cell>
      {prices && (
        <>
          <Cell numeric>{isFree ? 'not charged' : formatAmount(row.price)}</Cell>
          <Cell numeric>{formatAmount(row.cost)}</Cell>
        </>
      )}
    </Row>
  );
}

function Millions({ tokens }: { tokens: number | null }) {
  return (
    <span title={tokens === null ? undefined : `${formatCount(tokens)} tokens`}>
      {formatMillions(tokens)}
    </span>
  );
}

/** What prefix reuse came to, whose prices these are, and what else a reader of the sums has to know. */
function ReuseWords({ bill, prices }: { bill: CostBill; prices: TokenPrices | null }) {
  const words = [
    bill.reusedShare !== null && `Of the prompt tokens ${formatPercent(bill.reusedShare)}% were reused.`,
    bill.reuseUnsaid.length > 0 &&
      `The engine did not say what it reused (${bill.reuseUnsaid.join(', ')}): whole prompts count as prefilled.`,
    bill.uncounted.length > 0 && `Not counted by the run’s worker: ${bill.uncounted.join(', ')}.`,
    prices &&
      bill.reuseSaved !== null &&
      `Reuse saved ${prices.currency} ${formatAmount(bill.reuseSaved)}: the prefill price of the reused tokens, less what they cost.`,
    prices
      ? 'Prices are those of the run’s config.'
      : 'The run has no prices: its setting cost, given at launch, prices the tokens.',
    bill.repeatedTokens > 0 &&
      `${formatMillions(bill.repeatedTokens)} million of these tokens are of steps that a later attempt repeated.`,
  ];
  return (
    <p className="border-t border-line px-2.5 py-1.5 text-sm text-ink-2">{words.filter(Boolean).join(' ')}</p>
  );
}
