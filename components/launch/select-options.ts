import type { FormField, Variant } from './form-fields';
import { PRESENT } from './variants';

type SelectField = FormField & { kind: 'switch' | 'choice' | 'variant' | 'optional' };

/** Options that cannot be chosen as the other settings are, each with why. */
export type UnsuitableOptions = ReadonlyMap<string, string>;

interface SelectOption {
  value: string;
  title: string;
  disabled?: boolean;
}

/** What can be chosen; a value that cannot be is shown all the same, so that the page never shows another. */
export function selectOptions(
  field: SelectField,
  text: string,
  unsuitable: UnsuitableOptions = new Map(),
): SelectOption[] {
  const none = field.empty === 'text' ? [] : [{ value: '', title: 'none' }];
  const options = [...none, ...optionsOf(field)].map((option) => {
    const reason = unsuitable.get(option.value);
    return reason === undefined
      ? option
      : { ...option, title: `${option.title} (${reason})`, disabled: true };
  });
  if (options.some(({ value }) => value === text)) return options;
  return [...options, { value: text, title: unknownTitle(text), disabled: true }];
}

function optionsOf(field: SelectField): { value: string; title: string }[] {
  switch (field.kind) {
    case 'switch':
      return [
        { value: 'true', title: 'on' },
        { value: 'false', title: 'off' },
      ];
    case 'choice':
      return field.options.map((option) => ({ value: option, title: option }));
    case 'variant':
      return field.variants.map(({ id, title }) => ({ value: id, title }));
    case 'optional':
      return [{ value: PRESENT, title: 'as below' }];
  }
}

export function variantTitle(variants: readonly Variant[], id: string): string {
  return variants.find((variant) => variant.id === id)?.title ?? unknownTitle(id);
}

function unknownTitle(text: string): string {
  return `${text || 'nothing'} (not known here)`;
}
