import type { ReactNode } from 'react';
import type { EvaluationResult } from '@/contract/evaluation';
import { samplingWords } from '@/contract/evaluation-differences';
import { MISSING } from '@/contract/format';
import type { CheckpointEvaluationConfig } from '@/contract/recipes/checkpoint-evaluation';
import type { EvaluationUnitRow } from '@/contract/requested-evaluation';
import { Panel, PanelHead } from '@/components/ui/panel';

const HASH_DIGITS = 8;

function optionWords(options: EvaluationResult['environmentOptions']): string {
  const named = Object.entries(options).map(([name, value]) => `${name} ${String(value)}`);
  return named.join(', ') || 'none';
}

interface SettingsProps {
  config: CheckpointEvaluationConfig;
  units: readonly EvaluationUnitRow[];
}

/** Everything that the figures depend on besides the checkpoint. What only a played evaluation tells is n/a before. */
export function EvaluationSettingsList({ config, units }: SettingsProps) {
  const { evaluation, environment, rollout, scaffold, engine, seeds, tasksAtOnce } = config;
  const results = units.flatMap(({ result }) => result ?? []);
  const first = results[0];
  const settings: [string, ReactNode][] = [
    [
      'Splits, tasks, list hash',
      evaluation.splits
        .map(({ split, tasks }) => {
          const hash = results.find((result) => result.split === split)?.splitHash;
          return `${split} ${tasks}, ${hash?.slice(0, HASH_DIGITS) || MISSING}`;
        })
        .join('; '),
    ],
    ['Environment, version', `${environment.id} ${first?.environmentVersion ?? MISSING}`],
    ['Options', first ? optionWords(first.environmentOptions) : MISSING],
    ['Scaffold', scaffold.id],
    [
      'Sampling',
      evaluation.decodings.map((decoding) => samplingWords({ ...evaluation, decoding })).join('; '),
    ],
    ['Seeds', seeds.join(', ')],
    ['Most turns', environment.maxTurns],
    [
      'Longest reply, longest prompt, tokens',
      `${rollout.maxReplyTokens}, ${first?.maxPromptTokens ?? MISSING}`,
    ],
    ['Engine, model', `${engine.kind}, ${engine.model}`],
    ['Tasks side by side', tasksAtOnce],
  ];
  return (
    <Panel>
      <PanelHead title="Settings" caption="of every evaluation above" />
      <dl className="grid grid-cols-1 sm:grid-cols-2 xl:grid-cols-3">
        {settings.map(([name, value]) => (
          <div key={name} className="min-w-0 border-b border-line px-2.5 pt-1.25 pb-1.5">
            <dt className="text-xs font-medium text-ink-3">{name}</dt>
            <dd className="text-sm break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
