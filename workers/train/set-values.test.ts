import { describe, expect, it } from 'vitest';
import { ENVIRONMENTS } from '@/contract/environments/registry';
import { withSetValues } from './set-values';

const config = { steps: 3, update: { learningRate: 0.1, name: 'a' }, splits: [{ tasks: 14 }, { tasks: 6 }] };

describe('withSetValues', () => {
  it('reads JSON where the value is JSON and text otherwise', () => {
    expect(
      withSetValues(config, ['update.learningRate=0', 'update.name=token-mean', 'splits.1.tasks=420']),
    ).toEqual({
      steps: 3,
      update: { learningRate: 0, name: 'token-mean' },
      splits: [{ tasks: 14 }, { tasks: 420 }],
    });
  });

  it('leaves the preset as it was', () => {
    withSetValues(config, ['splits=[]', 'steps=9']);
    expect(config.splits).toHaveLength(2);
    expect(config.steps).toBe(3);
  });

  it('keeps what follows the first equals sign', () => {
    expect(withSetValues(config, ['update.name=a=b'])).toMatchObject({ update: { name: 'a=b' } });
  });

  it('applies assignments in order', () => {
    expect(withSetValues(config, ['splits=[{"tasks":1}]', 'splits.0.tasks=2'])).toMatchObject({
      splits: [{ tasks: 2 }],
    });
  });

  it.each([
    ['update.learnRate=1', 'update.learnRate: no such setting; update has learningRate, name'],
    ['updates.learningRate=1', 'no such setting; the config has steps, update, splits'],
    ['steps.more=1', 'no such setting; steps is a value without settings'],
    ['splits.2.tasks=1', 'no such setting; splits has 0, 1'],
    ['splits.length=0', 'no such setting; splits has 0, 1'],
    ['__proto__.polluted=1', 'no such setting'],
    ['steps', 'expected path.to.key=value'],
    ['=3', 'expected path.to.key=value'],
  ])('refuses %s', (assignment, message) => {
    expect(() => withSetValues(config, [assignment])).toThrow(message);
  });

  it('begins anew from the defaults of another environment or scaffold', () => {
    const config = {
      environment: { id: 'babyai', levels: ['Open'] },
      scaffold: { id: 'react', rules: 'babyai' },
    };
    const assignments = ['environment.id=babyai-text', 'environment.maxTurns=20', 'scaffold.id=tool-call'];
    expect(withSetValues(config, assignments)).toEqual({
      environment: { ...ENVIRONMENTS['babyai-text'].defaults, maxTurns: 20 },
      scaffold: { id: 'tool-call' },
    });
    // An id that names nothing is left to the schema, which lists those that do.
    expect(withSetValues(config, ['environment.id=toString'])).toMatchObject({
      environment: { id: 'toString', levels: ['Open'] },
    });
  });
});
