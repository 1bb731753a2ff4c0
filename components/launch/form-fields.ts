import { z } from 'zod';

interface FieldBase {
  /** Dotted path within the config. */
  path: string;
  title: string;
  description: string;
  /** The config's part that holds it; empty for what stands at the top. */
  section: string;
}

/** A setting as a form shows it. */
export type FormField = FieldBase &
  (
    | { kind: 'number'; integer: boolean; min: number | null; max: number | null; above: number | null }
    | { kind: 'text' }
    | { kind: 'switch' }
    | { kind: 'choice'; options: readonly string[] }
    | { kind: 'choices'; options: readonly string[] }
    | { kind: 'rows'; columns: readonly FormField[] }
    | { kind: 'constant'; value: string }
  );

/** What is read of a JSON Schema. */
interface Schema {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

/**
 * The fields of a config's schema, in its order. Throws where the schema holds a shape that no field shows, so
 * that a setting never goes missing from the form in silence.
 */
export function formFields(config: z.ZodType): FormField[] {
  // Zod's JSON Schema type covers every draft; these are the keywords that it writes.
  return fieldsOf(z.toJSONSchema(config, { io: 'input' }) as Schema, '', '');
}

function fieldsOf(schema: Schema, path: string, section: string): FormField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = path ? `${path}.${name}` : name;
    return property.properties
      ? fieldsOf(property, at, section || name)
      : [toField(property, at, name, section)];
  });
}

function toField(schema: Schema, path: string, name: string, section: string): FormField {
  const base = { path, title: titleOf(name), description: schema.description ?? '', section };
  if (schema.const !== undefined) return { ...base, kind: 'constant', value: String(schema.const) };
  if (schema.enum) return { ...base, kind: 'choice', options: schema.enum.map(String) };
  if (schema.type === 'boolean') return { ...base, kind: 'switch' };
  if (schema.type === 'string') return { ...base, kind: 'text' };
  if (schema.type === 'number' || schema.type === 'integer')
    return {
      ...base,
      kind: 'number',
      integer: schema.type === 'integer',
      min: schema.minimum ?? null,
      max: schema.maximum ?? null,
      above: schema.exclusiveMinimum ?? null,
    };
  if (schema.type === 'array' && schema.items?.enum)
    return { ...base, kind: 'choices', options: schema.items.enum.map(String) };
  if (schema.type === 'array' && schema.items?.properties)
    return { ...base, kind: 'rows', columns: fieldsOf(schema.items, '', '') };
  throw new Error(`the form has no field for ${path}: ${JSON.stringify(schema)}`);
}

/** `learningRate` -> `Learning rate`. */
export function titleOf(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a field's key, title or description holds every word. */
export function matchesField(field: FormField, text: string): boolean {
  const haystack = `${field.path} ${field.title} ${field.description}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
