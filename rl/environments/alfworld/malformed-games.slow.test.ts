import { describe, expect, it } from 'vitest';
import { AppError } from '@/contract/errors';
import { compileGame } from './alfworld';
import { LogicCache } from './logic';
import { damageGame, NOISE, playThrough } from './testing/damaged-games';
import { smallGameText } from './testing/small-game';

describe('malformed game files, many and large', () => {
  it.each(NOISE)('10 MB of %j are refused as a file, and 3 MB as any part of one', (noise) => {
    const compile = (text: string) => () => compileGame(text, 'noise', null, new LogicCache());
    expect(compile(noise.repeat(Math.ceil(10_000_000 / noise.length)))).toThrow(
      /^noise has \d+ characters, a game at most/,
    );
    const text = noise.repeat(Math.ceil(3_000_000 / noise.length));
    for (const part of ['pddl_domain', 'grammar', 'pddl_problem'])
      expect(compile(smallGameText({ [part]: text }))).toThrow(AppError);
  });

  it('10,000 damaged games are refused or play, and nothing else', () => {
    const outcomes = Array.from({ length: 10_000 }, (_, seed) => playThrough(damageGame(seed)));
    const strange = outcomes.filter(({ error }) => error !== null && !(error instanceof AppError));
    expect(strange.map(({ error }) => error)).toEqual([]);
    expect(outcomes.filter(({ texts }) => texts.some((text) => /undefined|NaN/.test(text)))).toEqual([]);
  });
});
