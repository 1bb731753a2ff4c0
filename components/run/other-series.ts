import type { SeriesName } from '@/contract/api';
import { METRICS, OCCASIONAL_METRICS, type Metric } from '@/contract/metrics';
import { metricOf, RECIPE_METRICS } from '@/contract/recipe-metrics';
import type { RunView } from '@/contract/run-view';

/**
 * The training metrics to draw: those that every training has, and of the others those that this run has. A run that does
 * not train has of all of them only those that it gave.
 */
export function trainingMetrics(view: Pick<RunView, 'latest'>, isTraining: boolean): string[] {
  const given = ({ name }: Metric) => Object.hasOwn(view.latest, name);
  const ofRecipes = Object.values(RECIPE_METRICS).flat();
  const always = isTraining ? METRICS : METRICS.filter(given);
  return [...always, ...[...ofRecipes, ...OCCASIONAL_METRICS].filter(given)].map(({ name }) => name);
}

/**
 * Names of a run's series that are no training metric of the product, by name: those that were stored when it was
 * asked and those that its view has heard of since.
 */
export function otherSeries(stored: readonly SeriesName[], view: Pick<RunView, 'latest'>): string[] {
  const names = new Set([...stored.map(({ name }) => name), ...Object.keys(view.latest)]);
  return [...names].filter((name) => metricOf(name) === null).sort();
}

/** Charts that are fetched together: few, so that the first of thousands are there at once. */
const GROUP_SIZE = 12;

/** Names in groups, in their order. */
export function seriesGroups(names: readonly string[]): string[][] {
  const count = Math.ceil(names.length / GROUP_SIZE);
  return Array.from({ length: count }, (_, index) =>
    names.slice(index * GROUP_SIZE, (index + 1) * GROUP_SIZE),
  );
}

/** Whether every word of a filter occurs in a name, letter case aside. */
export function matchesName(name: string, filter: string): boolean {
  const lower = name.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
