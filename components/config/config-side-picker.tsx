'use client';
import { Field, Select, TextArea, TextInput } from '@/components/ui/field';
import { Panel, PanelHead } from '@/components/ui/panel';
import { parseSide, PRESET_SIDES } from './config-side';

const KINDS = [
  { value: 'run', title: 'Run' },
  { value: 'preset', title: 'Preset' },
  { value: 'parent', title: 'Parent of the other side' },
  { value: 'text', title: 'Hydra YAML' },
];

/** Largest file that is opened, in bytes. */
const MAX_FILE_BYTES = 1_000_000;

/** What one side of the difference is. The text of a YAML stays with the page, all else is in the address. */
export function ConfigSidePicker({
  side,
  value,
  text,
  onValue,
  onText,
}: {
  side: 'a' | 'b';
  value: string;
  text: string;
  onValue: (value: string) => void;
  onText: (text: string) => void;
}) {
  const name = parseSide(value);
  const kind = name.kind === 'none' ? 'run' : name.kind;
  const letter = side.toUpperCase();
  return (
    <Panel>
      <PanelHead title={<span className={side === 'a' ? 'text-a' : 'text-b'}>{letter}</span>} />
      <div className="grid grid-cols-[12rem_1fr] items-start gap-2.5 p-2.5">
        <Field label={`${letter} is`}>
          {(control) => (
            <Select
              {...control}
              value={kind}
              options={KINDS}
              onValue={(next) =>
                onValue(next === 'run' ? '' : next === 'preset' ? (PRESET_SIDES[0]?.value ?? '') : next)
              }
            />
          )}
        </Field>
        {kind === 'run' && (
          <Field label="Id of the run">
            {(control) => (
              <TextInput
                {...control}
                value={name.kind === 'run' ? name.runId : ''}
                placeholder="r-0001"
                onValue={onValue}
              />
            )}
          </Field>
        )}
        {kind === 'preset' && (
          <Field label="Preset">
            {(control) => <Select {...control} value={value} options={PRESET_SIDES} onValue={onValue} />}
          </Field>
        )}
        {kind === 'text' && <TextSide text={text} onText={onText} />}
      </div>
    </Panel>
  );
}

function TextSide({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <div className="grid gap-2.5">
      <Field label="Config or overrides, pasted" description="Not part of the address.">
        {(control) => (
          <TextArea
            {...control}
            value={text}
            placeholder="trainer:&#10;  save_freq: 10"
            onValue={onText}
          />
        )}
      </Field>
      <Field label="or a file, at most 1 MB">
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".yaml,.yml,.json"
            className="text-sm"
            onChange={(event) => {
              const file = event.target.files?.[0];
              if (file && file.size <= MAX_FILE_BYTES) void file.text().then(onText);
            }}
          />
        )}
      </Field>
    </div>
  );
}
