'use client';
import { useState } from 'react';
import { Link } from '@/components/ui/link';
import { useRouter } from 'next/navigation';
import type { SameTaskPage } from '@/contract/pair';
import { formatCount, formatReward } from '@/contract/format';
import { Fetched } from '@/components/data/fetched';
import { useSameTask } from '@/components/data/pair-queries';
import { Crumbs, RUNS_CRUMB } from '@/components/ui/crumbs';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Panel, PanelHead } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { keepInView } from '@/components/trajectory/keep-in-view';
import { OutcomeWord } from '@/components/trajectory/outcome';
import { sampleName } from '@/components/trajectory/sibling-list';
import { pairPath } from './pair-view-state';

/** What a trajectory can be laid beside: those of the same task, of whatever runs, steps and phases. */
export function PairPartners({ trajectoryId }: { trajectoryId: string }) {
  const query = useSameTask(trajectoryId);
  const head = (
    <PageHead
      crumbs={
        <Crumbs
          trail={[
            RUNS_CRUMB,
            {
              title: `trajectory ${trajectoryId}`,
              href: `/trajectories/${encodeURIComponent(trajectoryId)}`,
            },
          ]}
        />
      }
      title="Lay beside…"
    />
  );
  return (
    <>
      {head}
      <Fetched query={query} what="trajectories of the same task" height={480}>
        {(page) => <Partners trajectoryId={trajectoryId} page={page} />}
      </Fetched>
    </>
  );
}

function Partners({ trajectoryId, page }: { trajectoryId: string; page: SameTaskPage }) {
  const { trajectories, total, taskId } = page;
  const [selected, setSelected] = useState(0);
  const router = useRouter();
  const move = (offset: 1 | -1) =>
    setSelected((place) => Math.min(Math.max(place + offset, 0), Math.max(0, trajectories.length - 1)));
  useKeys([
    { keys: ['j', 'ArrowDown'], label: 'next trajectory', hint: true, run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: 'previous trajectory', hint: true, run: () => move(-1) },
    {
      keys: ['Enter'],
      label: 'lay beside',
      hint: true,
      run: () => {
        const chosen = trajectories[selected];
        if (chosen) router.push(pairPath('a', trajectoryId, chosen.id));
      },
    },
  ]);
  if (trajectories.length === 0)
    return (
      <Panel>
        <EmptyState title="No other trajectory of this task is recorded.">
          <p>
            Task {taskId}. Probes, evaluations and imports of the same task appear here, of whatever run and
            step.
          </p>
        </EmptyState>
      </Panel>
    );
  return (
    <Panel>
      <PanelHead
        title={`Trajectories of ${taskId}`}
        caption={
          total > trajectories.length
            ? `the newest ${formatCount(trajectories.length)} of ${formatCount(total)}`
            : formatCount(total)
        }
      />
      <Table>
        <thead>
          <tr>
            <HeadCell>Run</HeadCell>
            <HeadCell numeric>Step</HeadCell>
            <HeadCell>Phase</HeadCell>
            <HeadCell>Sample</HeadCell>
            <HeadCell>Outcome</HeadCell>
            <HeadCell numeric>Turns</HeadCell>
            <HeadCell numeric>Reward</HeadCell>
          </tr>
        </thead>
        <tbody>
          {trajectories.map((row, index) => (
            <Row key={row.id} selected={index === selected} ref={index === selected ? keepInView : undefined}>
              <Cell>
                <Link href={pairPath('a', trajectoryId, row.id)} className="text-link">
                  {row.runName}
                </Link>
              </Cell>
              <Cell numeric>{row.step}</Cell>
              <Cell>{row.phase}</Cell>
              <Cell>{sampleName(row)}</Cell>
              <Cell>
                <OutcomeWord trajectory={row} />
              </Cell>
              <Cell numeric>{row.turnsCount}</Cell>
              <Cell numeric>{formatReward(row.reward)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
