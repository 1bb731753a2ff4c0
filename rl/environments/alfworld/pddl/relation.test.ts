import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { Relation } from './relation';
import { packFact } from './state';

const COUNT = 6;
const fact = (...objects: number[]) => packFact(objects, COUNT);

describe('Relation', () => {
  it('agrees with a plain set under random changes, in order and by every place', () => {
    const random = createRandom(1);
    const relation = new Relation(2);
    const plain = new Map<number, number[]>();
    for (let change = 0; change < 500; change++) {
      const objects = [random.integer(COUNT), random.integer(COUNT)];
      const made = packFact(objects, COUNT);
      if (random.integer(2) === 0) {
        expect(relation.add(made)).toBe(!plain.has(made.key));
        plain.set(made.key, objects);
      } else expect(relation.delete(made)).toBe(plain.delete(made.key));
      const sorted = [...plain].sort(([left], [right]) => left - right).map(([, pair]) => pair);
      expect(relation.all().map(({ objects: pair }) => pair)).toEqual(sorted);
      const [first = 0, second = 0] = objects;
      expect(relation.at(0, first).map(({ objects: pair }) => pair)).toEqual(
        sorted.filter(([a]) => a === first),
      );
      expect(relation.at(1, second).map(({ objects: pair }) => pair)).toEqual(
        sorted.filter(([, b]) => b === second),
      );
    }
  });

  it('leaves a copy alone', () => {
    const relation = new Relation(1);
    relation.add(fact(1));
    const copy = relation.copy();
    copy.add(fact(2));
    copy.delete(fact(1));
    expect(relation.all()).toEqual([fact(1)]);
    expect(relation.at(0, 1)).toEqual([fact(1)]);
    expect(copy.all()).toEqual([fact(2)]);
  });
});

describe('packFact', () => {
  it('sorts facts by their objects, first to last', () => {
    const keys = [fact(0, 0), fact(0, 5), fact(1, 0), fact(5, 5)].map(({ key }) => key);
    expect(keys).toEqual([0, 5, 6, 35]);
  });

  it('refuses facts that do not fit an exact integer', () => {
    expect(() => packFact([1000, 1, 1, 1, 1, 1], 1001)).toThrow(
      'a fact of 6 among 1001 objects is too large',
    );
  });
});
