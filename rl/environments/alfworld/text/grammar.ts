import { AppError } from '@/contract/errors';
import type { Domain } from '../pddl/domain';
import type { SourceText } from '../source-text';
import type { Clause, Derivation, Place, Writer } from './derivation';
import { readTemplate, type Field, type Item, type Piece, type Term } from './template';
import type { GrammarText, RuleText } from './twl2';

/** Texts of an action; `places` are its parameters, in order. */
export interface ActionWriters {
  places: readonly Place[];
  command: Writer;
  feedback: Writer;
}

interface Rule {
  condition: readonly Clause[] | null;
  write: Writer;
}

/** The one rule that differs from game to game. */
const TASK_SYMBOL = 'task';
const DEEPEST_SYMBOL = 60;
const LIST_SYMBOLS = ['list_empty', 'list_separator', 'list_last_separator'] as const;

/**
 * A TextWorld grammar compiled against a domain. Relations are numbered like the domain's predicates; `not_p` of
 * predicate i has number i + the count of predicates.
 */
export class Grammar {
  readonly actions: ReadonlyMap<string, ActionWriters>;
  /** Relations that some text reads. */
  readonly reads = new Set<number>();
  private readonly placeholders = new Map<string, number>();
  private readonly variables = new Map<string, number>();
  private readonly rules = new Map<string, Rule[]>();
  private readonly symbols = new Set<string>();

  /** Throws `invalid_input` naming file and what is unknown: a predicate, a symbol, an action without texts. */
  constructor(
    text: GrammarText,
    private readonly domain: Domain,
    private readonly source: SourceText,
  ) {
    for (const [symbol, ways] of text.rules) this.rules.set(symbol, this.compileRules(symbol, ways));
    this.actions = new Map(
      domain.actions.map(({ name, parameters }) => [name, this.compileAction(name, parameters, text)]),
    );
    const unknown = [...this.symbols].find((symbol) => !this.rules.has(symbol));
    if (unknown !== undefined) throw this.bad(`#${unknown}# is used and has no rule`);
  }

  /** Sizes of a derivation's tables. */
  get sizes(): { placeholders: number; variables: number } {
    return { placeholders: this.placeholders.size, variables: this.variables.size };
  }

  /** Compiles a rule's right-hand side. */
  compile(text: string): Writer {
    const writers = this.readPieces(text).map((piece) => this.compilePiece(piece));
    const [only] = writers;
    if (only && writers.length === 1) return only;
    return (derivation) => {
      let written = '';
      for (const write of writers) written += write(derivation);
      return written;
    };
  }

  /** Writes a symbol by its first rule whose condition holds. Throws where none does, or symbols never end. */
  write(symbol: string, derivation: Derivation): string {
    if (symbol === TASK_SYMBOL && derivation.task) return derivation.task(derivation);
    const rule = this.rules
      .get(symbol)
      ?.find(({ condition }) => !condition || derivation.assign(condition, () => true));
    if (!rule) throw this.bad(`no rule of #${symbol}# applies`);
    if (++derivation.depth > DEEPEST_SYMBOL) throw this.bad(`#${symbol}# never ends`);
    const text = rule.write(derivation);
    derivation.depth--;
    return text;
  }

