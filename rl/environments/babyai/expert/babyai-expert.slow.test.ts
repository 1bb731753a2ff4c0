import { describe, expect, it } from 'vitest';
import { createRandom } from '@/rl/random';
import { createBabyAi } from '../babyai';
import type { BabyAiEpisode } from '../episode';
import { LEVELS } from '../levels/registry';
import { babyAiTask } from '../task';
import { babyAiExpert } from './babyai-expert';
import { planPrimitives } from './primitive-plan';
import { PRIMITIVE_RULES } from './rules';

const SEEDS = 100;
const STRAYED_SEEDS = 40;

const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
const environment = createBabyAi({ maxTurns: null });
const start = (level: string, seed: number) => environment.start(babyAiTask(level, seed, 'train'));

/** Why a task has no plan. All are proofs. */
const BOXED = /a box holds it, and no action opens a box$/;
const BARRED = /^the \w+ \w+ cannot be reached$/;
const TOO_EARLY = /to be opened later, and no action shuts a door$/;
const SELF_DEFEATING = /fails the strict part of \w+ \w+ door, judged in the same action$/;

/** Seeds below 100 that nothing wins, by level. */
const UNWINNABLE: Readonly<Record<string, { reason: RegExp; seeds: readonly number[] }>> = {
  // Two doors in order, the second strict: opening the first fails it.
  OpenDoorsOrderN4Debug: {
    reason: SELF_DEFEATING,
    seeds: seeds.filter((seed) => start('OpenDoorsOrderN4Debug', seed).world.instruction.kind !== 'open'),
  },
  // Another object, not to be touched, bars the corner of the mission's.
  PickupDistDebug: { reason: BARRED, seeds: [36, 52] },
};

/** Seeds below 100 that no actions of AgentGym win, though primitives do. */
const UNWINNABLE_IN_AGENTGYM: typeof UNWINNABLE = {
  KeyInBox: { reason: BOXED, seeds },
  // The only way to what comes first leads through the door to be opened afterwards.
  MiniBossLevel: { reason: TOO_EARLY, seeds: [22, 28, 65, 70] },
  BossLevel: { reason: TOO_EARLY, seeds: [27] },
  BossLevelNoUnlock: { reason: TOO_EARLY, seeds: [47, 57, 58] },
};

/** Plays an episode's plan: null where it wins, else why it does not. */
function failureOf(episode: BabyAiEpisode): string | null {
  const plan = babyAiExpert.plan(episode);
  if (!plan.actions) return plan.proven ? `proven: ${plan.reason}` : plan.reason;
  let won = false;
  for (const [turn, action] of plan.actions.entries()) {
    const { success, valid, done } = episode.step(action);
    if (!valid) return `turn ${turn} is refused: ${action}`;
    if (done && turn < plan.actions.length - 1) return `the episode ends at turn ${turn}`;
    won = success;
  }
  return won ? null : 'the plan does not win';
}

describe.each(LEVELS.map(({ name }) => name))('the expert on many seeds of %s', (name) => {
  it('wins by primitives on all but the named', () => {
    const { reason, seeds: lost } = UNWINNABLE[name] ?? { reason: null, seeds: [] };
    for (const seed of seeds) {
      const { world } = start(name, seed);
      const plan = planPrimitives(world, PRIMITIVE_RULES);
      if (reason && lost.includes(seed)) {
        expect(plan).toMatchObject({ proven: true, reason: expect.stringMatching(reason) });
      } else {
        expect(plan.actions?.map((action) => world.step(action)).at(-1)).toBe('success');
      }
    }
  });

  it('wins in AgentGym’s actions on all but the named', () => {
    const { reason, seeds: lost } = UNWINNABLE[name] ??
      UNWINNABLE_IN_AGENTGYM[name] ?? { reason: null, seeds: [] };
    for (const seed of seeds) {
      const failure = failureOf(start(name, seed));
      if (reason && lost.includes(seed)) expect(failure?.replace('proven: ', '')).toMatch(reason);
      else expect([seed, failure]).toEqual([seed, null]);
    }
  });

  it.each([{ maxTurns: null }, { compat: 'agentgym' }] as const)(
    'wins from states after random turns, or proves that nothing can, with %j',
    (settings) => {
      for (let seed = 0; seed < STRAYED_SEEDS; seed++) {
        const random = createRandom(seed);
        const episode = createBabyAi(settings).start(babyAiTask(name, seed, 'train'));
        let done = false;
        for (let turn = 0; turn < 15 && !done; turn++) {
          ({ done } = episode.step(random.pick(episode.observe().availableActions)));
        }
        if (!done) expect(failureOf(episode) ?? 'proven: won').toMatch(/^proven: /);
      }
    },
  );
});
