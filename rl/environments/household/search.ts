import { AppError } from '@/contract/errors';
import type { Observation } from '../environment';
import { TREATMENT_OF, type HouseholdGoal } from './goal';
import { LAMP_KIND, OBJECT_KINDS, RECEPTACLE_KINDS, type Treatment } from './kinds';

/** What an action is for. */
export type Purpose =
  /** Goes to a receptacle not seen into yet, for the object or the lamp. */
  | 'search'
  | 'open'
  /** Goes to where the object, the lamp or the place for the object is known to be. */
  | 'fetch'
  | 'take'
  /** Carries the object to what treats it. */
  | 'carry'
  | 'treat'
  /** Brings the object to its place or into the light. */
  | 'bring'
  | 'put'
  | 'light'
  /** Frees the hands of something else. */
  | 'lay_aside'
  /** Everything has been seen; begins again. */
  | 'look_again';

export interface Intention {
  purpose: Purpose;
  action: string;
  /** The receptacle concerned: `crate 2`. */
  receptacle: string;
}

/** Chooses among names of receptacles; never called with an empty list. */
export type Choose = (names: readonly string[]) => string;

/** A purposeful player who knows the goal and what observations have told; every intended action is an offered one. */
export class Searcher {
  /** By receptacle: what was last seen in it. */
  private readonly contents = new Map<string, Set<string>>();
  private readonly treated = new Set<string>();
  /** By object: the receptacle it was put in, treated where the goal asks for that. */
  private readonly placed = new Map<string, string>();
  private offered: readonly string[] = [];
  private receptacles: readonly string[] = [];
  /** Where the player stands; null in the middle of the room. */
  here: string | null = null;
  held: string | null = null;

  constructor(readonly goal: HouseholdGoal) {}

  get treatment(): Treatment | null {
    return TREATMENT_OF[this.goal.taskType];
  }

  /** Every receptacle of the room, in the order they were first offered. */
  get names(): readonly string[] {
    return this.receptacles;
  }

  /** The held object is of the goal's kind. */
  get holdsWanted(): boolean {
    return this.held !== null && kindOf(this.held) === this.goal.object;
  }

  /** Takes in an observation and the accepted action that led to it; null at the start and after a refused one. */
  notice({ text, availableActions }: Observation, action: string | null): void {
    this.offered = availableActions;
    const examined = named(availableActions, 'examine ');
    this.here = examined.find((name) => RECEPTACLES.has(kindOf(name))) ?? null;
    this.held = examined.find((name) => OBJECTS.has(kindOf(name))) ?? null;
    if (this.receptacles.length === 0) this.receptacles = named(availableActions, 'go to ');
    for (const [, receptacle = '', list = ''] of text.matchAll(CONTENTS))
      this.contents.set(receptacle, new Set(list === 'nothing' ? [] : list.split(', ')));
    if (action !== null) this.noticeAction(action);
  }

  private noticeAction(action: string): void {
    const [, verb, object = '', receptacle = ''] = DEED.exec(action) ?? [];
    if (verb === 'take') {
      this.contents.get(receptacle)?.delete(object);
      this.placed.delete(object);
    } else if (verb === 'move') {
      this.contents.get(receptacle)?.add(object);
      if (this.isReady(object) && kindOf(receptacle) === this.goal.receptacle)
        this.placed.set(object, receptacle);
    } else if (verb === this.treatment) this.treated.add(object);
  }

  /** The object needs no treatment any more. */
  private isReady(object: string): boolean {
    return this.treatment === null || this.treated.has(object);
  }

  /** What to do next. `choose` picks the receptacle to search among those not seen into. */
  next(choose: Choose): Intention {
    if (this.held === null) return this.find(choose);
    if (kindOf(this.held) !== this.goal.object) return this.layAside(choose);
    if (this.goal.taskType === 'examine_in_light') return this.seekLight(choose);
    if (!this.isReady(this.held)) return this.treat(choose);
    return this.bring(choose);
  }

  /** Brings the held object to its place, treated or not. */
  bring(choose: Choose): Intention {
    const { here } = this;
    const put = this.offer(
      (action) => action.startsWith('move ') && kindOf(last(action)) === this.goal.receptacle,
    );
    const together = [...this.placed.values()][0];
    if (put && here !== null && (together === undefined || together === here))
      return { purpose: 'put', action: put, receptacle: here };
    if (here !== null && kindOf(here) === this.goal.receptacle && (together ?? here) === here) {
      const open = this.offer((action) => action === `open ${here}`);
      if (open) return { purpose: 'open', action: open, receptacle: here };
    }
    const places = this.receptacles.filter((name) => kindOf(name) === this.goal.receptacle);
    return this.goTo(together ?? places[0] ?? choose(this.receptacles), 'bring');
  }

