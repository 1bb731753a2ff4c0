import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import { demonstrations } from '@/rl/environments/household/demonstrations';
import { createHousehold } from '@/rl/environments/household/household';
import { splitTasks } from '@/rl/environments/household/splits';
import { householdGame } from '@/rl/environments/household/game';
import { createRandom } from '@/rl/random';
import { createTokenizer } from '../engines/onnx/tokenizer/hugging-face-tokenizer';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { REPOSITORY_DIR } from '../env';
import { householdPhrases } from './household-vocabulary';
import { demonstratedTurns } from './warm-start';

const made = buildPhraseTokenizer(householdPhrases());
const tokenizer = createTokenizer('household', {
  'tokenizer.json': JSON.stringify(made.tokenizerJson),
  'tokenizer_config.json': JSON.stringify(made.tokenizerConfig),
});
const environment = createHousehold();
const { small } = GRPO_PRESETS;

/** What a text is written in where no phrase covers it. */
const bytesOf = (ids: readonly number[]): Set<string> =>
  new Set(ids.filter((id) => id < 256).map((id) => tokenizer.decode([id])));

describe('the household’s vocabulary', () => {
  it('is the very one that models/household-tiny has, so that its weights mean the same ids', () => {
    const shipped = (file: string): unknown =>
      JSON.parse(readFileSync(join(REPOSITORY_DIR, small.engine.model, file), 'utf8'));
    expect(made.tokenizerJson).toEqual(shipped('tokenizer.json'));
    expect(made.tokenizerConfig).toEqual(shipped('tokenizer_config.json'));
    expect(made.generationConfig).toEqual(shipped('generation_config.json'));
  });

  it('writes whole demonstrations in phrases, but for punctuation, a turn in at most 160 tokens', () => {
    const shown = [...demonstrations({ environment, random: createRandom(1), count: 48 })];
    const turns = shown.flatMap((demonstration) => demonstratedTurns(demonstration, small, tokenizer));
    expect(turns.length).toBeGreaterThan(400);
    const punctuation = new Set([',', '.', ':', ';']);
    for (const { prompt, reply } of turns) {
      for (const byte of bytesOf([...prompt, ...reply])) expect(punctuation).toContain(byte);
      expect(prompt.length + reply.length).toBeLessThanOrEqual(160);
      expect(reply.length).toBeLessThanOrEqual(small.rollout.maxReplyTokens);
    }
  });

  it('covers the rooms that were held out', () => {
    const punctuation = new Set([',', '.', ':']);
    for (const task of splitTasks('valid_unseen', 48)) {
      const episode = environment.start(task);
      const texts = [`Your goal: ${episode.goal}`, `\n${episode.observe().text}`];
      for (const command of householdGame(task).walkthrough)
        texts.push(` ${command}`, `\n${episode.step(command).observation.text}`);
      for (const text of texts) {
        const ids = tokenizer.encode(text);
        expect(tokenizer.decode(ids)).toBe(text);
        for (const byte of bytesOf(ids)) expect(punctuation).toContain(byte);
      }
    }
  });
});
