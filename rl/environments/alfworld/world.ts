import { fnv1a64 } from '../split-hash';
import type { Game, Offer } from './game';
import type { Operator } from './pddl/operator';
import { Relation, type Fact } from './pddl/relation';
import type { State } from './pddl/state';
import type { TextFacts } from './text/derivation';

/** Every command that can be given now, in order of code points, and the operator each calls. */
export interface Admissible {
  commands: readonly string[];
  byCommand: ReadonlyMap<string, Offer>;
}

type Offers = readonly (readonly Offer[])[];

/** What each game offers at its start, which all its plays share. */
const STARTS = new WeakMap<Game, { offers: Offers; admissible: Admissible }>();

/** A game in play. */
export class World {
  private constructor(
    readonly game: Game,
    readonly state: State,
    private readonly facts: TextFacts,
    /** By action. */
    private offers: Offers,
    private current: Admissible,
  ) {}

  /** The start of a game. */
  static start(game: Game): World {
    const { domain, actions } = game.logic;
    const state = game.initial.copy(domain.fluent);
    const facts = startingFacts(game, state);
    let first = STARTS.get(game);
    if (!first) {
      const offers = actions.map((_action, index) => game.offersOf(index, state, facts));
      STARTS.set(game, (first = { offers, admissible: admissibleOf(offers) }));
    }
    return new World(game, state, facts, first.offers, first.admissible);
  }

  get admissible(): Admissible {
    return this.current;
  }

  get won(): boolean {
    return this.game.isWon(this.state);
  }

  /** The first text of the game, with its task. */
  intro(): string {
    return this.game.logic.grammar.write('intro', this.game.derivation(this.facts));
  }

  /** The task line alone. */
  taskLine(): string {
    return this.game.logic.grammar.write('task', this.game.derivation(this.facts));
  }

  /** Gives a command; null, with nothing changed, where it is not admissible. */
  command(text: string): string | null {
    const offer = this.current.byCommand.get(text);
    return offer ? this.take(offer.operator) : null;
  }

  /** Applies an operator that is offered now and answers its text. */
  take(operator: Operator): string {
    const changed = this.apply(operator);
    const feedback = this.game.write(operator, this.facts, 'feedback');
    this.refresh(changed);
    return feedback;
  }

  /** The admissible commands, every action joined anew: what the kept lists must equal at any time. */
  joinAfresh(): Admissible {
    const { actions } = this.game.logic;
    return admissibleOf(actions.map((_action, index) => this.game.offersOf(index, this.state, this.facts)));
  }

  /** What an action offers now. */
  offersOf(action: string): readonly Offer[] {
    const index = this.game.logic.domain.actions.findIndex(({ name }) => name === action);
    return this.offers[index] ?? [];
  }

  /** A world that goes on by itself. */
  copy(): World {
    const { domain, textOnly } = this.game.logic;
    const state = this.state.copy(domain.fluent);
    const facts = this.facts.map((relation, index) =>
      textOnly.has(index) ? relation?.copy() : state.relations[index],
    );
    return new World(this.game, state, facts, this.offers, this.current);
  }

  /** 64-bit FNV-1a, as 16 hexadecimal digits, of the facts that an action, the goal or a text can depend on. */
  hash(): string {
    const { telling, logic } = this.game;
    const relations = [
      ...telling.map((predicate) => this.state.relation(predicate)),
      ...[...logic.textOnly].map((relation) => this.facts[relation]),
    ];
    return fnv1a64(
      relations
        .map((relation) =>
          relation
            ?.all()
            .map(({ key }) => key)
            .join(' '),
        )
        .join('\n'),
    );
  }

  /** Predicates whose facts changed. */
  private apply({ changes, binding }: Operator): Set<number> {
    const { state, facts } = this;
    const { domain, textOnly } = this.game.logic;
    const changed = new Set<number>();
    const firing = changes.filter(({ test }) => !test || test(state, binding));
    // A fact that is both deleted and added stays.
    for (const adding of [false, true])
      for (const { predicate, fact, adds } of firing)
        if (adds === adding && setFact(state.relation(predicate), fact, adds)) changed.add(predicate);
    for (const { predicate, fact, adds } of changes) {
      const negated = predicate + domain.predicates.list.length;
      if (textOnly.has(predicate)) setFact(facts[predicate], fact, adds);
      if (textOnly.has(negated)) setFact(facts[negated], fact, !adds);
    }
    return changed;
  }

  private refresh(changed: ReadonlySet<number>): void {
    const { actions } = this.game.logic;
    let fresh = false;
    const offers = this.offers.map((known, index) => {
      const reads = actions[index]?.reads ?? [];
      if (!reads.some((predicate) => changed.has(predicate))) return known;
      fresh = true;
      return this.game.offersOf(index, this.state, this.facts);
    });
    if (!fresh) return;
    this.offers = offers;
    this.current = admissibleOf(offers);
  }
}

/** Relation i is predicate i, relation i + count its `not_`; those that texts keep apart are copies. */
function startingFacts({ logic }: Game, state: State): TextFacts {
  const { list } = logic.domain.predicates;
  const plain = state.relations.map((relation, index) =>
    logic.textOnly.has(index) ? relation.copy() : relation,
  );
  const negated = list.map(({ arity }, index) =>
    logic.textOnly.has(index + list.length) ? new Relation(arity) : undefined,
  );
  return [...plain, ...negated];
}

/** Whether the relation changed. */
function setFact(relation: Relation | undefined, fact: Fact, holds: boolean): boolean {
  if (!relation) return false;
  return holds ? relation.add(fact) : relation.delete(fact);
}

/** Of commands that are alike, the first is the one that is called. */
function admissibleOf(offers: Offers): Admissible {
  const byCommand = new Map<string, Offer>();
  for (const list of offers)
    for (const offer of list) if (!byCommand.has(offer.command)) byCommand.set(offer.command, offer);
  return { commands: [...byCommand.keys()].sort(byCodePoint), byCommand };
}

/** As Python sorts: surrogates, which UTF-16 has below the last of the basic plane, come after it. */
function byCodePoint(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let at = 0; at < shorter; at++) {
    const [unit, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (unit === other) continue;
    const isHigh = (code: number) => code >= 0xd800 && code <= 0xdfff;
    return isHigh(unit) === isHigh(other) ? unit - other : isHigh(unit) ? 1 : -1;
  }
  return left.length - right.length;
}
