/**
 * BabyAI on one core: turns and resets a second of AgentGym's text, and steps a second of BabyAI-Text. Every turn makes its
 * observation text, as one flat string, and its action list; actions are offered ones, drawn from a seeded generator.
 * AgentGym's text plays all forty levels by upstream's rules, BabyAI-Text the head of its training list. Baseline within
 * the same run: primitive actions on the bare world of the same levels, without view or text. Seconds are the process's
 * CPU time, so that other work on the machine counts little; figures are medians of five.
 *
 * Usage: npm run bench -- env-babyai
 */
import { loadavg } from 'node:os';
import { createBabyAiText } from '@/rl/environments/babyai-text/babyai-text';
import { babyAiTextSplitTasks } from '@/rl/environments/babyai-text/splits';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { findLevel, LEVELS } from '@/rl/environments/babyai/levels/registry';
import { babyAiTask } from '@/rl/environments/babyai/task';
import { World } from '@/rl/environments/babyai/world';
import type { Episode, StepResult } from '@/rl/environments/environment';
import { createRandom } from '@/rl/random';

const REPEATS = 5;
const SEEDS_A_LEVEL = 10;
const TURNS = 60;
/** More than turns, since each is short. */
const PRIMITIVES = 600;
const TEXT_TASKS = 400;

interface Rate {
  count: number;
  seconds: number;
}

interface SyncEpisode extends Episode {
  step(action: string): StepResult;
}

/** Read from, so that no text is left unmade. */
let read = 0;

function makeText(text: string): void {
  read ^= text.charCodeAt(text.length >> 1);
}

function timed(work: () => number): Rate {
  const start = process.cpuUsage();
  const count = work();
  const { user, system } = process.cpuUsage(start);
  return { count, seconds: (user + system) / 1e6 };
}

/** Plays every episode to its end or for TURNS turns; counts turns. */
function playAll(episodes: readonly SyncEpisode[], seed: number): number {
  const random = createRandom(seed);
  let turns = 0;
  for (const episode of episodes) {
    for (let turn = 0, done = false; turn < TURNS && !done; turn++) {
      const result = episode.step(random.pick(episode.observe().availableActions));
      makeText(result.observation.text);
      turns++;
      ({ done } = result);
    }
  }
  return turns;
}

const agentGym = createBabyAi({ compat: 'agentgym' });
const babyAiText = createBabyAiText();
const textTasks = babyAiTextSplitTasks('train', TEXT_TASKS);

function agentGymTasks(repeat: number) {
  return LEVELS.flatMap(({ name }) =>
    Array.from({ length: SEEDS_A_LEVEL }, (_, index) =>
      babyAiTask(name, repeat * SEEDS_A_LEVEL + index, 'train'),
    ),
  );
}

function measure(repeat: number): Record<string, number> {
  const rates: Record<string, Rate> = {};

  const tasks = agentGymTasks(repeat);
  const worlds = tasks.map(({ level, seed }) => new World(findLevel(level), seed, 1, { solvable: false }));
  const random = createRandom(repeat);
  rates.primitives = timed(() => {
    for (const world of worlds)
      for (let step = 0; step < PRIMITIVES; step++) world.step(random.pick([0, 1, 2, 3, 4, 5] as const));
    return worlds.length * PRIMITIVES;
  });

  let episodes: SyncEpisode[] = [];
  rates.resets = timed(() => {
    episodes = tasks.map((task) => agentGym.start(task));
    for (const episode of episodes) makeText(episode.observe().text);
    return episodes.length;
  });
  rates.actions = timed(() => playAll(episodes, repeat));

  rates.textResets = timed(() => {
    episodes = textTasks.map((task) => babyAiText.start(task));
    return episodes.length;
  });
  rates.textSteps = timed(() => playAll(episodes, repeat));

  return Object.fromEntries(
    Object.entries(rates).map(([name, { count, seconds }]) => [name, count / seconds]),
  );
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

// The first round compiles the code; it is not counted.
measure(0);
const repeats = Array.from({ length: REPEATS }, (_, index) => {
  const rates = measure(index + 1);
  const shown = Object.entries(rates).map(([name, rate]) => `${name} ${whole(rate)}/s`);
  console.log(`repeat ${index + 1}: ${shown.join(', ')}, load ${loadavg()[0]?.toFixed(2)}`);
  return rates;
});

const figure = (name: string) => median(repeats.map((rates) => rates[name] ?? NaN));
const ratio = (name: string) => (figure(name) / figure('primitives')).toFixed(3);
console.log(`texts read, checksum ${read}`);
console.log(
  `baseline, primitive actions on the bare world: ${whole(figure('primitives'))}/s; of it BabyAI-Text ${ratio('textSteps')}, ` +
    `AgentGym text ${ratio('actions')}`,
);
console.log(`FIGURE babyai_text_steps_per_s=${Math.round(figure('textSteps'))} steps/s`);
console.log(`FIGURE agentgym_actions_per_s=${Math.round(figure('actions'))} actions/s`);
console.log(`FIGURE resets_per_s=${Math.round(figure('resets'))} resets/s`);
console.log(`FIGURE babyai_text_resets_per_s=${Math.round(figure('textResets'))} resets/s`);
