import { describe, expect, it } from 'vitest';
import { scaffoldMismatch, scaffoldsFor, ScaffoldConfig, SCAFFOLDS } from './scaffolds';

describe('scaffolds', () => {
  it('have defaults that are valid, under their own id', () => {
    for (const [id, { defaults, title }] of Object.entries(SCAFFOLDS)) {
      expect(ScaffoldConfig.parse(defaults)).toEqual(defaults);
      expect(defaults.id).toBe(id);
      expect(title).not.toBe('');
    }
  });

  it('refuse a template by the name of the part', () => {
    const config = { ...SCAFFOLDS['tool-call'].defaults, template: { system: 'Reach {goal}.' } };
    expect(ScaffoldConfig.safeParse(config).error?.issues[0]?.path).toEqual(['template', 'system']);
  });

  it('refuse tools of one name, or of a name that no call can hold', () => {
    const named = (toolNames: object) => ScaffoldConfig.safeParse({ id: 'history-10', toolNames }).success;
    expect(named({ goForward: 'move_forward' })).toBe(true);
    expect(named({ goForward: 'turn_left' })).toBe(false);
    expect(named({ goForward: 'go forward' })).toBe(false);
  });
});

describe('a scaffold and an environment', () => {
  it('suit each other where the scaffold can write the environment’s actions', () => {
    expect(scaffoldsFor('babyai-text')).toEqual([
      'recent-actions',
      'react',
      'tool-call',
      'history-10',
      'working-memory',
      'memory-action',
      'verl-agent',
      'strata',
      'listed-strategies',
    ]);
    expect(scaffoldsFor('alfworld')).toEqual([
      'recent-actions',
      'react',
      'verl-agent',
      'lab-tool',
      'strata',
      'listed-strategies',
    ]);
    expect(scaffoldMismatch(SCAFFOLDS['lab-tool'].defaults, 'household')).toBeNull();
  });

  it('are refused together by name where they do not, with those that do', () => {
    expect(scaffoldMismatch(SCAFFOLDS['tool-call'].defaults, 'babyai')).toEqual({
      path: 'id',
      message:
        'tool-call does not suit babyai; scaffolds that do: recent-actions, react, verl-agent, strata, listed-strategies',
    });
  });

  it('are refused where the instructions tell the rules of another world', () => {
    const rules = (world: 'babyai' | 'household') => ({ ...SCAFFOLDS.react.defaults, rules: world });
    expect(scaffoldMismatch(rules('household'), 'alfworld')).toBeNull();
    expect(scaffoldMismatch(rules('babyai'), 'alfworld')).toEqual({
      path: 'rules',
      message: 'rules of babyai do not hold in alfworld; rules that do: none, household',
    });
  });
});
