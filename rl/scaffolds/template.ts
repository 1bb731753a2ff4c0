import { AppError } from '@/contract/errors';
import {
  splitTemplate,
  templateFault,
  unknownPart,
  type Template,
  type TemplateParts,
} from '@/contract/prompt-template';

/** A part's text with its placeholders filled. */
export type PartText<Placeholder extends string> = (
  values: Readonly<Record<Placeholder, string | number>>,
) => string;

/** A scaffold's wording, ready to be filled. */
export type Wording<Parts extends TemplateParts> = {
  readonly [Name in keyof Parts]: PartText<Parts[Name]['placeholders'][number]>;
};

/** The texts of every part. */
export type WordingTexts<Parts extends TemplateParts> = { readonly [Name in keyof Parts]: string };

/**
 * A scaffold's own texts with those of a template in their place. Throws `invalid_input` where the template names a
 * part or a placeholder that there is not.
 */
export function wordingOf<Parts extends TemplateParts>(
  parts: Parts,
  own: WordingTexts<Parts>,
  template: Template<Parts> = {},
): Wording<Parts> {
  const unknown = Object.keys(template).find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new AppError('invalid_input', `template: ${unknownPart(unknown, parts)}`);
  const filled = Object.entries(parts).map(([name, { placeholders }]) => {
    const text = template[name] ?? own[name] ?? '';
    const fault = templateFault(text, placeholders);
    if (fault) throw new AppError('invalid_input', `template.${name}: ${fault}`);
    return [name, partText(text)];
  });
  // `Object.fromEntries` forgets which keys it was given.
  return Object.fromEntries(filled) as Wording<Parts>;
}

/** Cut once, for a prompt is filled at every turn. */
function partText(text: string): PartText<string> {
  const segments = splitTemplate(text);
  return (values) =>
    segments
      .map((segment) => ('text' in segment ? segment.text : String(values[segment.placeholder] ?? '')))
      .join('');
}

/** Wording of a list of available actions. */
interface ListWording {
  availableAction: PartText<'action'>;
  actionSeparator: PartText<never>;
}

export function listActions(actions: readonly string[], wording: ListWording): string {
  return actions.map((action) => wording.availableAction({ action })).join(wording.actionSeparator({}));
}
