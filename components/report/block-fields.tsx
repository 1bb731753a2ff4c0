'use client';
import { useState } from 'react';
import type { ReportBlock } from '@/contract/report';
import { SPLITS } from '@/contract/trajectory';
import { Field, Select, TextArea, TextInput } from '@/components/ui/field';
import { readCompareQuery, readIds, readPairAddress } from './block-list';
import { SeriesField } from './series-field';

interface FieldsProps<Block extends ReportBlock> {
  block: Block;
  onBlock: (block: ReportBlock) => void;
}

/** What a block says and shows, as fields. */
export function BlockFields({ block, onBlock }: FieldsProps<ReportBlock>) {
  switch (block.kind) {
    case 'text':
      return (
        <Field label="Text" description="Markdown: # heading, **bold**, - list, [words](/runs/r-0001)">
          {(control) => (
            <TextArea {...control} value={block.text} onValue={(text) => onBlock({ ...block, text })} />
          )}
        </Field>
      );
    case 'evaluations':
      return <EvaluationsFields block={block} onBlock={onBlock} />;
    case 'chart':
      return (
        <div className="grid gap-2.5 sm:grid-cols-2">
          <RunsField runs={block.runs} onRuns={(runs) => onBlock({ ...block, runs })} />
          <SeriesField
            runId={block.runs[0] ?? null}
            series={block.series}
            onSeries={(series) => onBlock({ ...block, series })}
          />
        </div>
      );
    case 'compare':
      return <CompareField block={block} onBlock={onBlock} />;
    case 'pair':
      return <PairFields block={block} onBlock={onBlock} />;
  }
}

function RunsField({ runs, onRuns }: { runs: readonly string[]; onRuns: (runs: string[]) => void }) {
  return (
    <Field label="Runs" description="Ids with commas between, such as r-0001, r-0002">
      {(control) => (
        <TextInput {...control} value={runs.join(', ')} onValue={(text) => onRuns(readIds(text))} />
      )}
    </Field>
  );
}

function EvaluationsFields({ block, onBlock }: FieldsProps<ReportBlock & { kind: 'evaluations' }>) {
  const splits = [{ value: '', title: 'all' }, ...SPLITS.map((split) => ({ value: split, title: split }))];
  const decodings = [
    { value: '', title: 'both' },
    { value: 'greedy', title: 'greedy' },
    { value: 'sampled', title: 'sampled' },
  ];
  return (
    <div className="grid gap-2.5 sm:grid-cols-3">
      <RunsField runs={block.runs} onRuns={(runs) => onBlock({ ...block, runs })} />
      <Field label="Split">
        {(control) => (
          <Select
            {...control}
            value={block.split ?? ''}
            options={splits}
            onValue={(text) => onBlock({ ...block, split: SPLITS.find((split) => split === text) ?? null })}
          />
        )}
      </Field>
      <Field label="Decoding">
        {(control) => (
          <Select
            {...control}
            value={block.decoding ?? ''}
            options={decodings}
            onValue={(text) =>
              onBlock({ ...block, decoding: text === 'greedy' || text === 'sampled' ? text : null })
            }
          />
        )}
      </Field>
    </div>
  );
}

function CompareField({ block, onBlock }: FieldsProps<ReportBlock & { kind: 'compare' }>) {
  return (
    <AddressField
      label="Address of the comparison"
      description="As the Compare screen has it; key y copies it there"
      address={block.query === '' ? '' : `/compare?${block.query}`}
      isNamed={(text) => readCompareQuery(text) !== ''}
      wrong="names no checkpoint: expected /compare?c=RUN@STEP&c=RUN@STEP"
      onAddress={(text) => onBlock({ ...block, query: readCompareQuery(text) })}
    />
  );
}

function PairFields({ block, onBlock }: FieldsProps<ReportBlock & { kind: 'pair' }>) {
  return (
    <AddressField
      label="Address of the pair"
      description="As the Pair screen of two trajectories has it; key y copies it there"
      address={block.a === '' ? '' : `/pair?a=${block.a}&b=${block.b}`}
      isNamed={(text) => readPairAddress(text) !== null}
      wrong="names no pair: expected /pair?a=TRAJECTORY&b=TRAJECTORY"
      onAddress={(text) => onBlock({ ...block, ...(readPairAddress(text) ?? { a: '', b: '' }) })}
    />
  );
}

/** An address as it is typed, which names nothing until it is whole. */
function AddressField({
  label,
  description,
  address,
  isNamed,
  wrong,
  onAddress,
}: {
  label: string;
  description: string;
  address: string;
  isNamed: (text: string) => boolean;
  wrong: string;
  onAddress: (text: string) => void;
}) {
  const [typed, setTyped] = useState(address);
  return (
    <Field
      label={label}
      description={description}
      error={typed !== '' && !isNamed(typed) ? wrong : undefined}
    >
      {(control) => (
        <TextInput
          {...control}
          value={typed}
          onValue={(text) => {
            setTyped(text);
            onAddress(text);
          }}
        />
      )}
    </Field>
  );
}
