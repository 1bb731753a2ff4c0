import type { House, Treatment } from './house';
import type { State } from './pddl/state';

/** One command by what it does: an action, and the objects of some of its parameters. */
export interface Errand {
  action: string;
  /** By parameter. */
  objects: Readonly<Record<string, number>>;
}

/** An object to fetch and where it is; a null receptacle means that it is in the hand. */
export interface Source {
  object: number;
  receptacle: number | null;
}

/** A way through the house, written down errand by errand as it is walked in thought. */
class Walk {
  readonly errands: Errand[] = [];
  private place: number | null;
  private readonly opened = new Set<number>();

  constructor(
    private readonly house: House,
    private readonly state: State,
  ) {
    this.place = house.placeOfAgent(state);
  }

  /** Goes to a receptacle, unless the agent is at its place already, and opens it where it must be open. */
  reach(receptacle: number, mustBeOpen: boolean): void {
    const place = this.house.placeOf(receptacle);
    if (place !== this.place) this.errands.push({ action: 'gotolocation', objects: { r: receptacle } });
    this.place = place;
    if (mustBeOpen && this.isClosed(receptacle)) {
      this.opened.add(receptacle);
      this.errands.push({ action: 'openobject', objects: { r: receptacle } });
    }
  }

  take({ object, receptacle }: Source): void {
    if (receptacle === null) return;
    this.reach(receptacle, true);
    this.errands.push({ action: 'pickupobject', objects: { o: object, r: receptacle } });
  }

  put(object: number, receptacle: number): void {
    this.reach(receptacle, true);
    this.errands.push({ action: 'putobject', objects: { o: object, r: receptacle } });
  }

  treat(object: number, { action }: Treatment, receptacle: number): void {
    this.reach(receptacle, false);
    this.errands.push({ action, objects: { o: object, r: receptacle } });
  }

  light(lamp: number, receptacle: number): void {
    this.reach(receptacle, false);
    if (!this.house.is(this.state, 'istoggled', lamp)) {
      this.errands.push({ action: 'toggleobject', objects: { o: lamp, r: receptacle } });
    }
  }

  private isClosed(receptacle: number): boolean {
    const { house, state, opened } = this;
    return (
      house.is(state, 'openable', receptacle) &&
      !house.is(state, 'opened', receptacle) &&
      !opened.has(receptacle)
    );
  }
}

/**
 * Lists of errands that reach a house's goal from a state, shortest first: for each object that would do, each place it
 * can be fetched from, each place to treat it and each place to bring it to. A hand that is full of something else is
 * emptied on the way.
 */
export function errandLists(house: House, state: State): Errand[][] {
  const { goal } = house;
  const planner = new ErrandPlanner(house, state);
  const lists =
    goal.lamps.length > 0 ? planner.toLight() : goal.count > 1 ? planner.toGather() : planner.toPlace();
  return lists.sort((left, right) => left.length - right.length);
}

class ErrandPlanner {
  private readonly held: number | null;

  constructor(
    private readonly house: House,
    private readonly state: State,
  ) {
    this.held = house.held(state);
  }

  /** Take one object to a lamp. */
  toLight(): Errand[][] {
    const { house, state } = this;
    const lamps = house.goal.lamps.flatMap((lamp) =>
      this.reachable(house.receptaclesWith(state, lamp)).map((receptacle) => ({ lamp, receptacle })),
    );
    return house.goal.objects.flatMap((object) =>
      this.sources(object).flatMap((source) =>
        lamps.flatMap(({ lamp, receptacle }) =>
          this.walks(source, (walk) => {
            walk.take(source);
            walk.light(lamp, receptacle);
          }),
        ),
      ),
    );
  }

  /** Take one object, do to it what must be done, and put it down. */
  toPlace(): Errand[][] {
    const { goal } = this.house;
    return goal.objects.flatMap((object) =>
      this.sources(object).flatMap((source) =>
        this.toolSets(object).flatMap((tools) =>
          this.targets(source).flatMap((target) =>
            this.walks(source, (walk) => {
              walk.take(source);
              for (const { treatment, receptacle } of tools) walk.treat(object, treatment, receptacle);
              if (target !== null) walk.put(object, target);
            }),
          ),
        ),
      ),
    );
  }

