import { z } from 'zod';

/** The parts of a scaffold's wording: what each is, and the placeholders that its text may hold. */
export type TemplateParts = Readonly<
  Record<string, { readonly about: string; readonly placeholders: readonly string[] }>
>;

/** Texts that replace a scaffold's own, by part. */
export type Template<Parts extends TemplateParts> = { readonly [Name in keyof Parts]?: string };

/** Longest text of a part, in UTF-16 code units. */
const LONGEST_PART = 20_000;

/** `{{name}}` is the text `{name}`; `{name}` is a placeholder; any other brace stands for itself, as in JSON. */
const BRACED = /\{\{([a-z_]+)\}\}|\{([a-z_]+)\}/g;

/** A text cut at its placeholders, in order. */
export type TemplateSegment = { text: string } | { placeholder: string };

/** Cuts a part's text at its placeholders, whatever they are called. */
export function splitTemplate(text: string): TemplateSegment[] {
  const segments: TemplateSegment[] = [];
  let end = 0;
  for (const match of text.matchAll(BRACED)) {
    const [braced, literal, placeholder] = match;
    segments.push({ text: text.slice(end, match.index) });
    segments.push(placeholder === undefined ? { text: `{${literal}}` } : { placeholder });
    end = match.index + braced.length;
  }
  return [...segments, { text: text.slice(end) }];
}

/** What is wrong with a part's text: a placeholder that the part does not know; null where nothing is. */
export function templateFault(text: string, placeholders: readonly string[]): string | null {
  for (const segment of splitTemplate(text)) {
    if (!('placeholder' in segment) || placeholders.includes(segment.placeholder)) continue;
    const { placeholder } = segment;
    return `unknown placeholder {${placeholder}}: ${listed(placeholders)}; {{${placeholder}}} is the text itself`;
  }
  return null;
}

function listed(placeholders: readonly string[]): string {
  if (placeholders.length === 0) return 'this part has none';
  return `this part has ${placeholders.map((name) => `{${name}}`).join(', ')}`;
}

/** A sentence that names a part that there is not, and those that there are. */
export function unknownPart(name: string, parts: TemplateParts): string {
  return `unknown part ${name}; parts: ${Object.keys(parts).join(', ')}`;
}

/** Schema of a template: any of the parts, each with known placeholders only. Descriptions are the form's texts. */
export function templateSchema<Parts extends TemplateParts>(parts: Parts) {
  const shape = Object.fromEntries(
    Object.entries(parts).map(([name, { about, placeholders }]) => [name, partSchema(about, placeholders)]),
  );
  // `Object.fromEntries` forgets which keys it was given.
  return z.strictObject(shape as { [Name in keyof Parts]: ReturnType<typeof partSchema> }, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownPart(issue.keys.join(', '), parts) : undefined,
  });
}

function partSchema(about: string, placeholders: readonly string[]) {
  return z
    .string()
    .max(LONGEST_PART)
    .superRefine((text, context) => {
      const message = templateFault(text, placeholders);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe(placeholders.length ? `${about}; ${listed(placeholders)}` : about);
}
