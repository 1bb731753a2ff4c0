import { readDomain, type Domain } from './pddl/domain';
import { compileActions, type CompiledAction } from './pddl/operator';
import { RecentlyUsed } from './recently-used';
import type { SourceText } from './source-text';
import { Grammar } from './text/grammar';
import { readTwl2 } from './text/twl2';

/** What games have in common: rules and words, compiled. */
export interface Logic {
  domain: Domain;
  actions: readonly CompiledAction[];
  grammar: Grammar;
  /**
   * Relations that texts keep apart from the state, by number. Texts are told of every effect, whether or not its
   * condition holds, so those of conditional effects part from the state's; and a deleted fact becomes a `not_` one.
   */
  textOnly: ReadonlySet<number>;
}

/** A game's words: the grammar that it shares with others, and its own task line as a rule's right-hand side. */
interface GrammarParts {
  shared: string;
  task: string | null;
}

/** The task rule as alfworld-generate writes it: one way, no condition. */
const TASK_RULE = /"task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\}\s*\]/d;

/** Parts a game's task line from the grammar around it, which all games of a release share. */
export function splitTask(grammar: string): GrammarParts {
  const [start, end] = TASK_RULE.exec(grammar)?.indices?.[1] ?? [];
  if (start === undefined || end === undefined) return { shared: grammar, task: null };
  const task = parseString(grammar.slice(start, end));
  if (task === null) return { shared: grammar, task: null };
  return { shared: grammar.slice(0, start) + grammar.slice(end), task };
}

/** The grammar with another task line; unchanged where it has no task rule. */
export function withTask(grammar: string, task: string): string {
  const [start, end] = TASK_RULE.exec(grammar)?.indices?.[1] ?? [];
  if (start === undefined || end === undefined) return grammar;
  return grammar.slice(0, start) + JSON.stringify(task).slice(1, -1) + grammar.slice(end);
}

/** Null where the JSON is malformed, which is named when the grammar is read. */
function parseString(escaped: string): string | null {
  try {
    return String(JSON.parse(`"${escaped}"`));
  } catch {
    return null;
  }
}

/** Compiles each pair of domain and grammar once; keeps the last few. */
export class LogicCache {
  private readonly logics: RecentlyUsed<Logic>;

  constructor(most = 8) {
    this.logics = new RecentlyUsed(most);
  }

  /** Throws `invalid_input` naming file, part and line. */
  compile(domain: SourceText, grammar: SourceText): { logic: Logic; task: string | null } {
    const { shared, task } = splitTask(grammar.text);
    const logic = this.logics.get(`${domain.text}\0${shared}`, () =>
      compileLogic(domain, { ...grammar, text: shared }),
    );
    return { logic, task };
  }
}

function compileLogic(domainSource: SourceText, grammarSource: SourceText): Logic {
  const domain = readDomain(domainSource);
  const grammar = new Grammar(readTwl2(grammarSource), domain, grammarSource);
  const conditional = domain.actions.flatMap(({ effects }) =>
    effects.flatMap(({ predicate, condition }) => (condition ? [predicate] : [])),
  );
  const negated = [...grammar.reads].filter((relation) => relation >= domain.predicates.list.length);
  return {
    domain,
    actions: compileActions(domain),
    grammar,
    textOnly: new Set([...conditional, ...negated].sort((left, right) => left - right)),
  };
}
