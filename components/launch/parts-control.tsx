'use client';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '@/components/ui/button';
import { Select, TextArea, TextInput, type ControlProps } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import type { FormField, PartName } from './form-fields';
import { formatEdit, parseEdit } from './launch-draft';
import { isRecord } from './record';

/** Named texts: a name and a box for each, what a known one is for, and a way to add one. */
export function Parts({
  field,
  text,
  onText,
  control,
}: {
  field: FormField & { kind: 'parts' };
  /** The parts as JSON, as the URL carries them. */
  text: string;
  onText: (text: string) => void;
  control: ControlProps;
}) {
  const value = parseEdit(field, text);
  const parts = isRecord(value) ? Object.entries(value) : [];
  const taken = parts.map(([name]) => name);
  const write = (next: readonly (readonly [string, unknown])[]) =>
    onText(next.length === 0 && field.empty !== 'text' ? '' : formatEdit(Object.fromEntries(next)));
  const nextName = field.names ? field.names.find(({ name }) => !taken.includes(name))?.name : '';
  return (
    <div
      id={control.id}
      role="group"
      aria-label={field.title}
      aria-describedby={control['aria-describedby']}
      className="flex flex-col gap-1.5"
    >
      {parts.map(([name, part], index) => (
        <PartRow
          key={index}
          field={field}
          name={name}
          text={formatEdit(part)}
          place={index + 1}
          taken={taken}
          describedBy={control['aria-describedby']}
          onName={(renamed) => write(parts.with(index, [renamed, part]))}
          onText={(typed) => write(parts.with(index, [name, typed]))}
          onRemove={() => write(parts.toSpliced(index, 1))}
        />
      ))}
      <Button
        size="small"
        className="self-start"
        disabled={nextName === undefined || taken.includes(nextName)}
        onClick={() => nextName !== undefined && write([...parts, [nextName, '']])}
      >
        <Icon of={Plus} size="small" /> Add
      </Button>
    </div>
  );
}

interface PartRowProps {
  field: FormField & { kind: 'parts' };
  name: string;
  text: string;
  /** Counts from 1. */
  place: number;
  /** Names of all parts that are there. */
  taken: readonly string[];
  describedBy: string | undefined;
  onName: (name: string) => void;
  onText: (text: string) => void;
  onRemove: () => void;
}

function PartRow({ field, name, text, place, taken, describedBy, onName, onText, onRemove }: PartRowProps) {
  const box = {
    'aria-label': `Text of ${name || `part ${place}`}`,
    'aria-describedby': describedBy,
    name: `${field.path}.${name}`,
    value: text,
    onValue: onText,
  };
  const about = field.names?.find((known) => known.name === name)?.about;
  return (
    <div className="grid grid-cols-[minmax(0,180px)_minmax(0,1fr)_auto] items-start gap-1">
      <PartNameBox name={name} place={place} known={field.names} taken={taken} onName={onName} />
      <div className="flex flex-col gap-0.5">
        {field.multiline || text.includes('\n') ? <TextArea {...box} /> : <TextInput {...box} />}
        {about && <p className="text-xs text-ink-3">{about}.</p>}
      </div>
      <IconButton label={`Remove ${name || `part ${place}`}`} onClick={onRemove}>
        <Icon of={X} size="small" />
      </IconButton>
    </div>
  );
}

/** A name that another part has is not taken over: its text would replace the other's. */
function PartNameBox({
  name,
  place,
  known,
  taken,
  onName,
}: {
  name: string;
  place: number;
  known: readonly PartName[] | null;
  taken: readonly string[];
  onName: (name: string) => void;
}) {
  const label = `Name of part ${place}`;
  if (known === null)
    return (
      <TextInput
        aria-label={label}
        value={name}
        onValue={(typed) => typed !== name && !taken.includes(typed) && onName(typed)}
      />
    );
  const names = known.map((part) => part.name);
  return (
    <Select
      aria-label={label}
      value={name}
      onValue={onName}
      options={(names.includes(name) ? names : [name, ...names]).map((option) => ({
        value: option,
        title: option,
        disabled: option !== name && taken.includes(option),
      }))}
    />
  );
}
