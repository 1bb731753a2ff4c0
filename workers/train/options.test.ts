import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { parseTrainOptions } from './options';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'stepscope-options-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('parseTrainOptions', () => {
  it('resolves preset, seed and replaced settings into a whole config', () => {
    const options = parseTrainOptions(
      ['--recipe', 'grpo', '--preset', 'demo', '--seed', '7', '--set', 'update.learningRate=0'],
      home,
    );
    expect(options.config).toEqual({
      ...GRPO_PRESETS.demo,
      seed: 7,
      update: { ...GRPO_PRESETS.demo.update, learningRate: 0 },
    });
    expect(options.outDir).toBe(join(home, 'runs', 'grpo-demo-seed7'));
  });

  it('takes recipe, preset and config from the run.json of a bundle', () => {
    const config = { ...GRPO_PRESETS.verify, seed: 5 };
    const path = join(home, 'run.json');
    writeFileSync(path, JSON.stringify({ name: 'a run', recipe: 'grpo', preset: 'verify', config }));
    const options = parseTrainOptions(['--config', path, '--set', 'steps=2'], home);
    expect(options).toMatchObject({ recipe: 'grpo', preset: 'verify', config: { ...config, steps: 2 } });
    expect(() => parseTrainOptions(['--config', path, '--recipe', 'grpo'], home)).toThrow(
      '--config names recipe and preset itself',
    );
    writeFileSync(path, '{"recipe": "dqn"}');
    expect(() => parseTrainOptions(['--config', path], home)).toThrow('recipe');
  });

  it('numbers a further run of the same name', () => {
    const taken = join(home, 'runs', 'grpo-verify-seed1');
    mkdirSync(taken, { recursive: true });
    writeFileSync(join(taken, 'events.jsonl'), '');
    expect(parseTrainOptions(['--recipe', 'grpo', '--preset', 'verify'], home).outDir).toBe(`${taken}-2`);
  });

  it('refuses a given folder that holds a run', () => {
    writeFileSync(join(home, 'events.jsonl'), '');
    expect(() => parseTrainOptions(['--recipe', 'grpo', '--preset', 'verify', '--out', home], home)).toThrow(
      `--out ${home} already holds a run`,
    );
  });

  it.each([
    [['--preset', 'demo'], '--recipe is missing; expected one of grpo'],
    [['--recipe', 'dqn'], '--recipe dqn is unknown; expected one of grpo'],
    [['--recipe', 'grpo', '--preset', 'huge'], '--preset huge is unknown; expected one of demo'],
    [['--recipe', 'grpo', '--preset', 'demo', '--seed', 'x'], 'config.seed'],
    [['--recipe', 'grpo', '--preset', 'demo', '--set', 'rollout.groupSize=1'], 'config.rollout.groupSize'],
    [['--recipe', 'grpo', '--preset', 'demo', '--steps', '3'], "Unknown option '--steps'"],
  ])('names what is wrong in %j', (argv, message) => {
    expect(() => parseTrainOptions(argv, home)).toThrow(message);
  });
});
