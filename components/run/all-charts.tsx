'use client';
import { useMemo } from 'react';
import type { RunDetail } from '@/contract/api';
import { METRICS } from '@/contract/metrics';
import { CrosshairProvider } from '@/components/charts/crosshair';
import { useSeries } from '@/components/data/run-queries';
import { useUrlState, countParam } from '@/components/data/url-state';
import { SectionHead } from '@/components/ui/panel';
import { resumesOf, type ChartFrame } from './chart-frame';
import { MetricChart } from './metric-chart';

const NAMES = METRICS.map((metric) => metric.name);

/** Every training metric that the product names, by area. */
export function AllCharts({ detail }: { detail: RunDetail }) {
  const { params, set } = useUrlState();
  const series = useSeries(detail.run.id, NAMES);
  const curves = new Map(series.data?.map((curve) => [curve.name, curve]));
  const pinnedStep = countParam(params, 'at');
  const smoothing = Math.min(0.98, Math.max(0, Number(params.get('smooth') ?? 0) || 0));
  const frame = useMemo<ChartFrame>(
    () => ({
      reachedStep: detail.view.step,
      lastStep: Math.max(detail.view.steps ?? detail.run.steps ?? 0, detail.view.step),
      smoothing,
      pinnedStep,
      resumes: resumesOf(detail),
      onPin: (step) => set({ at: step === pinnedStep ? null : step }),
    }),
    [detail, smoothing, pinnedStep, set],
  );
  const areas = [...new Set(NAMES.map(areaOf))];
  return (
    <CrosshairProvider>
      {areas.map((area) => (
        <section key={area} aria-label={`Metrics of ${area}`} className="mt-5.5 first:mt-0">
          <SectionHead title={area} />
          <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4">
            {NAMES.filter((name) => areaOf(name) === area).map((name) => (
              <MetricChart key={name} name={name} curve={curves.get(name)} frame={frame} />
            ))}
          </div>
        </section>
      ))}
    </CrosshairProvider>
  );
}

function areaOf(name: string): string {
  return name.split('/')[0] ?? name;
}
