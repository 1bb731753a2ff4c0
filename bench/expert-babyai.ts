/**
 * BabyAI's expert, by level and action set: tasks won of those that can be won (Wilson 95 %), tasks proved unwinnable, mean
 * length of the plans, plans a second. Every plan is played in the environment; a plan counts where its last action wins.
 * AgentGym's actions and primitives on all of AgentGym's levels, BabyAI-Text's on its lists. Baseline within the same run:
 * starts a second of the same tasks, a layout and a first observation each. Seconds are the process's CPU time; rates are
 * medians of five rounds, each of its own seeds.
 *
 * Usage: npm run bench -- expert-babyai [SEEDS_A_LEVEL]
 */
import { loadavg } from 'node:os';
import { createBabyAiText } from '@/rl/environments/babyai-text/babyai-text';
import { babyAiTextExpert } from '@/rl/environments/babyai-text/expert';
import { babyAiText50Tasks, babyAiTextSplitTasks } from '@/rl/environments/babyai-text/splits';
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { babyAiExpert } from '@/rl/environments/babyai/expert/babyai-expert';
import { planPrimitives } from '@/rl/environments/babyai/expert/primitive-plan';
import { PRIMITIVE_RULES } from '@/rl/environments/babyai/expert/rules';
import { LEVELS } from '@/rl/environments/babyai/levels/registry';
import { babyAiTask, type BabyAiTask } from '@/rl/environments/babyai/task';
import type { NoPlan } from '@/rl/environments/expert';
import { wilson } from '@/stats/wilson';

const ROUNDS = 5;
const SEEDS_A_LEVEL = Number(process.argv[2] ?? 5);
if (!Number.isSafeInteger(SEEDS_A_LEVEL) || SEEDS_A_LEVEL < 1) {
  console.error(`SEEDS_A_LEVEL must be a positive integer, got ${process.argv[2]}`);
  process.exit(2);
}
/** Tasks of each split of BabyAI-Text, a fifth of them a round. */
const TEXT_TASKS = 240;

/** What came of a row's tasks so far. */
interface Tally {
  won: number;
  unwinnable: number;
  /** Neither won nor proved unwinnable: the reasons. */
  missed: string[];
  actions: number;
  /** By round. */
  plansPerSecond: number[];
  startsPerSecond: number[];
}

/** A task that is started, planned on and played in turn. */
interface Planned<State> {
  id: string;
  start(): State;
  plan(state: State): { actions: readonly unknown[] } | NoPlan;
  /** Plays the plan just made; whether its last action won. */
  play(state: State, actions: readonly unknown[]): boolean;
}

const agentGym = createBabyAi({ maxTurns: null });
const babyAiText = createBabyAiText({ maxTurns: null });

function inActions(task: BabyAiTask): Planned<ReturnType<typeof agentGym.start>> {
  return {
    id: task.id,
    start: () => agentGym.start(task),
    plan: (episode) => babyAiExpert.plan(episode),
    play: (episode, actions) => actions.map((action) => episode.step(String(action)).success).at(-1) ?? false,
  };
}

function inPrimitives(task: BabyAiTask): Planned<ReturnType<typeof agentGym.start>> {
  return {
    ...inActions(task),
    plan: ({ world }) => planPrimitives(world, PRIMITIVE_RULES),
    play: ({ world }, actions) =>
      actions.map((action) => world.step(action as Parameters<typeof world.step>[0])).at(-1) === 'success',
  };
}

function inText(
  task: ReturnType<typeof babyAiText50Tasks>[number],
): Planned<ReturnType<typeof babyAiText.start>> {
  return {
    id: task.id,
    start: () => babyAiText.start(task),
    plan: (episode) => babyAiTextExpert.plan(episode),
    play: (episode, actions) => actions.map((action) => episode.step(String(action)).success).at(-1) ?? false,
  };
}

function timed<Result>(work: () => Result): { result: Result; seconds: number } {
  const start = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(start);
  return { result, seconds: (user + system) / 1e6 };
}

const tallies = new Map<string, Tally>();

function playRound<State>(row: string, tasks: readonly Planned<State>[]): void {
  const tally = tallies.get(row) ?? {
    won: 0,
    unwinnable: 0,
    missed: [],
    actions: 0,
    plansPerSecond: [],
    startsPerSecond: [],
  };
  tallies.set(row, tally);
  const starts = timed(() => tasks.map((task) => task.start()));
  const plans = timed(() => tasks.map((task, index) => task.plan(starts.result[index] as State)));
  tally.startsPerSecond.push(tasks.length / starts.seconds);
  tally.plansPerSecond.push(tasks.length / plans.seconds);
  for (const [index, task] of tasks.entries()) {
    const plan = plans.result[index];
    if (plan?.actions && task.play(starts.result[index] as State, plan.actions)) {
      tally.won++;
      tally.actions += plan.actions.length;
    } else if (plan && !plan.actions && plan.proven) tally.unwinnable++;
    else tally.missed.push(`${task.id}: ${plan && !plan.actions ? plan.reason : 'the plan does not win'}`);
  }
}

