import { valueAtPath, withValue } from './config-path';
import type { FormField, Variant, VariantField } from './form-fields';

/** The variant that a config has, null where it names none that is known. */
export function variantOf(field: VariantField, config: unknown): Variant | null {
  const id = valueAtPath(config, field.path);
  return field.variants.find((variant) => variant.id === id) ?? null;
}

/** The fields that a config has: of each variant field the chosen variant's, after the choice itself. */
export function shownFields(fields: readonly FormField[], config: unknown): FormField[] {
  return fields.flatMap((field) =>
    field.kind === 'variant'
      ? [field, ...shownFields(variantOf(field, config)?.fields ?? [], config)]
      : [field],
  );
}

/** Every field of every variant; variants may share paths. */
export function everyField(fields: readonly FormField[]): FormField[] {
  return fields.flatMap((field) =>
    field.kind === 'variant'
      ? [field, ...field.variants.flatMap((variant) => everyField(variant.fields))]
      : [field],
  );
}

/**
 * A config with the variants chosen by path: a part of another variant is replaced by that variant's defaults. An
 * id that is not known is put in as it is, so that the schema refuses it by name.
 */
export function withVariants(
  config: unknown,
  fields: readonly FormField[],
  chosen: ReadonlyMap<string, string>,
): unknown {
  return fields.reduce<unknown>((whole, field) => {
    const id = field.kind === 'variant' ? chosen.get(field.path) : undefined;
    if (field.kind !== 'variant' || id === undefined || id === valueAtPath(whole, field.path)) return whole;
    const variant = field.variants.find((each) => each.id === id);
    return variant ? withValue(whole, field.part, variant.defaults) : withValue(whole, field.path, id);
  }, config);
}

/** The chosen id of each variant field, by path. */
export function chosenVariants(fields: readonly FormField[], config: unknown): Map<string, string> {
  return new Map(
    fields.flatMap((field) => {
      const variant = field.kind === 'variant' ? variantOf(field, config) : null;
      return variant ? [[field.path, variant.id] as const] : [];
    }),
  );
}
