import { z } from 'zod';
import type { AppError } from '@/contract/errors';
import { invalidInput } from '@/contract/parse';
import { badSource, excerpt, type SourceText } from '../source-text';

const Rules = z.record(
  z.string(),
  z.array(z.object({ rhs: z.string(), condition: z.string().optional() })).min(1),
);

/** One way to write a symbol; without a condition it always applies. */
export interface RuleText {
  rhs: string;
  condition?: string | undefined;
}

/** How an action is called and answered. */
export interface ActionText {
  template: string;
  feedback: string;
}

/** A grammar file as text: actions by lower-cased name, rules by symbol. */
export interface GrammarText {
  actions: ReadonlyMap<string, ActionText>;
  rules: ReadonlyMap<string, readonly RuleText[]>;
}

/**
 * Reads a TextWorld `.twl2` file: `grammar :: """JSON""";` blocks and `action NAME { template, feedback, grammar }`
 * with `#` comments. A symbol that a later block names again replaces the earlier one. Throws `invalid_input` naming
 * file and line.
 */
export function readTwl2(source: SourceText): GrammarText {
  const reader = new Twl2Reader(source);
  const actions = new Map<string, ActionText>();
  const rules = new Map<string, readonly RuleText[]>();
  for (let word = reader.word(); word !== null; word = reader.word()) {
    if (word === 'grammar') addRules(rules, reader.block('grammar'));
    else if (word === 'action') readAction(reader, actions, rules);
    else throw reader.bad(`expected grammar or action, got ${JSON.stringify(word)}`);
  }
  return { actions, rules };
}

function readAction(
  reader: Twl2Reader,
  actions: Map<string, ActionText>,
  rules: Map<string, readonly RuleText[]>,
): void {
  const name = reader.word();
  if (name === null) throw reader.bad('expected the name of an action');
  const texts = new Map<string, string>();
  reader.expect('{');
  while (!reader.accept('}')) {
    const field = reader.word();
    if (field === 'template' || field === 'feedback') texts.set(field, reader.text());
    else if (field === 'grammar') addRules(rules, reader.block('action'));
    else throw reader.bad(`expected template, feedback or grammar of ${name}, got ${field ?? 'the end'}`);
  }
  const template = texts.get('template');
  const feedback = texts.get('feedback');
  if (template === undefined || feedback === undefined) {
    throw reader.bad(`the action ${name} has no ${template === undefined ? 'template' : 'feedback'}`);
  }
  actions.set(name.toLowerCase(), { template, feedback });
}

function addRules(rules: Map<string, readonly RuleText[]>, block: Record<string, RuleText[]>): void {
  for (const [symbol, ways] of Object.entries(block)) rules.set(symbol, ways);
}

const [HASH, SPACE] = [35, 32];

class Twl2Reader {
  private at = 0;

  constructor(private readonly source: SourceText) {}

  bad(message: string): AppError {
    return badSource(this.source, this.at, message);
  }

  /** The next name; null at the end. */
  word(): string | null {
    this.skip();
    if (this.at >= this.source.text.length) return null;
    return this.match(/[\w/-]+/y, 'a name');
  }

  accept(token: string): boolean {
    this.skip();
    if (!this.source.text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) throw this.bad(`expected ${token}, got ${excerpt(this.source, this.at)}`);
  }

  /** `:: "text";` */
  text(): string {
    this.expect('::');
    this.skip();
    const quoted = this.match(/"[^"]*"/y, 'a text in quotes');
    this.expect(';');
    return quoted.slice(1, -1);
  }

  /** `:: """JSON""";`. In an action's block, lines that start with `#` are comments. */
  block(within: 'grammar' | 'action'): Record<string, RuleText[]> {
    this.expect('::');
    this.skip();
    const start = this.at;
    const quoted = this.match(/"""[^]*?"""/y, 'a block in triple quotes').slice(3, -3);
    this.expect(';');
    const json = within === 'action' ? quoted.replace(/^[ \t]*#.*$/gm, '') : quoted;
    const parsed = Rules.safeParse(parseJson(json, (message) => badSource(this.source, start, message)));
    if (parsed.success) return parsed.data;
    throw badSource(this.source, start, invalidInput(parsed.error, 'the block').message);
  }

  private match(pattern: RegExp, what: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source.text)?.[0];
    if (found === undefined) throw this.bad(`expected ${what}, got ${excerpt(this.source, this.at)}`);
    this.at += found.length;
    return found;
  }

  private skip(): void {
    const { text } = this.source;
    for (; this.at < text.length; this.at++) {
      const code = text.charCodeAt(this.at);
      if (code === HASH) {
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end;
      } else if (code > SPACE) return;
    }
  }
}

function parseJson(text: string, bad: (message: string) => AppError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw bad(`the block is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
