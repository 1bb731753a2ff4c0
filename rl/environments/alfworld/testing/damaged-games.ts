import { createRandom, hashSeed, type Random } from '@/rl/random';
import { compileGame } from '../alfworld';
import { LogicCache } from '../logic';
import { World } from '../world';
import { smallGameText } from './small-game';

/** Pieces that noise is made of by repetition: each is hard on some reader. */
export const NOISE: readonly string[] = [
  '(',
  ')',
  '()',
  '(a ',
  '; ',
  ' ',
  'a',
  '- ',
  '?x - ',
  '\0',
  '\ud800',
  '"',
  '"""',
  '#',
  '{',
  '[{',
  '{a | ',
  '\\',
  'grammar :: ',
  'grammar :: """{}""";',
  'grammar :: """{"a": [{"rhs": "#a#"}]}""";',
  'action a { ',
  '"task": [{"rhs": "',
];

/** The small game's file with one damage of its text, drawn by the seed. */
export function damageGame(seed: number): string {
  const random = createRandom(hashSeed('damaged game', seed));
  const parts = JSON.parse(smallGameText()) as Record<string, string>;
  const part = random.pick(['pddl_domain', 'grammar', 'pddl_problem']);
  return JSON.stringify({ ...parts, [part]: damage(parts[part] ?? '', random) });
}

function damage(text: string, random: Random): string {
  const at = random.integer(text.length);
  const words = text.match(/[\w?:-]+/g) ?? [];
  const length = 1 + random.integer(30);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (random.integer(5)) {
    case 0:
      return before;
    case 1:
      return before + after.slice(length);
    case 2:
      return before + random.pick(NOISE) + after;
    case 3:
      return before + after.slice(0, length) + after;
    default:
      return text.replaceAll(random.pick(words), random.pick(words));
  }
}

/** Compiles a game and plays 30 seeded admissible commands; what was said, and the error that ended it. */
export function playThrough(text: string): { texts: string[]; error: unknown } {
  const texts: string[] = [];
  try {
    const world = World.start(compileGame(text, 'damaged', null, new LogicCache()));
    texts.push(world.intro());
    const random = createRandom(1);
    for (let turn = 0; turn < 30 && world.admissible.commands.length > 0; turn++) {
      texts.push(world.command(random.pick(world.admissible.commands)) ?? '');
    }
    return { texts, error: null };
  } catch (error) {
    return { texts, error };
  }
}
