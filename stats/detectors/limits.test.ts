import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DETECTORS, DETECTOR_WORDS } from '@/contract/alert';
import { LIMITS } from './limits';

const DOCS = readFileSync(new URL('../../docs/detectors.md', import.meta.url), 'utf8');

/** `area.name value` of every limit. */
const stated = Object.entries(LIMITS).flatMap(([area, limits]) =>
  typeof limits === 'number'
    ? [`${area} ${limits}`]
    : Object.entries(limits).map(([name, value]) => `${area}.${name} ${value}`),
);

it('stand in the table of the docs, every one as the detectors have it', () => {
  const told = [...DOCS.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z]+)? [\d.]+)`/g)].map((match) => match[1]);
  expect(told.toSorted()).toEqual(stated.toSorted());
});

it('belong to detectors that the docs name as screens do', () => {
  const missing = DETECTORS.filter((detector) => !DOCS.includes(`| ${DETECTOR_WORDS[detector].title} `));
  expect(missing).toEqual([]);
});
