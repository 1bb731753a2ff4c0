'use client';
import { CircleCheck, CircleDashed, CircleDot, CircleX, Clock, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { Checkbox, Field, Select, TextInput } from '@/components/ui/field';
import { Kbd } from '@/components/ui/kbd';
import { Meter } from '@/components/ui/meter';
import { Note, Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { PageHead } from '@/components/ui/page-head';
import { Rate } from '@/components/ui/rate';
import { EmptyState, ErrorState, NotRecorded, Skeleton } from '@/components/ui/state-panel';
import { StateWord } from '@/components/ui/state-word';
import { Tag } from '@/components/ui/tag';
import { ColorTokens } from './color-tokens';

const TYPE_SAMPLES = [
  ['text-xl', '20/28, 600', 'page figure, rare', 'text-xl font-semibold'],
  ['text-lg', '16/24, 600', 'page title', 'text-lg font-semibold'],
  ['text-md', '13/20', 'body, panel titles', 'text-md'],
  ['text-sm', '12/18', 'tables, controls', 'text-sm'],
  ['text-xs', '11/16', 'labels, intervals', 'text-xs'],
  ['text-mono', '11.5/17', 'what a model or environment wrote', 'font-mono text-mono'],
] as const;

/** The living style sheet: every token and component as the product uses it. */
export function StyleScreen() {
  return (
    <>
      <PageHead title="Style sheet">
        <span className="text-sm text-ink-3">
          Chrome is monochrome. Colour is spent on state, on the pair A/B, and on data.
        </span>
      </PageHead>
      <ColorTokens />
      <div className="mt-2.5 grid grid-cols-1 gap-2.5 lg:grid-cols-2">
        <Part title="Type" caption="IBM Plex Sans and Mono; tabular figures everywhere">
          {TYPE_SAMPLES.map(([name, size, use, classes]) => (
            <div key={name} className="flex items-baseline gap-4 py-0.5">
              <code className="w-24 font-mono text-mono">{name}</code>
              <span className="w-24 text-sm text-ink-3">{size}</span>
              <span className={classes}>121/140 {use}</span>
            </div>
          ))}
        </Part>
        <Part title="Controls" caption="26 px, small 22 px; the primary button is ink">
          <div className="mb-3 flex flex-wrap gap-2">
            <Button variant="primary">
              Launch <Kbd inverted>n</Kbd>
            </Button>
            <Button>Clone</Button>
            <Button variant="danger">Stop…</Button>
            <Button variant="quiet">Quiet</Button>
            <Button disabled>Disabled</Button>
            <Button size="small">Small</Button>
            <ButtonLink href="/runs">A link</ButtonLink>
          </div>
          <FieldSamples />
        </Part>
        <Part title="State" caption="a word and an icon; colour repeats it">
          <div className="mb-3 flex flex-wrap gap-4">
            <StateWord icon={CircleDot} tone="info">
              running
            </StateWord>
            <StateWord icon={Clock} tone="quiet">
              queued
            </StateWord>
            <StateWord icon={CircleDashed} tone="info">
              starting
            </StateWord>
            <StateWord icon={CircleCheck} tone="ok">
              finished
            </StateWord>
            <StateWord icon={CircleX} tone="bad">
              failed
            </StateWord>
            <StateWord icon={Unplug} tone="warn">
              lost
            </StateWord>
            <Tag>seed 2</Tag>
          </div>
          <div className="flex flex-col gap-2">
            <Note tone="warn">The server is away. Training is not affected.</Note>
            <Note tone="bad">A reason stands where the reader looks.</Note>
            <Meter fraction={0.62} tone="info" label="Sample of a meter" />
          </div>
        </Part>
        <Part title="Figures" caption="k/n, percent, Wilson 95%; n < 30 is grey; missing is n/a">
          <div className="flex flex-col gap-1 text-sm">
            <Rate successes={80} n={140} />
            <Rate successes={1} n={4} />
            <Rate successes={null} n={null} />
          </div>
        </Part>
        <Panel>
          <PanelHead title="Empty" />
          <EmptyState title="No evaluations yet.">The first one comes before the first step.</EmptyState>
        </Panel>
        <Panel>
          <PanelHead title="Error" />
          <ErrorState
            title="Could not read the run."
            message="The server does not answer."
            onRetry={ignore}
          />
        </Panel>
        <Panel>
          <PanelHead title="Loading" caption="after 300 ms, as high as the content" />
          <Skeleton height={96} />
        </Panel>
        <Panel>
          <PanelHead title="Not recorded" />
          <NotRecorded>It appears here as soon as one point arrives.</NotRecorded>
        </Panel>
      </div>
    </>
  );
}

/** Samples are looked at; what they are told changes nothing. */
function ignore(): void {}

function Part({ title, caption, children }: { title: string; caption: string; children: ReactNode }) {
  return (
    <Panel>
      <PanelHead title={title} caption={caption} />
      <PanelBody>{children}</PanelBody>
    </Panel>
  );
}

function FieldSamples() {
  return (
    <div className="grid grid-cols-3 gap-3">
      <Field label="Changed" description="Samples of each task" was="8">
        {(control) => <TextInput {...control} value="16" onValue={ignore} />}
      </Field>
      <Field label="Wrong" error="expected 1 or more">
        {(control) => <TextInput {...control} value="0" onValue={ignore} />}
      </Field>
      <Field label="Choice">
        {(control) => (
          <Select
            {...control}
            defaultValue="onnx"
            onValue={ignore}
            options={[
              { value: 'onnx', title: 'onnx' },
              { value: 'tinker', title: 'tinker' },
            ]}
          />
        )}
      </Field>
      <Checkbox checked onChecked={ignore}>
        A checkbox
      </Checkbox>
    </div>
  );
}
