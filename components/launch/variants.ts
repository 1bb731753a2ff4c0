import { valueAtPath, withValue } from './config-path';
import type { FormField, Variant, VariantField } from './form-fields';
import { isRecord } from './record';

/** The text of an optional part that is there; one that is not is empty. */
export const PRESENT = 'set';

/** The variant that a config has, null where it names none that is known. */
export function variantOf(field: VariantField, config: unknown): Variant | null {
  const id = valueAtPath(config, field.path);
  return field.variants.find((variant) => variant.id === id) ?? null;
}

/** The fields that a config has: those of chosen variants and of optional parts that are there, after the choice. */
export function shownFields(fields: readonly FormField[], config: unknown): FormField[] {
  return fields.flatMap((field) => [field, ...shownFields(fieldsWithin(field, config), config)]);
}

function fieldsWithin(field: FormField, config: unknown): readonly FormField[] {
  if (field.kind === 'variant') return variantOf(field, config)?.fields ?? [];
  return field.kind === 'optional' && isRecord(valueAtPath(config, field.path)) ? field.fields : [];
}

/** Every field of every variant and optional part; variants may share paths. */
export function everyField(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) => {
    if (field.kind === 'optional') return [field, ...everyField(field.fields)];
    return field.kind === 'variant'
      ? [field, ...field.variants.flatMap((variant) => everyField(variant.fields))]
      : [field];
  });
}

/**
 * A config with what is chosen by path. A part of another variant is replaced by that variant's defaults; an id that is
 * not known is put in as it is, so that the schema refuses it by name. An optional part becomes null where the choice is
 * empty, and starts from its defaults where it was null.
 */
export function withVariants(
  config: unknown,
  fields: readonly FormField[],
  chosen: ReadonlyMap<string, string>,
): unknown {
  return fields.reduce<unknown>((whole, field) => {
    const id = chosen.get(field.path);
    if (field.kind === 'optional' && id !== undefined) return withOptional(whole, field, id);
    if (field.kind !== 'variant' || id === undefined || id === valueAtPath(whole, field.path)) return whole;
    const variant = field.variants.find((each) => each.id === id);
    return variant ? withValue(whole, field.part, variant.defaults) : withValue(whole, field.path, id);
  }, config);
}

function withOptional(config: unknown, field: FormField & { kind: 'optional' }, text: string): unknown {
  if (text !== PRESENT) return withValue(config, field.path, text === '' ? null : text);
  return isRecord(valueAtPath(config, field.path)) ? config : withValue(config, field.path, field.defaults);
}

/** The choice that a config has made, by path: of each variant field its id, of an optional part whether it is there. */
export function chosenVariants(fields: readonly FormField[], config: unknown): Map<string, string> {
  return new Map(
    fields.flatMap((field) => {
      if (field.kind === 'optional')
        return [[field.path, optionalText(valueAtPath(config, field.path))] as const];
      const variant = field.kind === 'variant' ? variantOf(field, config) : null;
      return variant ? [[field.path, variant.id] as const] : [];
    }),
  );
}

/** What an optional part's control and the URL carry: whether it is there. */
export function optionalText(part: unknown): string {
  return isRecord(part) ? PRESENT : '';
}
