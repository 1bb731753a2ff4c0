import { z } from 'zod';
import { ENVIRONMENTS } from '@/contract/environments/registry';
import { SCAFFOLDS } from '@/contract/scaffolds';
import { titleOf } from './field-title';

interface FieldBase {
  /** Dotted path within the config. */
  path: string;
  title: string;
  description: string;
  /** The config's part that holds it; empty for what stands at the top. */
  section: string;
  /** Id of the variant that has it, since variants may share paths; null where every config has it. */
  variant: string | null;
  /** What an empty box stands for: the empty text itself, null, or no such key. */
  empty: 'text' | 'null' | 'absent';
}

/** A setting as a form shows it. */
export type FormField = FieldBase &
  (
    | { kind: 'number'; integer: boolean; min: number | null; max: number | null; above: number | null }
    | { kind: 'text'; multiline: boolean }
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly string[] }
    | { kind: 'choices'; options: readonly string[] }
    | { kind: 'rows'; columns: readonly FormField[] }
    /** Texts by name; `names` lists those that there can be, null where any will do. */
    | { kind: 'parts'; names: readonly PartName[] | null; multiline: boolean }
    /** Which shape the config's part at path `part` has. */
    | { kind: 'variant'; part: string; variants: readonly Variant[] }
    /** A part that may be null. Where it is there it has `fields`, and it starts as `defaults`. */
    | { kind: 'optional'; defaults: Readonly<Record<string, unknown>>; fields: readonly FormField[] }
    | { kind: 'constant'; value: string }
  );

/** A text that a part may have, and what it is for. */
export interface PartName {
  name: string;
  about: string;
}

export type VariantField = FormField & { kind: 'variant' };

/** One shape of a part of a config, told apart by its `id`. */
export interface Variant {
  id: string;
  title: string;
  /** Values that the part starts from when this shape is chosen. */
  defaults: unknown;
  /** Its settings, without the `id`. */
  fields: readonly FormField[];
}

type VariantWords = Readonly<Record<string, { title: string; defaults: unknown }>>;

/** Titles and defaults of variants, by the path of the part that they are shapes of. */
const KNOWN_VARIANTS: Readonly<Record<string, VariantWords>> = {
  environment: ENVIRONMENTS,
  scaffold: SCAFFOLDS,
};

/** What is read of a JSON Schema. */
interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
}

/** Texts that may be longer than this have a box of several lines. */
const LONGEST_LINE = 400;

/**
 * The fields of a config's schema, in its order, with those of every variant. Throws where the schema holds a shape
 * that no field shows, so that a setting never goes missing from the form in silence.
 */
export function formFields(config: z.ZodType, variants = KNOWN_VARIANTS): FormField[] {
  // Zod's JSON Schema type covers every draft; these are the keywords that it writes.
  return new SchemaReader(variants).fieldsOf(z.toJSONSchema(config, { io: 'input' }) as Schema, '', '');
}

class SchemaReader {
  constructor(private readonly variants: Readonly<Record<string, VariantWords>>) {}

