'use client';
import { useMemo, useState } from 'react';
import { AppError } from '@/contract/errors';
import { useRun } from '@/components/data/run-queries';
import { useUrlState } from '@/components/data/url-state';
import { useKeys } from '@/components/ui/key-map';
import { PageHead } from '@/components/ui/page-head';
import { Note } from '@/components/ui/panel';
import { EmptyState } from '@/components/ui/state-panel';
import { IGNORED_BY_DEFAULT } from './config-difference';
import { ConfigDifferenceView } from './config-difference-view';
import { jsonLeaves, type Leaves } from './config-leaves';
import { parentOf, parseSide, presetConfig } from './config-side';
import { ConfigSidePicker } from './config-side-picker';
import { yamlLeaves } from './hydra-yaml';

/** Two configs key by key: of runs, presets, a run's parent, or a Hydra YAML that is pasted or opened. */
export function ConfigDifferenceScreen() {
  const { params, set } = useUrlState();
  const [texts, setTexts] = useState({ a: '', b: '' });
  const names = { a: params.get('a') ?? '', b: params.get('b') ?? '' };
  const showsAll = params.get('show') === 'all';
  const a = useSide(names.a, texts.a, names.b);
  const b = useSide(names.b, texts.b, names.a);
  useKeys([
    { keys: ['x'], label: 'swap the sides', hint: true, run: () => swap() },
    {
      keys: ['d'],
      label: showsAll ? 'only what differs' : 'all keys',
      hint: true,
      run: () => set({ show: showsAll ? null : 'all' }),
    },
  ]);
  const swap = () => {
    set({ a: names.b, b: names.a });
    setTexts({ a: texts.b, b: texts.a });
  };
  const ignore = params.get('ignore') ?? IGNORED_BY_DEFAULT.join(', ');
  return (
    <>
      <title>Config difference · Stepscope</title>
      <PageHead title="Config difference" />
      <div className="mb-2.5 grid grid-cols-1 gap-2.5 lg:grid-cols-2">
        {(['a', 'b'] as const).map((side) => (
          <ConfigSidePicker
            key={side}
            side={side}
            value={names[side]}
            text={texts[side]}
            onValue={(value) => set({ [side]: value })}
            onText={(text) => setTexts({ ...texts, [side]: text })}
          />
        ))}
      </div>
      {[a, b].map((side, index) =>
        side.state === 'refused' ? (
          <div key={index} className="mb-2.5">
            <Note tone="bad" role="alert">
              {index === 0 ? 'A' : 'B'}: {side.message}
            </Note>
          </div>
        ) : null,
      )}
      {a.state === 'read' && b.state === 'read' ? (
        <ConfigDifferenceView
          a={a}
          b={b}
          ignore={ignore}
          showsAll={showsAll}
          text={params.get('q') ?? ''}
          onChange={set}
        />
      ) : (
        <EmptyState title="Two sides are needed.">
          Name a run, choose a preset or paste a Hydra YAML on each side.
        </EmptyState>
      )}
    </>
  );
}

/** A side that is read, on its way, not named, or not to be read. */
export type Side =
  | { state: 'read'; title: string; leaves: Leaves }
  | { state: 'waiting' }
  | { state: 'refused'; message: string };

/** @param other name of the other side, whose run's parent this one may be */
function useSide(named: string, text: string, other: string): Side {
  const name = parseSide(named);
  const otherSide = parseSide(other);
  // Nothing is asked for by an empty id.
  const child = useRun(name.kind === 'parent' && otherSide.kind === 'run' ? otherSide.runId : '');
  const parent = name.kind === 'parent' ? parentOf(child.data?.config) : null;
  const runId = name.kind === 'run' ? name.runId : (parent ?? '');
  const run = useRun(runId);
  return useMemo((): Side => {
    const side = parseSide(named);
    if (side.kind === 'none') return { state: 'waiting' };
    if (side.kind === 'text') return text.trim() === '' ? { state: 'waiting' } : readText(text);
    if (side.kind === 'preset') return readPreset(side.recipe, side.preset);
    if (side.kind === 'parent' && child.data && parent === null)
      return {
        state: 'refused',
        message: `${child.data.run.name} names no checkpoint of another run: it has no parent`,
      };
    if (run.data)
      return { state: 'read', title: `${run.data.run.name}, ${runId}`, leaves: jsonLeaves(run.data.config) };
    return run.error && runId !== ''
      ? { state: 'refused', message: run.error.message }
      : { state: 'waiting' };
  }, [named, text, child.data, parent, run.data, run.error, runId]);
}

function readPreset(recipe: string, preset: string): Side {
  const config = presetConfig(recipe, preset);
  return config === null
    ? { state: 'refused', message: `${recipe} has no preset ${preset}` }
    : { state: 'read', title: `${recipe}, ${preset}`, leaves: jsonLeaves(config) };
}

function readText(text: string): Side {
  try {
    return { state: 'read', title: 'pasted text', leaves: yamlLeaves(text) };
  } catch (error) {
    if (error instanceof AppError) return { state: 'refused', message: error.message };
    throw error;
  }
}
