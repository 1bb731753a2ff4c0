import { AppError } from '@/contract/errors';
import { receptacleKind, type ReceptacleKind } from './kinds';

/** A receptacle of a room: `crate 2`. */
export interface Receptacle {
  name: string;
  kind: ReceptacleKind;
}

export interface Room {
  name: string;
  /** Numbered from 1 within their kind. */
  receptacles: readonly Receptacle[];
}

/** Every room has one of each, so that every task type can be played in it. */
const APPLIANCES = ['washtub', 'hob', 'icebox'];

function room(name: string, ...kindNames: string[]): Room {
  const counts = new Map<string, number>();
  const receptacles = [...APPLIANCES, ...kindNames].map((kindName) => {
    const number = (counts.get(kindName) ?? 0) + 1;
    counts.set(kindName, number);
    return { name: `${kindName} ${number}`, kind: receptacleKind(kindName) };
  });
  return { name, receptacles };
}

/** Rooms of demonstrations, training and `valid_seen`. */
export const TRAINING_ROOMS: readonly Room[] = [
  room('scullery', 'larder', 'worktop', 'rack', 'hutch', 'stool'),
  room('bakehouse', 'larder', 'worktop', 'worktop', 'rack', 'crate'),
  room('taproom', 'bench', 'bench', 'mantel', 'hutch', 'crate'),
  room('parlour', 'bureau', 'trunk', 'mantel', 'sill', 'stool'),
  room('workshop', 'bench', 'locker', 'locker', 'trolley', 'crate'),
  room('storeroom', 'crate', 'crate', 'trunk', 'trunk', 'rack'),
  room('study', 'bureau', 'hutch', 'trolley', 'sill', 'rack', 'rack'),
  room('lodge', 'locker', 'larder', 'bench', 'stool', 'stool'),
  room('galley', 'larder', 'locker', 'worktop', 'sill', 'rack'),
  room('nursery', 'trunk', 'hutch', 'stool', 'sill', 'mantel'),
  room('smithy', 'bench', 'bench', 'crate', 'rack', 'trolley'),
  room('library', 'bureau', 'bureau', 'mantel', 'rack', 'stool'),
  room('cellar', 'larder', 'larder', 'crate', 'rack', 'trunk'),
  room('guardroom', 'locker', 'trunk', 'bench', 'mantel', 'sill'),
  room('laundry', 'hutch', 'locker', 'trolley', 'worktop', 'sill', 'sill'),
  room('canteen', 'larder', 'hutch', 'bench', 'bench', 'trolley', 'trolley'),
  room('barn', 'crate', 'trunk', 'bench', 'sill', 'stool'),
  room('porch', 'locker', 'stool', 'sill', 'mantel', 'bench'),
  room('schoolroom', 'bureau', 'locker', 'worktop', 'stool', 'stool', 'rack'),
  room('vestry', 'hutch', 'trunk', 'bureau', 'mantel', 'worktop'),
];

/** Rooms of `valid_unseen`: other sets of the same receptacles, in no demonstration and in no training task. */
export const HELD_OUT_ROOMS: readonly Room[] = [
  room('dairy', 'larder', 'crate', 'trolley', 'worktop', 'sill'),
  room('attic', 'trunk', 'bureau', 'locker', 'rack', 'stool'),
  room('boathouse', 'locker', 'bench', 'bench', 'trunk', 'sill'),
  room('pavilion', 'hutch', 'mantel', 'trolley', 'crate', 'crate'),
  room('pottery', 'worktop', 'worktop', 'rack', 'larder', 'stool'),
  room('chapel', 'mantel', 'bureau', 'hutch', 'sill', 'bench'),
  room('tannery', 'crate', 'locker', 'trolley', 'rack', 'rack'),
  room('signalbox', 'trunk', 'hutch', 'worktop', 'stool', 'sill'),
];

/** Throws where there is no such room. */
export function findRoom(name: string): Room {
  const rooms = [...TRAINING_ROOMS, ...HELD_OUT_ROOMS];
  const found = rooms.find((candidate) => candidate.name === name);
  if (found) return found;
  const names = rooms.map((candidate) => candidate.name).join(', ');
  throw new AppError('invalid_input', `There is no household room "${name}". Rooms: ${names}`);
}
