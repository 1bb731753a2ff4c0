'use client';
import type { ReportBlock } from '@/contract/report';
import { ChartBlock } from './chart-block';
import { CompareBlock } from './compare-block';
import { EvaluationsBlock } from './evaluations-block';
import { Markdown } from './markdown';
import { PairBlock } from './pair-block';

/** A block as it is read, with figures as they are now. */
export function BlockView({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'text':
      return <Markdown text={block.text} />;
    case 'evaluations':
      return <EvaluationsBlock block={block} />;
    case 'chart':
      return <ChartBlock block={block} />;
    case 'compare':
      return <CompareBlock query={block.query} />;
    case 'pair':
      return <PairBlock a={block.a} b={block.b} />;
  }
}

/** Names of the kinds, as buttons and heads have them. */
export const BLOCK_TITLES: Readonly<Record<ReportBlock['kind'], string>> = {
  text: 'Text',
  evaluations: 'Evaluations',
  chart: 'Chart',
  compare: 'Comparison',
  pair: 'Pair',
};
