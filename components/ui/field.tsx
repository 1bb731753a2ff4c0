'use client';
import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { CircleX } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';

const SINGLE_LINE = 'h-6.5 text-sm';
const CONTROL =
  'w-full min-w-0 rounded-md border bg-surface px-2 placeholder:text-ink-3 aria-invalid:border-bad disabled:bg-surface-2 disabled:text-ink-3';

/** What a control needs to be tied to its label, description and error. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/**
 * Label above, control, then the error or else the value it was changed from, then the description.
 * `was` marks a value that departs from its preset, with the bar at the left edge.
 */
export function Field({
  label,
  description,
  error,
  was,
  children,
}: {
  label: ReactNode;
  description?: ReactNode;
  error?: string;
  was?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}) {
  const id = useId();
  const describedBy = [error && `${id}-error`, description !== undefined && `${id}-description`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <label htmlFor={id} className="text-sm text-ink-2">
        {label}
      </label>
      <div className={classNames(was !== undefined && 'rounded-md shadow-[-2px_0_0_var(--b)]')}>
        {children({
          id,
          'aria-describedby': describedBy || undefined,
          'aria-invalid': error ? true : undefined,
        })}
      </div>
      {error && (
        <p id={`${id}-error`} className="flex items-start gap-1 text-xs text-bad">
          <Icon of={CircleX} size="small" className="mt-0.5" />
          {error}
        </p>
      )}
      {was !== undefined && <div className="text-xs text-b">was {was}</div>}
      {description !== undefined && (
        <p id={`${id}-description`} className="text-xs text-ink-3">
          {description}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'defaultValue'> & {
  value: string;
  onValue: (value: string) => void;
};

/**
 * The text of a box whose value lives in the URL. The URL answers a keystroke later than the caret needs, so the box
 * shows what is being typed until it loses focus.
 */
function useTyped(value: string, onValue: (value: string) => void) {
  const [draft, setDraft] = useState<string | null>(null);
  return {
    shown: draft ?? value,
    type: (text: string) => {
      setDraft(text);
      onValue(text);
    },
    leave: () => setDraft(null),
  };
}

/** A text box of one line whose value lives in the URL. */
export function TextInput({ value, onValue, className, ...props }: InputProps) {
  const typed = useTyped(value, onValue);
  return (
    <input
      type="text"
      {...props}
      value={typed.shown}
      onChange={(event) => typed.type(event.target.value)}
      onBlur={(event) => {
        typed.leave();
        props.onBlur?.(event);
      }}
      className={classNames(CONTROL, SINGLE_LINE, 'border-line-2', className)}
    />
  );
}

const FEWEST_LINES = 2;
const MOST_LINES = 14;

/** A text box of as many lines as its text has, within bounds, whose value lives in the URL. */
export function TextArea({
  value,
  onValue,
  className,
  ...props
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'defaultValue' | 'rows'> & {
  value: string;
  onValue: (value: string) => void;
}) {
  const typed = useTyped(value, onValue);
  const lines = typed.shown.split('\n').length;
  return (
    <textarea
      {...props}
      spellCheck={false}
      rows={Math.min(MOST_LINES, Math.max(FEWEST_LINES, lines))}
      value={typed.shown}
      onChange={(event) => typed.type(event.target.value)}
      onBlur={(event) => {
        typed.leave();
        props.onBlur?.(event);
      }}
      className={classNames(CONTROL, 'block resize-y border-line-2 py-1 font-mono text-mono', className)}
    />
  );
}

export function Select({
  options,
  onValue,
  className,
  ...props
}: Omit<ComponentProps<'select'>, 'onChange'> & {
  options: readonly { value: string; title: string; disabled?: boolean }[];
  onValue: (value: string) => void;
}) {
  return (
    <select
      {...props}
      onChange={(event) => onValue(event.target.value)}
      className={classNames(CONTROL, SINGLE_LINE, 'border-line-2', className)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.disabled}>
          {option.title}
        </option>
      ))}
    </select>
  );
}

export function Checkbox({
  checked,
  onChecked,
  children,
  ...props
}: Omit<ComponentProps<'input'>, 'type' | 'onChange'> & {
  checked: boolean;
  onChecked: (checked: boolean) => void;
  children: ReactNode;
}) {
  return (
    <label className="inline-flex items-center gap-2 text-sm">
      <input
        {...props}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChecked(event.target.checked)}
        className="size-3.25 accent-ink"
      />
      {children}
    </label>
  );
}
