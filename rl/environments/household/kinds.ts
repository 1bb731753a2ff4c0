import { AppError } from '@/contract/errors';

/** What a receptacle takes is told by the ware, not by each kind of object. */
export const WARES = ['food', 'crockery', 'tool', 'keepsake'] as const;
export type Ware = (typeof WARES)[number];

/** What can be done to an object before it is put down. */
export const TREATMENTS = ['clean', 'heat', 'cool'] as const;
export type Treatment = (typeof TREATMENTS)[number];

export interface ObjectKind {
  name: string;
  ware: Ware;
  treatments: readonly Treatment[];
}

export interface ReceptacleKind {
  name: string;
  openable: boolean;
  takes: readonly Ware[];
  /** What it does to an object that is held beside it. */
  treats: Treatment | null;
}

const object = (name: string, ware: Ware, ...treatments: Treatment[]): ObjectKind => ({
  name,
  ware,
  treatments,
});

/** Objects that can be carried. */
export const OBJECT_KINDS: readonly ObjectKind[] = [
  object('pear', 'food', 'clean', 'heat', 'cool'),
  object('plum', 'food', 'clean', 'heat', 'cool'),
  object('leek', 'food', 'clean', 'heat', 'cool'),
  object('turnip', 'food', 'clean', 'heat', 'cool'),
  object('pie', 'food', 'heat', 'cool'),
  object('jug', 'crockery', 'clean', 'heat', 'cool'),
  object('dish', 'crockery', 'clean', 'heat', 'cool'),
  object('beaker', 'crockery', 'clean', 'heat', 'cool'),
  object('flask', 'crockery', 'clean', 'cool'),
  object('goblet', 'crockery', 'clean', 'cool'),
  object('whisk', 'tool', 'clean'),
  object('sieve', 'tool', 'clean'),
  object('tongs', 'tool', 'clean'),
  object('scarf', 'keepsake'),
  object('letter', 'keepsake'),
  object('medal', 'keepsake'),
  object('thimble', 'keepsake'),
  object('coin', 'keepsake'),
];

/** Stands where it is and can be lit. */
export const LAMP_KIND = 'lantern';

const surface = (name: string, takes: readonly Ware[] = WARES): ReceptacleKind => ({
  name,
  openable: false,
  takes,
  treats: null,
});

const container = (name: string, takes: readonly Ware[] = WARES): ReceptacleKind => ({
  name,
  openable: true,
  takes,
  treats: null,
});

export const RECEPTACLE_KINDS: readonly ReceptacleKind[] = [
  { name: 'washtub', openable: false, takes: ['food', 'crockery', 'tool'], treats: 'clean' },
  { name: 'hob', openable: false, takes: ['food', 'crockery'], treats: 'heat' },
  { name: 'icebox', openable: true, takes: ['food', 'crockery'], treats: 'cool' },
  container('larder', ['food', 'crockery', 'tool']),
  container('hutch', ['crockery', 'tool', 'keepsake']),
  container('crate'),
  container('locker', ['tool', 'keepsake']),
  container('trunk', ['tool', 'keepsake']),
  container('bureau', ['keepsake']),
  surface('worktop'),
  surface('bench'),
  surface('rack'),
  surface('trolley'),
  surface('sill'),
  surface('stool'),
  surface('mantel', ['crockery', 'keepsake']),
];

/** Throws where there is no receptacle of that kind. */
export function receptacleKind(name: string): ReceptacleKind {
  const found = RECEPTACLE_KINDS.find((kind) => kind.name === name);
  if (found) return found;
  const names = RECEPTACLE_KINDS.map((kind) => kind.name).join(', ');
  throw new AppError('invalid_input', `There is no receptacle kind "${name}". Kinds: ${names}`);
}
