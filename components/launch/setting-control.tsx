'use client';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '@/components/ui/button';
import { Checkbox, Field, Select, TextArea, TextInput, type ControlProps } from '@/components/ui/field';
import { Icon } from '@/components/ui/icon';
import type { FormField } from './form-fields';
import { formatEdit, parseEdit } from './launch-draft';
import { Parts } from './parts-control';
import { isRecord } from './record';
import { selectOptions, variantTitle, type UnsuitableOptions } from './select-options';

interface SettingProps {
  field: FormField;
  /** The value as text, as the URL carries it. */
  text: string;
  /** The preset's value where the draft departs from it. */
  was: string | undefined;
  error: string | undefined;
  /** Options of a choice that the other settings rule out. */
  unsuitable?: UnsuitableOptions;
  onText: (text: string) => void;
}

/** One setting of the config: label, control by its kind, error, the preset's value, what it does. */
export function SettingControl({ field, text, was, error, unsuitable, onText }: SettingProps) {
  return (
    <div className={WIDTHS[field.kind]}>
      <Field
        label={field.title}
        description={describe(field)}
        was={was === undefined ? undefined : wasWords(field, was)}
        error={error}
      >
        {(control) => (
          <Control field={field} text={text} unsuitable={unsuitable} onText={onText} control={control} />
        )}
      </Field>
    </div>
  );
}

/** Columns of the form that a control takes; one where its kind is not named. */
const WIDTHS: Partial<Record<FormField['kind'], string>> = {
  rows: 'col-span-2',
  variant: 'col-span-2',
  parts: 'col-span-full',
};

function wasWords(field: FormField, text: string): string {
  if (text === '') return field.kind === 'optional' ? 'none' : 'empty';
  return field.kind === 'variant' ? variantTitle(field.variants, text) : text;
}

function describe(field: FormField) {
  return (
    <span title={field.path}>
      {field.description}
      {field.description && '.'}
      {field.kind === 'number' && ` ${describeRange(field)}`}
    </span>
  );
}

/** `0.01 to 5.`, `Above 0, to 1.`, or nothing where any number will do. */
function describeRange({ min, max, above }: FormField & { kind: 'number' }): string {
  const number = (bound: number) => bound.toLocaleString('en-US', { maximumSignificantDigits: 12 });
  const low = min !== null ? number(min) : above !== null ? `Above ${number(above)},` : null;
  if (low === null) return max === null ? '' : `At most ${number(max)}.`;
  return max === null ? `${low.replace(/,$/, '')} or more.` : `${low} to ${number(max)}.`;
}

function Control({
  field,
  text,
  unsuitable,
  onText,
  control,
}: Pick<SettingProps, 'field' | 'text' | 'unsuitable' | 'onText'> & { control: ControlProps }) {
  switch (field.kind) {
    case 'number':
      return <TextInput {...control} inputMode="decimal" value={text} onValue={onText} name={field.path} />;
    case 'text':
      // A box of one line would drop the line breaks of a text that has some.
      return field.multiline || text.includes('\n') ? (
        <TextArea {...control} value={text} onValue={onText} name={field.path} />
      ) : (
        <TextInput {...control} value={text} onValue={onText} name={field.path} />
      );
    case 'constant':
      return <TextInput {...control} value={text} onValue={onText} name={field.path} disabled />;
    case 'switch':
    case 'choice':
    case 'variant':
    case 'optional':
      return (
        <Select
          {...control}
          name={field.path}
          value={text}
          onValue={onText}
          options={selectOptions(field, text, unsuitable)}
        />
      );
    case 'parts':
      return <Parts field={field} text={text} onText={onText} control={control} />;
    case 'choices':
      return <Choices field={field} text={text} onText={onText} control={control} />;
    case 'rows':
      return <Rows field={field} text={text} onText={onText} control={control} />;
  }
}

function Choices({
  field,
  text,
  onText,
  control,
}: {
  field: FormField & { kind: 'choices' };
  text: string;
  onText: (text: string) => void;
  control: ControlProps;
}) {
  const value = parseEdit(field, text);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <div id={control.id} role="group" aria-label={field.title} aria-describedby={control['aria-describedby']}>
      {field.options.map((option) => (
        <div key={option}>
          <Checkbox
            checked={chosen.includes(option)}
            onChecked={(checked) =>
              onText(
                formatEdit(
                  field.options.filter((each) => (each === option ? checked : chosen.includes(each))),
                ),
              )
            }
          >
            {option}
          </Checkbox>
        </div>
      ))}
    </div>
  );
}

function Rows({
  field,
  text,
  onText,
  control,
}: {
  field: FormField & { kind: 'rows' };
  text: string;
  onText: (text: string) => void;
  control: ControlProps;
}) {
  const value = parseEdit(field, text);
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  const write = (next: readonly Record<string, unknown>[]) => onText(formatEdit(next));
  return (
    <div
      id={control.id}
      role="group"
      aria-label={field.title}
      aria-describedby={control['aria-describedby']}
      className="flex flex-col gap-1"
    >
      {rows.map((row, index) => (
        <div key={index} className="flex items-center gap-1">
          {field.columns.map((column) => (
            <Control
              key={column.path}
              field={column}
              text={formatEdit(row[column.path])}
              onText={(typed) => write(rows.with(index, { ...row, [column.path]: parseEdit(column, typed) }))}
              control={columnControl(control, column, index)}
            />
          ))}
          <IconButton label={`Remove row ${index + 1}`} onClick={() => write(rows.toSpliced(index, 1))}>
            <Icon of={X} size="small" />
          </IconButton>
        </div>
      ))}
      <Button size="small" className="self-start" onClick={() => write([...rows, emptyRow(field.columns)])}>
        <Icon of={Plus} size="small" /> Add
      </Button>
    </div>
  );
}

function columnControl(control: ControlProps, column: FormField, index: number) {
  return {
    ...control,
    id: `${control.id}-${index}-${column.path}`,
    'aria-label': `${column.title} ${index + 1}`,
  };
}

/** A new row: the first option or the smallest number of each column. */
function emptyRow(columns: readonly FormField[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.map((column) => [
      column.path,
      column.kind === 'choice' ? column.options[0] : column.kind === 'number' ? (column.min ?? 0) : '',
    ]),
  );
}
