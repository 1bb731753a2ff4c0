'use client';
import { useMemo } from 'react';
import type { Pair } from '@/contract/pair';
import { divergenceWords } from '@/components/compare/divergence-words';
import { buildPairModel, type SideModel } from '@/components/compare/pair-model';
import { pairPath } from '@/components/compare/pair-view-state';
import { Fetched } from '@/components/data/fetched';
import { useTrajectoryPair } from '@/components/data/pair-queries';
import { OutcomeWord, stopSentence } from '@/components/trajectory/outcome';
import { ButtonLink } from '@/components/ui/button';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { UnfinishedBlock } from './unfinished-block';

/** Two trajectories of a task: how each ended and where they part; the turns are one click away. */
export function PairBlock({ a, b }: { a: string; b: string }) {
  const isNamed = a !== '' && b !== '';
  const query = useTrajectoryPair(isNamed ? { a, b } : null);
  if (!isNamed)
    return (
      <UnfinishedBlock title="No pair named.">Give the ids of two trajectories of one task.</UnfinishedBlock>
    );
  return (
    <Fetched query={query} what="the pair" height={140}>
      {(pair) => <PairSummary pair={pair} address={pairPath('a', a, b)} />}
    </Fetched>
  );
}

function PairSummary({ pair, address }: { pair: Pair; address: string }) {
  const model = useMemo(() => buildPairModel(pair), [pair]);
  const goal = model.a.played?.trajectory.goal ?? model.b.played?.trajectory.goal;
  return (
    <Panel aria-label="Pair">
      <PanelHead title="Pair" caption={goal}>
        <ButtonLink href={address} size="small" className="print:hidden">
          Open the turns
        </ButtonLink>
      </PanelHead>
      <Table>
        <thead>
          <tr>
            <HeadCell>Side</HeadCell>
            <HeadCell>Trajectory</HeadCell>
            <HeadCell>Outcome</HeadCell>
            <HeadCell numeric>Turns</HeadCell>
            <HeadCell>How it ended</HeadCell>
          </tr>
        </thead>
        <tbody>
          {[model.a, model.b].map((side) => (
            <SideRow key={side.name} side={side} />
          ))}
        </tbody>
      </Table>
      <p className="border-t border-line px-2.5 py-1.5 text-sm text-ink-2">
        {divergenceWords(model)} One trajectory a side: n = 1 each.
      </p>
    </Panel>
  );
}

function SideRow({ side: { name, title, runName, played } }: { side: SideModel }) {
  return (
    <Row>
      <Cell>{name.toUpperCase()}</Cell>
      <Cell>
        {runName}, {title}
      </Cell>
      <Cell>{played && <OutcomeWord trajectory={played.trajectory} />}</Cell>
      <Cell numeric>{played?.trajectory.turnsCount}</Cell>
      <Cell>{played && stopSentence(played.trajectory)}</Cell>
    </Row>
  );
}