const fifth = <Item>(items: readonly Item[], round: number) =>
  items.filter((_, index) => index % ROUNDS === round);

for (let round = 0; round < ROUNDS; round++) {
  for (const { name } of LEVELS) {
    const tasks = Array.from({ length: SEEDS_A_LEVEL }, (_, index) =>
      babyAiTask(name, round * SEEDS_A_LEVEL + index, 'train'),
    );
    playRound(`agentgym ${name}`, tasks.map(inActions));
    playRound(`primitives ${name}`, tasks.map(inPrimitives));
  }
  for (const split of ['train', 'valid_seen', 'valid_unseen'] as const) {
    const tasks = babyAiTextSplitTasks(split, TEXT_TASKS);
    playRound(`babyai-text ${split}`, fifth(tasks, round).map(inText));
  }
  playRound('babyai-text babyai-text-50', fifth(babyAiText50Tasks(), round).map(inText));
  console.log(`round ${round + 1} of ${ROUNDS}, load ${loadavg()[0]?.toFixed(2)}`);
}

const median = (values: readonly number[]) =>
  [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? NaN;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const percent = (fraction: number) => (100 * fraction).toFixed(1);

console.log('actions and level, won of winnable (Wilson 95 %), unwinnable, actions a plan, plans a second');
for (const [row, { won, unwinnable, missed, actions, plansPerSecond }] of tallies) {
  const winnable = won + missed.length;
  const { low, high } = wilson(won, winnable);
  console.log(
    `${row.padEnd(34)} ${won}/${winnable} [${percent(low)}, ${percent(high)}]  ${unwinnable}  ` +
      `${won > 0 ? (actions / won).toFixed(1) : 'n/a'}  ${median(plansPerSecond).toFixed(0)}`,
  );
  for (const reason of missed) console.log(`  missed ${reason}`);
}

/** Of an action set: tasks a second over all its levels, by round. */
function rate(rows: readonly Tally[], name: 'plansPerSecond' | 'startsPerSecond'): number {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    const secondsATask = rows.map((row) => 1 / (row[name][round] ?? NaN));
    return rows.length / sum(secondsATask);
  });
  return median(rounds);
}

const rowsOf = (actionSet: string) =>
  [...tallies].filter(([row]) => row.startsWith(`${actionSet} `)).map(([, tally]) => tally);
const all = [...tallies.values()];
const [inAgentGym, byPrimitives, inBabyAiText] = ['agentgym', 'primitives', 'babyai-text'].map(rowsOf) as [
  Tally[],
  Tally[],
  Tally[],
];
const mean = (rows: readonly Tally[]) =>
  sum(rows.map(({ actions }) => actions)) / sum(rows.map(({ won }) => won));
const won = sum(all.map((tally) => tally.won));
const winnable = won + sum(all.map(({ missed }) => missed.length));
const { low, high } = wilson(won, winnable);

console.log(
  `won ${won}/${winnable} [${percent(low)}, ${percent(high)}], proved unwinnable ${sum(all.map((tally) => tally.unwinnable))}`,
);
for (const [name, rows] of Object.entries({ agentgym: inAgentGym, primitives: byPrimitives })) {
  const starts = rate(rows, 'startsPerSecond');
  const plans = rate(rows, 'plansPerSecond');
  console.log(
    `baseline ${name}: ${starts.toFixed(0)} starts/s, ${(starts / plans).toFixed(1)} times the rate of plans`,
  );
}
console.log(`FIGURE expert_success=${(won / winnable).toFixed(4)} fraction`);
console.log(`FIGURE expert_turns_mean=${mean(inAgentGym).toFixed(2)} turns`);
console.log(`FIGURE expert_primitives_mean=${mean(byPrimitives).toFixed(2)} primitives`);
console.log(`FIGURE expert_plans_per_s=${rate(inAgentGym, 'plansPerSecond').toFixed(0)} plans/s`);
console.log(`FIGURE expert_primitive_plans_per_s=${rate(byPrimitives, 'plansPerSecond').toFixed(0)} plans/s`);
console.log(`FIGURE expert_text_plans_per_s=${rate(inBabyAiText, 'plansPerSecond').toFixed(0)} plans/s`);
