'use client';
import type { RescoredRewards } from '@/contract/rewards';
import { useUrlState } from '@/components/data/url-state';
import { Button } from '@/components/ui/button';
import { Field, Select, TextInput } from '@/components/ui/field';
import { Panel, PanelBody, PanelHead } from '@/components/ui/panel';
import { FORMULA_FIELDS, type FormulaField, type StatedFormula } from './rewards-query';

const NUMBERS: readonly { name: FormulaField & keyof RescoredRewards['formula']; label: string }[] = [
  { name: 'scale', label: 'Outcome is multiplied by' },
  { name: 'invalidActionPenalty', label: 'Penalty for each refused action' },
  { name: 'formatPenalty', label: 'Penalty for each broken format' },
  { name: 'formatReward', label: 'Reward where every format is kept' },
];

/** The formula that is tried; each field shows what it departs from. */
export function FormulaForm({ stated, rewards }: { stated: StatedFormula; rewards: RescoredRewards }) {
  const { set } = useUrlState();
  const { own, formula } = rewards;
  const was = (name: FormulaField) =>
    own && stated[name] !== undefined && String(own[name]) !== stated[name] ? String(own[name]) : undefined;
  return (
    <Panel>
      <PanelHead
        title="Formula"
        caption={
          own
            ? 'An emptied field is as the run has it.'
            : 'The run has no formula of these settings: plain, unless stated.'
        }
      >
        <Button
          size="small"
          onClick={() => set(Object.fromEntries(FORMULA_FIELDS.map((name) => [name, null])))}
        >
          As recorded
        </Button>
      </PanelHead>
      <PanelBody className="grid grid-cols-6 gap-x-4 gap-y-3 max-[1100px]:grid-cols-3">
        <Field label="Outcome" was={was('outcome')}>
          {(control) => (
            <Select
              {...control}
              value={formula.outcome}
              onValue={(outcome) => set({ outcome })}
              options={['environment', 'won', 'won-or-lost'].map((value) => ({ value, title: value }))}
            />
          )}
        </Field>
        {NUMBERS.map(({ name, label }) => (
          <Field key={name} label={label} was={was(name)}>
            {(control) => (
              <TextInput
                {...control}
                inputMode="decimal"
                value={stated[name] ?? ''}
                placeholder={String(formula[name])}
                onValue={(value) => set({ [name]: value })}
              />
            )}
          </Field>
        ))}
        <Field label="Scores" was={was('over')}>
          {(control) => (
            <Select
              {...control}
              value={formula.over}
              onValue={(over) => set({ over })}
              options={[
                { value: 'trajectories', title: 'one a trajectory' },
                { value: 'turns', title: 'one a turn, their mean' },
              ]}
            />
          )}
        </Field>
      </PanelBody>
    </Panel>
  );
}
