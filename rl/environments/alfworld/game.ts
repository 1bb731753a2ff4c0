import { AppError } from '@/contract/errors';
import type { GameFile } from './game-file';
import type { Logic, LogicCache } from './logic';
import { constantsOf, JoinCompiler, type Binding, type Test } from './pddl/join';
import { ObjectTable } from './pddl/objects';
import { emptyBinding, ground, predicatesOf, type CompiledAction, type Operator } from './pddl/operator';
import { readProblem, type Problem } from './pddl/problem';
import { Relation } from './pddl/relation';
import { packFact, State } from './pddl/state';
import type { SourceText } from './source-text';
import { Derivation, type TextFacts, type Writer } from './text/derivation';
import { nameObjects } from './text/names';

/** An operator with the command that calls it. */
export interface Offer {
  operator: Operator;
  command: string;
}

/** Ways that an action's objects may be found in one state; real games have at most some hundreds. */
const MOST_WAYS = 100_000;

/** A game compiled: everything that its plays share. */
export class Game {
  readonly objects: ObjectTable;
  /** What texts call each object. */
  readonly names: readonly string[];
  readonly initial: State;
  readonly goal: Problem['goal'];
  /** Writes the task line; null where the grammar has a rule of its own. */
  readonly task: Writer | null;
  /** Predicates that can change and that an action, the goal or a text depends on. */
  readonly telling: readonly number[];
  private readonly goalTest: Test;
  private readonly goalBinding: Binding;
  /** By action, then by the numbers of the parameters' objects; null where there is no such operator. */
  private readonly offers: Map<string, Offer | null>[];
  private readonly bindings: readonly Binding[];

  private constructor(
    readonly file: string,
    readonly logic: Logic,
    problem: Problem,
    task: string | null,
  ) {
    const { domain, grammar, actions } = logic;
    this.objects = new ObjectTable(problem.objects, domain.types, file);
    this.initial = initialState(problem, this.objects, logic);
    this.names = nameObjects(this.objects.names, mentioned(this.initial));
    this.goal = problem.goal;
    this.goalTest = new JoinCompiler(problem.goal.scope, domain.fluent).test(problem.goal.condition);
    this.goalBinding = constantsOf(problem.goal.scope, (name) => this.objects.number(name));
    this.task = task === null ? null : grammar.compile(task);
    this.telling = tellingPredicates(logic, problem);
    this.offers = actions.map(() => new Map());
    this.bindings = actions.map((action) => emptyBinding(action, this.objects));
  }

  /**
   * Compiles a game; its domain and grammar come from the cache where another game has the same. Throws
   * `invalid_input` naming file, part and line.
   */
  static compile(content: GameFile, file: string, cache: LogicCache): Game {
    const part = (name: 'pddl_domain' | 'grammar' | 'pddl_problem'): SourceText => ({
      file,
      part: name,
      text: content[name],
    });
    const { logic, task } = cache.compile(part('pddl_domain'), part('grammar'));
    return new Game(file, logic, readProblem(part('pddl_problem'), logic.domain), task);
  }

  isWon(state: State): boolean {
    return this.goalTest(state, this.goalBinding);
  }

  /** A derivation of texts from some facts. */
  derivation(facts: TextFacts): Derivation {
    return new Derivation(facts, this.names, this.objects, this.logic.grammar.sizes, this.file, this.task);
  }

  /**
   * What an action offers in a state, by its objects' numbers; each operator once. Throws `too_large` where a precondition
   * leaves more open than a game can offer.
   */
  offersOf(index: number, state: State, facts: TextFacts): Offer[] {
    const action = this.logic.actions[index];
    const binding = this.bindings[index];
    const known = this.offers[index];
    if (!action || !binding || !known) throw new AppError('internal', `there is no action ${index}`);
    const parameters = action.action.parameters.length;
    const found = new Map<string, Offer>();
    let ways = 0;
    action.search(state, binding, () => {
      if (++ways > MOST_WAYS) {
        const { name } = action.action;
        throw new AppError(
          'too_large',
          `${this.file}: pddl_domain: ${name} can be taken in over ${MOST_WAYS} ways`,
        );
      }
      const key = String.fromCharCode(...binding.subarray(0, parameters));
      if (found.has(key)) return false;
      let offer = known.get(key);
      if (offer === undefined) known.set(key, (offer = this.offer(action, binding, facts)));
      if (offer) found.set(key, offer);
      return false;
    });
    return [...found.values()];
  }

  private offer(action: CompiledAction, binding: Binding, facts: TextFacts): Offer | null {
    const operator = ground(action, binding, this.objects);
    return operator && { operator, command: this.write(operator, facts, 'command') };
  }

  /** The text of an operator: what calls it, or what it answers. */
  write({ action, binding }: Operator, facts: TextFacts, text: 'command' | 'feedback'): string {
    const writers = this.logic.grammar.actions.get(action.name);
    if (!writers) throw new AppError('internal', `the action ${action.name} has no texts`);
    const derivation = this.derivation(facts);
    writers.places.forEach((place, slot) => derivation.choose(place, binding[slot] ?? -1));
    return writers[text](derivation);
  }
}

function initialState(problem: Problem, objects: ObjectTable, { domain }: Logic): State {
  const state = new State(
    objects,
    domain.predicates.list.map(({ arity }) => new Relation(arity)),
  );
  const facts = problem.init.map(({ predicate, objects: named }) => ({
    predicate,
    fact: packFact(
      named.map((name) => objects.number(name)),
      objects.count,
    ),
  }));
  // In order of the keys, so that each is appended.
  facts.sort((left, right) => left.fact.key - right.fact.key);
  for (const { predicate, fact } of facts) state.relation(predicate).add(fact);
  return state;
}

function tellingPredicates({ domain, actions, grammar }: Logic, { goal }: Problem): number[] {
  const tests = domain.actions.flatMap(({ effects }) => effects.flatMap(({ condition }) => condition ?? []));
  const read = new Set([
    ...actions.flatMap(({ reads }) => reads),
    ...[goal.condition, ...tests].flatMap(predicatesOf),
    ...grammar.reads,
  ]);
  return domain.fluent.flatMap((changes, predicate) => (changes && read.has(predicate) ? [predicate] : []));
}

/** Objects of some fact. */
function mentioned(state: State): Set<number> {
  const objects = new Set<number>();
  for (const relation of state.relations)
    for (const fact of relation.all()) for (const object of fact.objects) objects.add(object);
  return objects;
}