  fieldsOf(schema: Schema, path: string, section: string): FormField[] {
    return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const at = path ? `${path}.${name}` : name;
      if (property.properties && !isOptionalTexts(property))
        return this.fieldsOf(property, at, section || name);
      if (property.oneOf) return [this.toVariantField(property, property.oneOf, at, section || name)];
      const required = schema.required?.includes(name) ?? false;
      return [this.toField(property, at, name, section, required)];
    });
  }

  private toVariantField(
    { description = '' }: Schema,
    shapes: readonly Schema[],
    part: string,
    section: string,
  ): FormField {
    const variants = shapes.map((shape): Variant => {
      const { id, ...properties } = shape.properties ?? {};
      const variant = String(id?.const);
      const known = this.variants[part]?.[variant];
      if (!known) throw new Error(`the form knows no variant ${variant} of ${part}`);
      const fields = this.fieldsOf({ ...shape, properties }, part, section);
      return {
        id: variant,
        title: known.title,
        defaults: known.defaults,
        fields: fields.map((field) => ({ ...field, variant })),
      };
    });
    const title = titleOf(part.slice(part.lastIndexOf('.') + 1));
    return {
      kind: 'variant',
      path: `${part}.id`,
      part,
      title,
      description,
      section,
      variant: null,
      empty: 'text',
      variants,
    };
  }

  private toField(
    nullableSchema: Schema,
    path: string,
    name: string,
    section: string,
    required: boolean,
  ): FormField {
    const { schema, nullable } = withoutNull(nullableSchema);
    const base: FieldBase = {
      path,
      title: titleOf(name),
      description: nullableSchema.description ?? schema.description ?? '',
      section,
      variant: null,
      empty: nullable ? 'null' : required ? 'text' : 'absent',
    };
    if (nullable && schema.properties && !isOptionalTexts(schema)) {
      const part = { ...base, section: section || name };
      const fields = this.fieldsOf(schema, path, part.section);
      return { ...part, kind: 'optional', defaults: defaultsOf(schema), fields };
    }
    if (schema.const !== undefined) return { ...base, kind: 'constant', value: String(schema.const) };
    if (schema.enum) return { ...base, kind: 'choice', options: schema.enum.map(String) };
    if (schema.type === 'boolean') return { ...base, kind: 'switch' };
    if (schema.type === 'string') return { ...base, kind: 'text', multiline: isLongText(schema) };
    if (schema.type === 'number' || schema.type === 'integer') return { ...base, ...numberBounds(schema) };
    if (schema.type === 'array' && schema.items?.enum)
      return { ...base, kind: 'choices', options: schema.items.enum.map(String) };
    if (schema.type === 'array' && schema.items?.properties)
      return { ...base, kind: 'rows', columns: this.fieldsOf(schema.items, '', '') };
    const parts = schema.type === 'object' ? partsOf(schema) : null;
    if (parts) return { ...base, ...parts };
    throw new Error(`the form has no field for ${path}: ${JSON.stringify(schema)}`);
  }
}

/** A schema and whether it also takes null, which Zod writes as a list of types or as one of two schemas. */
function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { schema: { ...schema, type: types[0] ?? 'null' }, nullable: types.length < schema.type.length };
  }
  const others = schema.anyOf?.filter((each) => each.type !== 'null');
  const [only] = others ?? [];
  return only && others?.length === 1 ? { schema: only, nullable: true } : { schema, nullable: false };
}

/** The values that an object's schema gives where none is typed. */
function defaultsOf({ properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Bounds of a number; those of every safe integer say nothing and are left out. */
function numberBounds({ type, minimum, maximum, exclusiveMinimum }: Schema) {
  const bound = (value: number | undefined) =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? null : value;
  return {
    kind: 'number',
    integer: type === 'integer',
    min: bound(minimum),
    max: bound(maximum),
    above: bound(exclusiveMinimum),
  } as const;
}

/** Whether an object holds nothing but texts, each of which may be left out. */
function isOptionalTexts({ properties = {}, required = [] }: Schema): boolean {
  return required.length === 0 && Object.values(properties).every(isAnyText);
}

function isAnyText(schema: Schema): boolean {
  return schema.type === 'string' && schema.enum === undefined && schema.const === undefined;
}

function isLongText({ maxLength = 0 }: Schema): boolean {
  return maxLength > LONGEST_LINE;
}

/** Named texts, from an object whose texts may all be left out or from a record of texts; null for another shape. */
function partsOf({ properties, required, additionalProperties, propertyNames }: Schema) {
  if (properties && isOptionalTexts({ properties, required }))
    return {
      kind: 'parts',
      names: Object.entries(properties).map(([name, { description = '' }]) => ({ name, about: description })),
      multiline: Object.values(properties).some(isLongText),
    } as const;
  if (typeof additionalProperties !== 'object' || !isAnyText(additionalProperties)) return null;
  return {
    kind: 'parts',
    names: propertyNames?.enum?.map((name) => ({ name: String(name), about: '' })) ?? null,
    multiline: isLongText(additionalProperties),
  } as const;
}

/** Whether a field's key, title or description holds every word. */
export function matchesField(field: FormField, text: string): boolean {
  const haystack = `${field.path} ${field.title} ${field.description}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
