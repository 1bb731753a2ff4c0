'use client';
import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import type { RunRow } from '@/contract/api';
import {
  costOf,
  TOKEN_KIND_TITLES,
  TOKEN_KINDS,
  totalTokens,
  type ByTokenKind,
  type ByTokenPhase,
} from '@/contract/cost';
import { formatAmount, formatCount, formatMillions, formatSeconds } from '@/contract/format';
import type { RecipeEntry } from '@/contract/recipes/registry';
import type { RunSettings } from '@/contract/recipes/run-settings';
import { useRun, useRuns, useSeriesSums } from '@/components/data/run-queries';
import { BILLED_SERIES } from '@/components/run/cost-bill';
import { runConfigOf } from '@/components/run/run-config-of';
import { Panel, PanelHead } from '@/components/ui/panel';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import {
  episodeLimits,
  mostSamplings,
  mostTokens,
  plannedEpisodes,
  scaledSeconds,
  scaledTokens,
  TIMED_SERIES,
  uncountedTokens,
} from './projected-tokens';

/** What the run will use, before it is launched: measured where a verify run of the same setup has finished, else bounds. */
export function CostProjection({ recipe, config }: { recipe: RecipeEntry; config: unknown }) {
  const parsed = recipe.config.safeParse(config);
  const runs = useRuns();
  const verified = runs.data?.find(
    (run) => run.recipe === recipe.id && run.preset === 'verify' && run.status === 'finished',
  );
  return (
    <Panel aria-label="Tokens and cost, projected">
      <PanelHead title="Tokens and cost" caption="of the whole run, projected" />
      {!parsed.success ? (
        <p className="p-2.5 text-sm text-ink-3">Shown once the settings have no problem.</p>
      ) : verified ? (
        <Measured config={parsed.data} run={verified} />
      ) : (
        <Bounds config={parsed.data} />
      )}
    </Panel>
  );
}

const PROJECTED_SERIES: readonly string[] = [...BILLED_SERIES, ...TIMED_SERIES];

function Measured({ config, run }: { config: RunSettings; run: RunRow }) {
  const detail = useRun(run.id);
  const sums = useSeriesSums(run.id, PROJECTED_SERIES);
  const measured = detail.data && runConfigOf(detail.data);
  const source = measured && sums.data ? { config: measured, sums: sums.data } : null;
  const tokens = source && scaledTokens(config, source);
  if (!tokens) return <Bounds config={config} />;
  const seconds = source && scaledSeconds(config, source);
  return (
    <Tokens config={config} tokens={tokens} heading="About, M">
      Measured in{' '}
      <Link href={`/runs/${encodeURIComponent(run.id)}`} className="text-link">
        {run.name}
      </Link>
      , a verify run of the same model, environment, scaffold and rollout, and scaled by episodes:{' '}
      {episodeWords(config)}. Later steps may play longer or shorter.
      {seconds !== null && ` On a worker as fast as that run’s: about ${formatSeconds(seconds)}.`}
    </Tokens>
  );
}

function Bounds({ config }: { config: RunSettings }) {
  const tokens = mostTokens(config);
  if (!tokens)
    return <p className="p-2.5 text-sm text-ink-3">No projection: the recipe plays no groups of episodes.</p>;
  const { turns, calls, promptTokens, replyTokens } = episodeLimits(config);
  const samplings = mostSamplings(config);
  const uncounted = uncountedTokens(config);
  const isWhole = uncounted.length === 0;
  return (
    <Tokens config={config} tokens={tokens} heading={isWhole ? 'At most, M' : 'Episodes, at most, M'}>
      Upper bounds{!isWhole && ' of the episodes'}, not an estimate: {episodeWords(config)}; each {turns}{' '}
      turns and {calls} calls of {formatCount(promptTokens)} prompt and {formatCount(replyTokens)} reply
      tokens, none reused, all trained on
      {samplings > 1 && `, and every group sampled ${formatAmount(samplings)} times`}.
      {!isWhole && ` Not counted: ${uncounted.join('; ')}.`} A finished run of preset verify with these
      settings replaces them by what it measured.
    </Tokens>
  );
}

/** `20,480 episodes of training, 7,560 of evaluation, 1,071 of the probe`. */
function episodeWords(config: RunSettings): string {
  const episodes = plannedEpisodes(config);
  if (!episodes) return 'no episodes';
  const { training, evaluation, probe } = episodes;
  return `${formatCount(training)} episodes of training, ${formatCount(evaluation)} of evaluation, ${formatCount(probe)} of the probe`;
}

function Tokens({
  config,
  tokens,
  heading,
  children,
}: {
  config: RunSettings;
  tokens: ByTokenPhase<ByTokenKind>;
  heading: string;
  children: ReactNode;
}) {
  const prices = config.cost;
  const all = totalTokens(tokens);
  const cost = prices && costOf(all, prices);
  return (
    <>
      <Table>
        <thead>
          <tr>
            <HeadCell>Tokens</HeadCell>
            <HeadCell numeric>{heading}</HeadCell>
            {prices && <HeadCell numeric>Cost, {prices.currency}</HeadCell>}
          </tr>
        </thead>
        <tbody>
          {TOKEN_KINDS.map((kind) => (
            <Row key={kind}>
              <Cell>{TOKEN_KIND_TITLES[kind]}</Cell>
              <Cell numeric>{formatMillions(all[kind])}</Cell>
              {cost && <Cell numeric>{formatAmount(cost.byKind[kind])}</Cell>}
            </Row>
          ))}
          {cost && (
            <Row className="font-medium">
              <Cell colSpan={2}>Cost</Cell>
              <Cell numeric>{formatAmount(cost.total)}</Cell>
            </Row>
          )}
        </tbody>
      </Table>
      <p className="border-t border-line px-2.5 py-1.5 text-xs text-ink-2">{children}</p>
    </>
  );
}
