'use client';
import { z } from 'zod';
import { formatDecimals } from '@/contract/format';
import { SPLITS } from '@/contract/trajectory';
import { smallestPairedDifference, smallestUnpairedDifference } from '@/stats/smallest-difference';
import { useUrlState } from '@/components/data/url-state';
import { Field, TextInput } from '@/components/ui/field';
import { Cell, HeadCell, Row, Table } from '@/components/ui/table';
import { valueAtPath } from './config-path';

/** Fractions of tasks on which two policies differ: alike, as training often makes them, and unlike. */
const DISCORDANT_RATES = [0.1, 0.2, 0.3];

const MOST_SEEDS = 1000;

const Splits = z.array(z.object({ split: z.enum(SPLITS), tasks: z.int().min(1) }));

interface Planned {
  when: string;
  split: string;
  tasks: number;
}

/** The evaluations that a config plans; none where its settings do not hold. */
export function plannedEvaluations(config: unknown): Planned[] {
  const at = (path: string, when: string) => {
    const parsed = Splits.safeParse(valueAtPath(config, path));
    return parsed.success ? parsed.data.map((size) => ({ when, ...size })) : [];
  };
  return [...at('evaluation.finalSplits', 'first and last'), ...at('evaluation.splits', 'in between')];
}

/** How many tasks and seeds it takes: the smallest difference that the evaluations of this config could see. */
export function SmallestDifference({ config }: { config: unknown }) {
  const { params, set } = useUrlState();
  const typed = params.get('seeds') ?? '1';
  const seeds = Number(typed);
  const isCount = Number.isInteger(seeds) && seeds >= 1 && seeds <= MOST_SEEDS;
  const planned = plannedEvaluations(config);
  if (planned.length === 0) return null;
  return (
    <section aria-label="How many tasks and seeds do I need?" className="col-span-full flex flex-col gap-2">
      <h3>How many tasks and seeds do I need?</h3>
      <div className="max-w-48">
        <Field
          label="Seeds on each side"
          error={isCount ? undefined : `expected a whole number from 1 to ${MOST_SEEDS}`}
        >
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={typed}
              onValue={(text) => set({ seeds: text === '1' ? null : text })}
            />
          )}
        </Field>
      </div>
      {isCount && <Differences planned={planned} seeds={seeds} />}
    </section>
  );
}

function Differences({ planned, seeds }: { planned: readonly Planned[]; seeds: number }) {
  return (
    <>
      <Table>
        <thead>
          <tr>
            <HeadCell>Evaluation</HeadCell>
            <HeadCell numeric>Tasks</HeadCell>
            {DISCORDANT_RATES.map((rate) => (
              <HeadCell key={rate} numeric>
                Same tasks, {100 * rate} % differ
              </HeadCell>
            ))}
            <HeadCell numeric>Other tasks</HeadCell>
          </tr>
        </thead>
        <tbody>
          {planned.map(({ when, split, tasks }) => (
            <Row key={`${when} ${split}`}>
              <Cell>
                {split}, {when}
              </Cell>
              <Cell numeric>{tasks}</Cell>
              {DISCORDANT_RATES.map((rate) => (
                <Cell key={rate} numeric>
                  {pairedWords(tasks * seeds, rate)}
                </Cell>
              ))}
              <Cell numeric>{formatDecimals(100 * smallestUnpairedDifference(tasks * seeds), 1)} pp</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      <p className="text-xs text-ink-3">
        Smallest difference of two success rates that is seen at a two-sided level of .05 with a power of 80
        %: McNemar’s test where both play the same tasks and differ in outcome on so many of them, two
        proportions near one half where they do not; normal approximation. Each seed counts as further tasks:
        how much seeds of training differ among themselves comes on top.
      </p>
    </>
  );
}

/** A difference cannot be greater than the fraction of tasks that differ. */
function pairedWords(pairs: number, rate: number): string {
  const difference = smallestPairedDifference(pairs, rate);
  return difference > rate ? 'none' : `${formatDecimals(100 * difference, 1)} pp`;
}
