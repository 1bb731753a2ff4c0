/**
 * How fast ALFWorld's games load and play on one core, with the admissible list at every step: 20 games of valid_seen and
 * valid_unseen in turn, each played by 200 seeded random admissible commands, started anew where it is won. Steps per second
 * are of processor time, resets included, so that other work on the machine does not count; the rest is time on the wall.
 * Baseline in the same run: the same play with every action's list also joined afresh at each step.
 *
 * Usage: npm run bench -- env-alfworld   (games: alfworld/games.tar.xz in STEPSCOPE_DATA)
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { compileGame } from '@/rl/environments/alfworld/alfworld';
import { AlfWorldEpisode } from '@/rl/environments/alfworld/episode';
import type { Game } from '@/rl/environments/alfworld/game';
import { LogicCache } from '@/rl/environments/alfworld/logic';
import type { AlfWorldTask } from '@/rl/environments/alfworld/task';
import { createRandom } from '@/rl/random';
import { listGames } from '@/workers/alfworld/game-list';
import { openGameStore } from '@/workers/alfworld/game-store';
import { outsideDataDir } from '@/workers/env';

const GAMES_PER_SPLIT = 10;
const STEPS_PER_GAME = 200;
const REPEATS = 5;

const store = openGameStore(join(outsideDataDir(), 'alfworld', 'games.tar.xz'));
const tasks = (['valid_seen', 'valid_unseen'] as const).flatMap((folder) => {
  const list = listGames(store, folder).tasks;
  const apart = Math.floor(list.length / GAMES_PER_SPLIT);
  return list.filter((_task, index) => index % apart === 0).slice(0, GAMES_PER_SPLIT);
});
const texts = tasks.map((task) => store.read(task.game));

interface Timings {
  loadMs: number[];
  resetMs: number[];
  stepMs: number[];
  /** Processor time of all steps and what is around them. */
  cpuMs: number;
}

/** Runs `work` and notes how long it took. */
function timed<T>(notes: number[], work: () => T): T {
  const start = performance.now();
  const result = work();
  notes.push(performance.now() - start);
  return result;
}

function play(task: AlfWorldTask, game: Game, { resetMs, stepMs }: Timings, afresh: boolean): void {
  const random = createRandom(1);
  const start = () => timed(resetMs, () => new AlfWorldEpisode(task, game, { maxTurns: null }));
  let episode = start();
  for (let step = 0; step < STEPS_PER_GAME; step++) {
    const command = random.pick(episode.observe().availableActions);
    const { done } = timed(stepMs, () => {
      const result = episode.step(command);
      if (afresh) episode.world.joinAfresh();
      return result;
    });
    if (done) episode = start();
  }
}

function measure(afresh: boolean): Timings {
  const timings: Timings = { loadMs: [], resetMs: [], stepMs: [], cpuMs: 0 };
  const logics = new LogicCache();
  const games = tasks.map((task, index) =>
    timed(timings.loadMs, () => compileGame(texts[index] ?? '', task.game, null, logics)),
  );
  const start = process.cpuUsage();
  tasks.forEach((task, index) => {
    const game = games[index];
    if (game) play(task, game, timings, afresh);
  });
  const { user, system } = process.cpuUsage(start);
  return { ...timings, cpuMs: (user + system) / 1000 };
}

const quantile = (values: readonly number[], share: number) =>
  [...values].sort((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? NaN;
const median = (values: readonly number[]) => quantile(values, 0.5);
const perSecond = ({ stepMs, cpuMs }: Timings) => (1000 * stepMs.length) / cpuMs;

measure(false);
const repeats = Array.from({ length: REPEATS }, (_, repeat) => {
  const kept = measure(false);
  const baseline = measure(true);
  const figures = {
    steps_per_s: perSecond(kept),
    step_ms_median: median(kept.stepMs),
    step_ms_p95: quantile(kept.stepMs, 0.95),
    reset_ms_median: median(kept.resetMs),
    reset_ms_p95: quantile(kept.resetMs, 0.95),
    load_ms_median: median(kept.loadMs),
    load_ms_p95: quantile(kept.loadMs, 0.95),
    baseline_steps_per_s: perSecond(baseline),
  };
  console.log(`repeat ${repeat + 1}: ${JSON.stringify(figures)} load ${loadavg()[0]?.toFixed(2)}`);
  return figures;
});

type FigureName = keyof (typeof repeats)[number];
const figure = (name: FigureName) => median(repeats.map((repeat) => repeat[name]));
const faster = figure('steps_per_s') / figure('baseline_steps_per_s');
console.log(
  `${tasks.length} games, ${STEPS_PER_GAME} steps each; ${faster.toFixed(2)} times the baseline's steps/s`,
);
console.log(`FIGURE steps_per_s=${figure('steps_per_s').toFixed(0)} 1/s`);
const inMs: FigureName[] = [
  'step_ms_median',
  'step_ms_p95',
  'reset_ms_median',
  'reset_ms_p95',
  'load_ms_median',
  'load_ms_p95',
];
for (const name of inMs) console.log(`FIGURE ${name}=${figure(name).toFixed(3)} ms`);