  /** Bring several objects into one receptacle. */
  toGather(): Errand[][] {
    const { house, state } = this;
    const { objects, count, receptacles } = house.goal;
    return this.reachable(receptacles).flatMap((target) => {
      const there = house.contents(state, target).filter((object) => objects.includes(object));
      const others = objects.filter((object) => !there.includes(object) && house.takes(target, object));
      return sequences(others, count - there.length).flatMap((sequence) =>
        this.sourceSequences(sequence).flatMap((sources) => {
          const [first] = sources;
          if (!first) return [];
          return this.walks(first, (walk) => {
            for (const source of sources) {
              walk.take(source);
              walk.put(source.object, target);
            }
          });
        }),
      );
    });
  }

  /** Walks that begin with an empty hand or with the first object in it. */
  private walks(first: Source, go: (walk: Walk) => void): Errand[][] {
    const walkFrom = (begin: (walk: Walk) => void): Errand[] => {
      const walk = new Walk(this.house, this.state);
      begin(walk);
      go(walk);
      return walk.errands;
    };
    const { held } = this;
    if (held === null || first.receptacle === null) return [walkFrom(() => undefined)];
    return this.placesToDrop(held, first.receptacle).map((drop) => walkFrom((walk) => walk.put(held, drop)));
  }

  /** Where to put down what is in the hand: here, where the next object is, or, where neither will do, anywhere. */
  private placesToDrop(held: number, next: number): number[] {
    const { house, state } = this;
    const takers = house.receptacles.filter((receptacle) => house.takes(receptacle, held));
    const near = [house.placeOfAgent(state), house.placeOf(next)];
    const nearby = takers.filter((receptacle) => near.includes(house.placeOf(receptacle)));
    if (nearby.length > 0) return nearby;
    const ready = takers.find(
      (receptacle) => !house.is(state, 'openable', receptacle) || house.is(state, 'opened', receptacle),
    );
    const any = ready ?? takers[0];
    return any === undefined ? [] : [any];
  }

  private sources(object: number): Source[] {
    if (object === this.held) return [{ object, receptacle: null }];
    const receptacles = this.reachable(this.house.receptaclesWith(this.state, object));
    return receptacles.map((receptacle) => ({ object, receptacle }));
  }

  /** Every way to fetch the objects in this order; one that is held can only come first. */
  private sourceSequences(objects: readonly number[]): Source[][] {
    if (objects.slice(1).some((object) => object === this.held)) return [];
    return objects.reduce<Source[][]>(
      (lists, object) => lists.flatMap((list) => this.sources(object).map((source) => [...list, source])),
      [[]],
    );
  }

  /** Every way to choose receptacles for what is still to be done to an object. */
  private toolSets(object: number): { treatment: Treatment; receptacle: number }[][] {
    const { house, state } = this;
    const open = house.goal.treatments.filter(({ fact }) => !house.is(state, fact, object));
    if (open.some(({ able }) => !house.is(state, able, object))) return [];
    return open.reduce<{ treatment: Treatment; receptacle: number }[][]>(
      (sets, treatment) =>
        sets.flatMap((set) =>
          house.toolsFor(treatment).map((receptacle) => [...set, { treatment, receptacle }]),
        ),
      [[]],
    );
  }

  /**
   * Where an object can be brought to; null for nowhere, where it stays in a receptacle of the goal's kind though it is
   * taken from another: some objects are in two.
   */
  private targets({ object, receptacle: from }: Source): (number | null)[] {
    const { house, state } = this;
    const kind = house.goal.receptacles;
    const stays = house
      .receptaclesWith(state, object)
      .some((receptacle) => receptacle !== from && kind.includes(receptacle));
    const targets = this.reachable(kind).filter((receptacle) => house.takes(receptacle, object));
    return stays ? [null, ...targets] : targets;
  }

  private reachable(receptacles: readonly number[]): number[] {
    return receptacles.filter((receptacle) => this.house.placeOf(receptacle) !== null);
  }
}

/** Every ordered choice of `count` different items. */
function sequences(items: readonly number[], count: number): number[][] {
  if (count <= 0) return [[]];
  return items.flatMap((item) =>
    sequences(
      items.filter((other) => other !== item),
      count - 1,
    ).map((rest) => [item, ...rest]),
  );
}