  private compileRules(symbol: string, ways: readonly RuleText[]): Rule[] {
    return ways.map(({ rhs, condition }) => {
      try {
        return { condition: condition ? this.compileQuery(condition) : null, write: this.compile(rhs) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw new AppError(error.code, `${error.message} (in #${symbol}#)`, error.issues, { cause: error });
      }
    });
  }

  private compileAction(
    name: string,
    parameters: readonly { name: string; type: string }[],
    { actions }: GrammarText,
  ): ActionWriters {
    const text = actions.get(name);
    if (!text) throw this.bad(`there is no action ${name}, which the domain has`);
    const places = parameters.map((parameter) => this.place(parameter.name, parameter.type));
    this.checkTemplate(name, text.template);
    return { places, command: this.compile(text.template), feedback: this.compile(text.feedback) };
  }

  /** A command is written once for each operator, so it may depend on its objects and on what never changes. */
  private checkTemplate(action: string, template: string): void {
    const { fluent } = this.domain;
    for (const piece of this.readPieces(template)) {
      const named = piece.kind === 'each' ? piece.item : piece;
      if (named.kind === 'symbol') throw this.bad(`the template of ${action} uses #${named.name}#`);
      const clauses = piece.kind === 'each' && piece.query !== null ? this.compileQuery(piece.query) : [];
      if (clauses.some(({ relation }) => fluent[relation % fluent.length])) {
        throw this.bad(`the template of ${action} depends on what actions change`);
      }
    }
  }

  private readPieces(text: string): Piece[] {
    try {
      return readTemplate(text);
    } catch (error) {
      throw this.bad(error instanceof Error ? error.message : String(error));
    }
  }

  private compilePiece(piece: Piece): Writer {
    switch (piece.kind) {
      case 'literal':
        return () => piece.text;
      case 'symbol':
        return this.compileSymbol(piece.name);
      case 'each':
        return this.compileEach(piece);
    }
  }

  private compileSymbol(name: string): Writer {
    this.symbols.add(name);
    return (derivation) => this.write(name, derivation);
  }

  private compileEach({ list, item, query }: Piece & { kind: 'each' }): Writer {
    const write = this.compileItem(item);
    const clauses = query === null ? null : this.compileQuery(query);
    if (list) for (const symbol of LIST_SYMBOLS) this.symbols.add(symbol);
    if (!clauses) return write;
    return (derivation) => {
      const items: string[] = [];
      derivation.assign(clauses, () => {
        items.push(write(derivation));
        return false;
      });
      return list ? this.joinList(items, derivation) : items.join('');
    };
  }

  private joinList(items: readonly string[], derivation: Derivation): string {
    const [first] = items;
    if (first === undefined) return this.write('list_empty', derivation);
    if (items.length === 1) return first;
    const separator = this.write('list_separator', derivation);
    return (
      items.slice(0, -1).join(separator) +
      this.write('list_last_separator', derivation) +
      (items.at(-1) ?? '')
    );
  }

  private compileItem(item: Item): Writer {
    if (item.kind === 'symbol') return this.compileSymbol(item.name);
    const terms = item.terms.map((term) => this.compileTerm(term));
    return (derivation) => terms.map((write) => write(derivation)).join('');
  }

  private compileTerm(term: Term): Writer {
    if (term.kind === 'literal') return () => term.text;
    const fields = term.fields.map(({ variable, field }) => ({
      variable: this.variable(variable),
      called: variable,
      field,
    }));
    return (derivation) => {
      for (const { variable, called, field } of fields) {
        const object = derivation.objectOf(variable);
        if (object < 0) throw this.bad(`${called} stands for nothing where a text uses it`);
        const written = writeField(field, object, derivation);
        if (written !== '') return written;
      }
      return '';
    };
  }

  private compileQuery(text: string): Clause[] {
    return text.split('&').map((part) => {
      const found = /^\s*([\w-]+)\s*\(([^()]*)\)\s*$/.exec(part);
      if (!found) throw this.bad(`${JSON.stringify(part.trim())} is not a condition`);
      const [, name = '', list = ''] = found;
      const places = list.split(',').map((place) => {
        const [variable = '', type = variable] = place.split(':').map((word) => word.trim());
        return this.place(variable, type);
      });
      return { relation: this.relation(name, places.length), places };
    });
  }

  private relation(name: string, arity: number): number {
    const { predicates } = this.domain;
    const plain = predicates.index(name);
    const negated = name.startsWith('not_') ? predicates.index(name.slice('not_'.length)) : undefined;
    const predicate = plain ?? negated;
    if (predicate === undefined) throw this.bad(`unknown predicate ${name}`);
    const wanted = predicates.list[predicate]?.arity;
    if (wanted !== arity) throw this.bad(`${name} relates ${wanted} objects, got ${arity}`);
    const relation = plain ?? predicate + predicates.list.length;
    this.reads.add(relation);
    return relation;
  }

  private place(variable: string, type: string): Place {
    const key = `${variable}:${type}`;
    const placeholder = this.placeholders.get(key) ?? this.placeholders.size;
    this.placeholders.set(key, placeholder);
    return { placeholder, variable: this.variable(variable), type };
  }

  private variable(name: string): number {
    const number = this.variables.get(name) ?? this.variables.size;
    this.variables.set(name, number);
    return number;
  }

  private bad(message: string): AppError {
    return new AppError('invalid_input', `${this.source.file}: ${this.source.part}: ${message}`);
  }
}

function writeField(field: Field, object: number, derivation: Derivation): string {
  switch (field) {
    case 'indefinite':
      return 'a';
    case 'definite':
      return 'the';
    case 'name':
      return derivation.names[object] ?? '';
    case 'id':
      return derivation.idOf(object);
  }
}
