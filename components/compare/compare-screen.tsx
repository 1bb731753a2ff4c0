'use client';
import { useState } from 'react';
import { useRouter } from 'next/navigation';
import { useComparison } from '@/components/data/compare-queries';
import { Fetched } from '@/components/data/fetched';
import { useUrlState } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { Kbd } from '@/components/ui/kbd';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Note, Panel } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { CheckpointPicker } from './checkpoint-picker';
import { CompareBar } from './compare-bar';
import { CompareResult } from './compare-result';
import { readCompareState, uncomparedWords, withCheckpoints } from './compare-state';

/** Checkpoints of any runs side by side. The whole view is in the URL: `readCompareState`. */
export function CompareScreen() {
  const { params, set } = useUrlState();
  const router = useRouter();
  const [picking, setPicking] = useState(false);
  const state = readCompareState(params);
  const query = useComparison(state.names);
  const setNames = (names: string[]) => {
    const address = withCheckpoints(window.location.search, names);
    // Next's router would ask the server for the same page again.
    window.history.pushState(null, '', address);
  };
  useKeys([
    { keys: ['a'], label: 'add', hint: true, run: () => setPicking(true) },
    {
      keys: ['i'],
      label: 'interval',
      hint: true,
      run: () => set({ interval: state.interval === 'wilson' ? 'clopper-pearson' : null }),
    },
    { keys: ['h'], label: 'Holm', hint: true, run: () => set({ holm: state.holm ? 'off' : null }) },
  ]);
  const picker = (
    <CheckpointPicker open={picking} onOpenChange={setPicking} names={state.names} onNames={setNames} />
  );
  const uncompared = uncomparedWords(params);
  const dropped = uncompared.length > 0 && <Note tone="warn">{uncompared.join(' ')}</Note>;
  if (state.names.length === 0)
    return (
      <>
        <PageHead title="Compare" />
        {dropped}
        <Panel>
          <EmptyState
            title="No checkpoint chosen."
            actions={
              <>
                <Button variant="primary" onClick={() => setPicking(true)}>
                  Choose checkpoints <Kbd inverted>a</Kbd>
                </Button>
                <Button onClick={() => router.push('/runs')}>The runs</Button>
              </>
            }
          >
            Checkpoints are laid side by side on every split they were evaluated on, each against a baseline,
            task by task where trajectories are stored. The first one chosen is the baseline.
          </EmptyState>
        </Panel>
        {picker}
      </>
    );
  const bare = (
    <>
      <PageHead title="Compare" />
      <CompareBar
        state={state}
        checkpoints={null}
        table={null}
        onNames={setNames}
        onAdd={() => setPicking(true)}
        set={set}
      />
    </>
  );
  return (
    <>
      {dropped}
      <Fetched query={query} what="the comparison" height={560} head={bare}>
        {(comparison) => (
          <CompareResult
            comparison={comparison}
            state={state}
            set={set}
            onNames={setNames}
            onAdd={() => setPicking(true)}
          />
        )}
      </Fetched>
      {picker}
    </>
  );
}
