import { Link } from '@/components/ui/link';
import { TriangleAlert } from 'lucide-react';
import { Icon } from '@/components/ui/icon';
import { Note, Panel, PanelHead } from '@/components/ui/panel';
import { OutcomeWord } from '@/components/trajectory/outcome';
import { divergenceTurn } from './divergence-words';
import type { PairModel, SideModel } from './pair-model';
import { countSuccesses, noiseWords, rateWords, samplesSentence } from './samples';
import { SideTag } from './side-tag';

/**
 * What a pair is good for: the samples of both sides as k/n, percent and Wilson interval, and how early two samples of one
 * checkpoint part.
 */
export function SamplesNote({ model }: { model: PairModel }) {
  const sides = [model.a, model.b] as const;
  const [a, b] = sides.map((side) => countSuccesses(side.samples));
  return (
    <Note tone="warn">
      <Icon of={TriangleAlert} size="small" className="mt-0.75 text-warn" />
      <p>
        <b className="font-semibold">One task: read this pair as a behaviour, not a rate.</b> Sampled
        successes, percent [95 % Wilson]:{' '}
        {sides.map((side, index) => (
          <span key={side.name}>
            {index > 0 ? ' · ' : null}
            <span className={side.name === 'a' ? 'text-a' : 'text-b'}>
              {side.name.toUpperCase()} {side.title}
            </span>{' '}
            <span className="whitespace-nowrap">{rateWords(countSuccesses(side.samples))}</span>
          </span>
        ))}
        . {a && b ? samplesSentence(a, b) : null}
        <span className="block">{noiseWords(divergenceTurn(model), model)}</span>
      </p>
    </Note>
  );
}

/** The greedy and the sampled trajectories of the task on both sides, each a link. */
export function SampleLinks({ sides }: { sides: readonly [SideModel, SideModel] }) {
  return (
    <Panel>
      <PanelHead title="All trajectories of this task" caption="greedy, then samples" />
      {sides.map((side) => (
        <div key={side.name} className="flex items-baseline gap-2 border-b border-line p-2.5 last:border-b-0">
          <SideTag side={side.name} />
          <ul className="flex flex-wrap gap-x-3 gap-y-0.5">
            {side.played ? (
              <SampleLink id={side.played.id} title="greedy" trajectory={side.played.trajectory} />
            ) : null}
            {side.samples.map((sample) => (
              <SampleLink
                key={sample.id}
                id={sample.id}
                title={`sample ${sample.sample}`}
                trajectory={sample}
              />
            ))}
            {!side.played && side.samples.length === 0 ? (
              <li className="text-sm text-ink-3">none at step {side.step}</li>
            ) : null}
          </ul>
        </div>
      ))}
    </Panel>
  );
}

function SampleLink({
  id,
  title,
  trajectory,
}: {
  id: string;
  title: string;
  trajectory: Parameters<typeof OutcomeWord>[0]['trajectory'];
}) {
  return (
    <li>
      <Link
        href={`/trajectories/${encodeURIComponent(id)}`}
        className="flex items-center gap-1 text-sm text-link"
      >
        {title} <OutcomeWord trajectory={trajectory} />
      </Link>
    </li>
  );
}
