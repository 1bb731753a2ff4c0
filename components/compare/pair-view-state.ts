import { countParam, type UrlChanges } from '@/components/data/url-state';
import { readHeat } from '@/components/trajectory/token-heat';
import type { SideName } from './pair-model';
import type { PairViewState } from './pair-view';

/**
 * What of a pair's view is in the URL: `t` (aligned row from 1; without it the first divergence), `list=0`, `loops=open`,
 * `heat` (what tokens are shaded by), `diff=1`.
 */
export function readPairState(params: { get(name: string): string | null }): PairViewState {
  const t = countParam(params, 't');
  return {
    row: t === null ? null : Math.max(0, t - 1),
    list: params.get('list') !== '0',
    unfolded: params.get('loops') === 'open',
    heat: readHeat(params.get('heat')),
    diff: params.get('diff') === '1',
  };
}

export function pairStateChanges({ row, list, unfolded, heat, diff }: Partial<PairViewState>): UrlChanges {
  return {
    ...(row !== undefined && { t: row === null ? null : row + 1 }),
    ...(list !== undefined && { list: list ? null : '0' }),
    ...(unfolded !== undefined && { loops: unfolded ? 'open' : null }),
    ...(heat !== undefined && { heat: heat === 'logprob' ? null : heat }),
    ...(diff !== undefined && { diff: diff ? '1' : null }),
  };
}

/** Address of a pair with one trajectory on the named side and another on the other. */
export function pairPath(side: SideName, trajectoryId: string, otherId: string): string {
  const [a, b] = side === 'a' ? [trajectoryId, otherId] : [otherId, trajectoryId];
  return `/pair?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`;
}
