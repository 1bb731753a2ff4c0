import { objectsWanted, TREATMENT_OF, type HouseholdGoal } from './goal';
import { LAMP_KIND, OBJECT_KINDS, TREATMENTS, type ObjectKind, type Treatment } from './kinds';
import type { Layout, PlacedObject } from './layout';
import type { Room } from './rooms';

/** Predicates of a treatment: what can have it, and what has had it. */
const TREATED: Readonly<Record<Treatment, { able: string; done: string }>> = {
  clean: { able: 'cleanable', done: 'isClean' },
  heat: { able: 'heatable', done: 'isHot' },
  cool: { able: 'coolable', done: 'isCool' },
};

const START = 'loc_bar_0';

/** A layout as a PDDL problem of the household's domain. */
export function problemText({ room, goal, objects }: Layout, name: string): string {
  const kinds = [...new Set(objects.map(({ kind }) => kind))];
  const lines = [
    `(define (problem ${name})`,
    '  (:domain household)',
    '  (:objects',
    ...declarations(room, objects, kinds).map((line) => `    ${line}`),
    '  )',
    '  (:init',
    ...[...roomFacts(room, kinds), ...objectFacts(room, objects)].map((fact) => `    (${fact})`),
    `    (atLocation agent1 ${START})`,
    '  )',
    `  (:goal ${goalCondition(goal)})`,
    ')',
  ];
  return `${lines.join('\n')}\n`;
}

const typeName = (kind: string): string => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Type`;

const locationId = (room: Room, receptacle: string): string =>
  `loc_bar_${room.receptacles.findIndex(({ name }) => name === receptacle) + 1}`;

/**
 * The id of something that texts are to call `KIND NUMBER`, of `count` of its kind: they give the first id in order the
 * highest number.
 */
function idOf(name: string, count: number): string {
  const [kind = '', number = ''] = name.split(' ');
  return `${kind}_bar_${count + 1 - Number(number)}`;
}

function receptacleId({ receptacles }: Room, name: string): string {
  const [kind] = name.split(' ');
  return idOf(name, receptacles.filter((other) => other.kind.name === kind).length);
}

function objectId(objects: readonly PlacedObject[], { name, kind }: PlacedObject): string {
  return idOf(name, objects.filter((other) => other.kind === kind).length);
}

function declarations(room: Room, objects: readonly PlacedObject[], kinds: readonly string[]): string[] {
  const locations = [START, ...room.receptacles.map(({ name }) => locationId(room, name))];
  return [
    'agent1 - agent',
    `${locations.join(' ')} - location`,
    `${room.receptacles.map(({ name }) => receptacleId(room, name)).join(' ')} - receptacle`,
    `${objects.map((object) => objectId(objects, object)).join(' ')} - object`,
    `${receptacleTypes(room).map(typeName).join(' ')} - rtype`,
    `${kinds.map(typeName).join(' ')} - otype`,
  ];
}

const receptacleTypes = ({ receptacles }: Room): string[] => [
  ...new Set(receptacles.map(({ kind }) => kind.name)),
];

function roomFacts(room: Room, objectKinds: readonly string[]): string[] {
  const facts = room.receptacles.flatMap(({ name, kind }) => {
    const id = receptacleId(room, name);
    return [
      `receptacleAtLocation ${id} ${locationId(room, name)}`,
      `receptacleType ${id} ${typeName(kind.name)}`,
      ...(kind.openable ? [`openable ${id}`] : []),
    ];
  });
  const kinds = new Map(room.receptacles.map(({ kind }) => [kind.name, kind]));
  const carried = OBJECT_KINDS.filter(({ name }) => objectKinds.includes(name));
  const fits = [...kinds.values()].flatMap(({ name, takes }) =>
    carried
      .filter(({ ware }) => takes.includes(ware))
      .map((object) => `canContain ${typeName(name)} ${typeName(object.name)}`),
  );
  return [...facts, ...fits];
}

function objectFacts(room: Room, objects: readonly PlacedObject[]): string[] {
  return objects.flatMap((object) => {
    const id = objectId(objects, object);
    const place = object.receptacle.name;
    return [
      `objectType ${id} ${typeName(object.kind)}`,
      `inReceptacle ${id} ${receptacleId(room, place)}`,
      `objectAtLocation ${id} ${locationId(room, place)}`,
      ...traits(OBJECT_KINDS.find(({ name }) => name === object.kind)).map((trait) => `${trait} ${id}`),
      ...(object.kind === LAMP_KIND ? [`toggleable ${id}`] : []),
    ];
  });
}

/** Predicates of what can be carried; none for what cannot. */
function traits(kind: ObjectKind | undefined): string[] {
  if (!kind) return [];
  const able = TREATMENTS.filter((treatment) => kind.treatments.includes(treatment));
  return ['pickupable', ...able.map((treatment) => TREATED[treatment].able)];
}

function goalCondition(goal: HouseholdGoal): string {
  if (goal.receptacle === null) {
    return (
      `(and (exists (?ot - object ?r - receptacle ?a - agent ?l - location) (and (objectType ?ot ${typeName(LAMP_KIND)}) ` +
      '(toggleable ?ot) (isToggled ?ot) (receptacleAtLocation ?r ?l) (atLocation ?a ?l) (inReceptacle ?ot ?r))) ' +
      `(exists (?o - object ?a - agent) (and (objectType ?o ${typeName(goal.object)}) (holds ?a ?o))))`
    );
  }
  const treatment = TREATMENT_OF[goal.taskType];
  const wanted = (variable: string): string =>
    [
      `(inReceptacle ${variable} ?r)`,
      `(objectType ${variable} ${typeName(goal.object)})`,
      ...(treatment
        ? [`(${TREATED[treatment].able} ${variable})`, `(${TREATED[treatment].done} ${variable})`]
        : []),
    ].join(' ');
  const target = `(receptacleType ?r ${typeName(goal.receptacle)})`;
  return objectsWanted(goal) === 2
    ? `(exists (?r - receptacle) (and ${target} (exists (?o1 - object) (and ${wanted('?o1')} ` +
        `(exists (?o2 - object) (and (not (= ?o1 ?o2)) ${wanted('?o2')}))))))`
    : `(exists (?r - receptacle ?o - object) (and ${target} ${wanted('?o')}))`;
}