  private find(choose: Choose): Intention {
    const take = this.offer((action) => action.startsWith('take ') && this.isWanted(objectOf(action)));
    if (take && this.here !== null) return { purpose: 'take', action: take, receptacle: this.here };
    const seen = this.receptacles.find((name) => this.holdsUnseenHere(name));
    if (seen !== undefined) return this.goTo(seen, 'fetch');
    return this.explore(choose);
  }

  /** A goal object is known to lie in a receptacle elsewhere. */
  private holdsUnseenHere(receptacle: string): boolean {
    if (receptacle === this.here) return false;
    return [...(this.contents.get(receptacle) ?? [])].some((object) => this.isWanted(object));
  }

  private isWanted(object: string): boolean {
    return kindOf(object) === this.goal.object && !this.placed.has(object);
  }

  private treat(choose: Choose): Intention {
    const { treatment } = this;
    const deed = this.offer((action) => action.startsWith(`${treatment} `));
    if (deed && this.here !== null) return { purpose: 'treat', action: deed, receptacle: this.here };
    const appliance = this.receptacles.find((name) => RECEPTACLES.get(kindOf(name))?.treats === treatment);
    return this.goTo(appliance ?? choose(this.receptacles), 'carry');
  }

  private seekLight(choose: Choose): Intention {
    const use = this.offer((action) => action.startsWith('use '));
    if (use && this.here !== null) return { purpose: 'light', action: use, receptacle: this.here };
    const lit = [...this.contents].find(([, objects]) =>
      [...objects].some((name) => kindOf(name) === LAMP_KIND),
    );
    return lit ? this.goTo(lit[0], 'bring') : this.explore(choose);
  }

  private layAside(choose: Choose): Intention {
    const put = this.offer((action) => action.startsWith('move '));
    if (put && this.here !== null) return { purpose: 'lay_aside', action: put, receptacle: this.here };
    const open = this.offer((action) => action.startsWith('open '));
    if (open && this.here !== null) return { purpose: 'open', action: open, receptacle: this.here };
    return this.goTo(choose(this.receptacles.filter((name) => name !== this.here)), 'lay_aside');
  }

  /** Opens what is closed here, else goes to a receptacle not seen into; where all are, forgets what was seen. */
  private explore(choose: Choose): Intention {
    const open = this.offer((action) => action.startsWith('open '));
    if (open && this.here !== null) return { purpose: 'open', action: open, receptacle: this.here };
    const unseen = this.receptacles.filter((name) => !this.contents.has(name) && name !== this.here);
    if (unseen.length > 0) return this.goTo(choose(unseen), 'search');
    this.contents.clear();
    return this.goTo(choose(this.receptacles.filter((name) => name !== this.here)), 'look_again');
  }

  private goTo(receptacle: string, purpose: Purpose): Intention {
    const action = `go to ${receptacle}`;
    if (this.offered.includes(action)) return { purpose, action, receptacle };
    throw new AppError('internal', `"${action}" is not offered at ${this.here ?? 'the start'}`);
  }

  private offer(suits: (action: string) => boolean): string | undefined {
    return this.offered.find(suits);
  }
}

const RECEPTACLES = new Map(RECEPTACLE_KINDS.map((kind) => [kind.name, kind]));
const OBJECTS = new Set([...OBJECT_KINDS.map(({ name }) => name), LAMP_KIND]);
const CONTENTS = /\b(?:On|In) the (\w+ \d+): ([^.]*)\./g;
const DEED = /^(\w+) (\w+ \d+) (?:from|to|with) (\w+ \d+)$/;

/** `pear` of `pear 2`. */
function kindOf(name: string): string {
  return name.split(' ')[0] ?? '';
}

/** The last two words of an action: the receptacle it names. */
function last(action: string): string {
  return action.split(' ').slice(-2).join(' ');
}

function objectOf(action: string): string {
  return action.split(' ').slice(1, 3).join(' ');
}

/** What follows `prefix` in the actions that begin so. */
function named(actions: readonly string[], prefix: string): string[] {
  return actions.filter((action) => action.startsWith(prefix)).map((action) => action.slice(prefix.length));
}
