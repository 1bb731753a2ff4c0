import { damaged } from '../importer';
import type { PublishedDocument } from './document';
import { countOf, statedEvaluation } from '../stated-evaluation';

/** A row of the table, whose cells the text runs together: `Step 4057.14%52.24%54.74%5.24`. */
const ROW = /(Base|Step (\d{2}))(\d{2}\.\d{2})%(\d{2}\.\d{2})%(\d{2}\.\d{2})%(\d\.\d{2})/g;

/** Qwen3.5-4B on ALFWorld: a base and two checkpoints on both splits, and the bill. */
export const agenticRlLab: PublishedDocument = {
  mark: /agentic-rl-lab/,
  parts: ['run'],
  *read(text, _part, { facts }) {
    const [seen] = text.find(/valid_seen(\d+)房间/, 'number of tasks of valid_seen');
    const [unseen] = text.find(/valid_unseen(\d+)房间/, 'number of tasks of valid_unseen');
    const [temperature, seed] = text.find(/temperature ([\d.]+)、seed (\d+)/, 'settings of the evaluation');
    const [maxTurns] = text.find(/最多 (\d+) 步/, 'number of turns');
    const [model] = text.find(/--base-model (\S+)/, 'base model');
    const [cost] = text.find(/账单[^¥]*¥([\d.]+)/, 'bill');
    const [prefilled, trained, sampled] = text.find(
      /prefilling: ([\d.]+)M train: ([\d.]+)M sample: ([\d.]+)M/,
      'bill of tokens',
    );
    Object.assign(facts, {
      engine: { model },
      environment: { id: 'alfworld', maxTurns: Number(maxTurns) },
      scaffold: { id: 'lab-tool' },
      bill: { currency: 'CNY', total: Number(cost) },
    });
    const rows = [...text.text.matchAll(ROW)];
    if (rows.length === 0) throw damaged(text.file, null, 'states no success by checkpoint');
    const settings = {
      environment: 'alfworld',
      temperature: Number(temperature),
      maxTurns: Number(maxTurns),
      seed: Number(seed),
    };
    for (const row of rows) {
      const step = Number(row[2] ?? 0);
      const line = text.lineOf(row.index);
      for (const [split, tasks, rate] of [
        ['valid_seen', Number(seen), row[3] ?? ''],
        ['valid_unseen', Number(unseen), row[4] ?? ''],
      ] as const) {
        const successes = countOf(text.file, line, rate, tasks, 'percent');
        const evaluation = statedEvaluation({ ...settings, step, split, n: tasks, successes });
        yield { kind: 'evaluation:finished', evaluation };
        const points = [{ name: `eval/${split}/success_rate`, value: successes / tasks }];
        yield { kind: 'points:measured', step, points };
      }
      const invalid = { name: 'eval/invalid_actions_mean', value: Number(row[6]) };
      yield { kind: 'points:measured', step, points: [invalid] };
    }
    const last = Math.max(...rows.map((row) => Number(row[2] ?? 0)));
    // Of the whole run: the text states them no finer.
    const points = [
      { name: 'tokens/prefilled', value: Number(prefilled) * 1e6 },
      { name: 'tokens/trained', value: Number(trained) * 1e6 },
      { name: 'tokens/sampled', value: Number(sampled) * 1e6 },
    ];
    yield { kind: 'points:measured', step: last, points };
  },
};
