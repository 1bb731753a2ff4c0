import { AppError } from '@/contract/errors';
import { TREATMENT_OF, objectsWanted, type HouseholdGoal } from './goal';
import { LAMP_KIND } from './kinds';
import type { PlacedObject } from './layout';
import type { Receptacle, Room } from './rooms';

/** The commands that win from the start, by who knows where everything is. */
export function planCommands(room: Room, goal: HouseholdGoal, objects: readonly PlacedObject[]): string[] {
  const walk = new Walk();
  const wanted = objects.filter(({ kind }) => kind === goal.object).slice(0, objectsWanted(goal));
  for (const object of wanted) {
    walk.take(object);
    if (goal.taskType === 'examine_in_light') {
      const lamp = required(
        objects.find(({ kind }) => kind === LAMP_KIND),
        LAMP_KIND,
      );
      walk.goTo(lamp.receptacle);
      walk.commands.push(`use ${lamp.name}`);
      continue;
    }
    const treatment = TREATMENT_OF[goal.taskType];
    if (treatment) {
      const appliance = required(
        room.receptacles.find(({ kind }) => kind.treats === treatment),
        `receptacle that can ${treatment}`,
      );
      walk.goTo(appliance);
      walk.commands.push(`${treatment} ${object.name} with ${appliance.name}`);
    }
    const target = required(
      room.receptacles.find(({ kind }) => kind.name === goal.receptacle),
      `${goal.receptacle}`,
    );
    walk.reach(target);
    walk.commands.push(`move ${object.name} to ${target.name}`);
  }
  return walk.commands;
}

function required<Item>(item: Item | undefined, name: string): Item {
  if (item === undefined) throw new AppError('internal', `the room has no ${name}`);
  return item;
}

/** Commands so far, with where they lead. */
class Walk {
  readonly commands: string[] = [];
  private here: Receptacle | null = null;
  private readonly opened = new Set<Receptacle>();

  goTo(receptacle: Receptacle): void {
    if (this.here === receptacle) return;
    this.commands.push(`go to ${receptacle.name}`);
    this.here = receptacle;
  }

  /** Goes there and opens it where it is closed. */
  reach(receptacle: Receptacle): void {
    this.goTo(receptacle);
    if (!receptacle.kind.openable || this.opened.has(receptacle)) return;
    this.commands.push(`open ${receptacle.name}`);
    this.opened.add(receptacle);
  }

  take({ name, receptacle }: PlacedObject): void {
    this.reach(receptacle);
    this.commands.push(`take ${name} from ${receptacle.name}`);
  }
}
