import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, readSource } from './testing/read-source';

describe('results of lm-evaluation-harness', () => {
  it('give IFEval, GPQA by filter and MMLU-Redux over questions and over subjects', async () => {
    const results = {
      results: {
        ifeval: {
          alias: 'ifeval',
          'prompt_level_strict_acc,none': 0.9,
          'prompt_level_strict_acc_stderr,none': 0.01,
        },
        gpqa_diamond_cot_zeroshot: { 'exact_match,strict-match': 0.5, 'exact_match,flexible-extract': 0.6 },
        mmlu_redux: { 'exact_match,default': 0.7 },
        mmlu_redux_anatomy_generative: { 'exact_match,default': 0.8 },
        mmlu_redux_astronomy_generative: { 'exact_match,default': 0.5 },
      },
      group_subtasks: { mmlu_redux: ['mmlu_redux_anatomy_generative', 'mmlu_redux_astronomy_generative'] },
      'n-samples': {
        ifeval: { original: 541, effective: 541 },
        gpqa_diamond_cot_zeroshot: { original: 198, effective: 198 },
        mmlu_redux_anatomy_generative: { original: 100, effective: 100 },
        mmlu_redux_astronomy_generative: { original: 50, effective: 50 },
      },
      model_name: 'Qwen3-14B',
    };
    const { format, events } = await readSource(await fileOf('results_1.json', JSON.stringify(results)), {
      step: 8,
    });
    expect(format).toBe('lm-eval');
    const scores = events.flatMap((event) =>
      event.kind === 'capability:measured' ? [[event.result.benchmark, event.result.scores] as const] : [],
    );
    expect(Object.fromEntries(scores)).toMatchObject({
      ifeval: [{ metric: 'prompt_level_strict_acc', value: 0.9, n: 541 }],
      gpqa_diamond: [
        { metric: 'strict', value: 0.5, n: 198 },
        { metric: 'flexible', value: 0.6, n: 198 },
      ],
      mmlu_redux: [
        { metric: 'micro', value: 0.7, n: 150 },
        { metric: 'macro', value: 0.65, n: null, isMacro: true },
        { metric: 'anatomy', value: 0.8, n: 100 },
        { metric: 'astronomy', value: 0.5, n: 50 },
      ],
    });
  });

  it('read each task’s own samples, and count no question that was not scored', async () => {
    const results = {
      results: { gpqa: { 'acc,none': 0.5 }, gpqa_main: { 'acc,none': 0.5 } },
      'n-samples': { gpqa: { effective: 3 }, gpqa_main: { effective: 1 } },
    };
    const folder = path.dirname(await fileOf('results_1.json', JSON.stringify(results)));
    const sample = (acc?: number) => JSON.stringify({ doc: { subject: 'Physics' }, acc });
    await writeFile(
      path.join(folder, 'samples_gpqa_2026-01-01.jsonl'),
      `${[sample(1), sample(0), sample()].join('\n')}\n`,
    );
    await writeFile(path.join(folder, 'samples_gpqa_main_2026-01-01.jsonl'), `${sample(1)}\n`);
    const { events } = await readSource(folder);
    const physics = events.flatMap((event) =>
      event.kind === 'capability:measured'
        ? event.result.scores.filter(({ metric }) => metric === 'physics')
        : [],
    );
    expect(physics).toMatchObject([
      { value: 0.5, n: 2 },
      { value: 1, n: 1 },
    ]);
  });

  it('that name no model in their arguments are of config.model, else of the file’s name, and it is said', async () => {
    const results = { results: { gpqa: { 'acc,none': 0.5 } }, 'n-samples': { gpqa: { effective: 40 } } };
    const modelIn = async (more: object) => {
      const file = await fileOf('results_1.json', JSON.stringify({ ...results, ...more }));
      const { events, skipped } = await readSource(file);
      const models = events.flatMap((event) =>
        event.kind === 'capability:measured' ? [event.result.model] : [],
      );
      return { models, reasons: skipped.map(({ reason }) => reason) };
    };
    const words = 'model_name and config.model_args name no model: it is called';
    expect(await modelIn({ config: { model: 'local-chat' } })).toEqual({
      models: ['local-chat'],
      reasons: [`${words} local-chat, by config.model`],
    });
    expect(await modelIn({ config: {} })).toEqual({
      models: ['results_1.json'],
      reasons: [`${words} results_1.json, by the file’s name`],
    });
    expect(await modelIn({ config: { model: 'hf', model_args: 'pretrained=Qwen3-14B' } })).toEqual({
      models: ['Qwen3-14B'],
      reasons: [],
    });
  });

  it('leave out a task without a question, by name, and keep the others', async () => {
    const results = {
      results: {
        ifeval: { 'prompt_level_strict_acc,none': 0 },
        gpqa: { 'acc,none': 0.5 },
        mmlu_redux_anatomy_generative: { 'exact_match,default': 0.8 },
        mmlu_redux_astronomy_generative: { 'exact_match,default': 0 },
      },
      'n-samples': {
        ifeval: { effective: 0 },
        gpqa: { effective: 40 },
        mmlu_redux_anatomy_generative: { effective: 100 },
        mmlu_redux_astronomy_generative: { effective: 0 },
      },
      model_name: 'Qwen3-14B',
    };
    const { events, skipped } = await readSource(await fileOf('results_1.json', JSON.stringify(results)));
    const scores = events.flatMap((event) =>
      event.kind === 'capability:measured' ? [[event.result.benchmark, event.result.scores] as const] : [],
    );
    expect(Object.fromEntries(scores)).toMatchObject({
      gpqa: [{ metric: 'acc', value: 0.5, n: 40 }],
      mmlu_redux: [
        { metric: 'micro', value: 0.8, n: 100 },
        { metric: 'macro', value: 0.8, n: null },
        { metric: 'anatomy', value: 0.8, n: 100 },
      ],
    });
    expect(scores).toHaveLength(2);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'ifeval: n-samples.effective is 0, no question',
      'mmlu_redux_astronomy_generative: n-samples.effective is 0, no question',
    ]);
  });
});
