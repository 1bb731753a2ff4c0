import type { Trajectory } from '@/contract/trajectory';
import { conversationTrajectory, type Message } from './conversation';
import { EvaluationTally, seedOfSample, type StatedSettings } from './evaluation-tally';
import {
  damaged,
  onlyFile,
  type ImportContext,
  type ImportedEvent,
  type Importer,
  type ImportSource,
  type SourceFile,
} from './importer';
import { InspectHeader, InspectSample, scoreOf, textOf } from './inspect-log';
import { parseJson, readJsonFile } from './lines';
import { isMetricName, jsonMetricValue, pointEvents } from './metric-values';
import { ZipFile } from './zip';

/** A sample of an archive. */
const ENTRY = /^samples\/.*\.json$/;

/** Logs of Inspect: `.eval` (zip) and `.json`. */
export const inspect: Importer = {
  format: 'inspect',
  recognises: ({ files, isFolder }, head) => {
    const name = files[0]?.name ?? '';
    if (isFolder) return false;
    if (/\.eval$/i.test(name)) return head.startsWith('PK');
    return /\.json$/i.test(name) && /"eval"\s*:\s*\{/.test(head) && head.includes('"task"');
  },
  read: readLog,
};

async function* readLog(source: ImportSource, context: ImportContext): AsyncGenerator<ImportedEvent> {
  const file = onlyFile(source);
  const { header, samples } = /\.eval$/i.test(file.name) ? await openArchive(file) : await openJson(file);
  const { task, model, created } = header.eval;
  Object.assign(context.facts, { environment: { id: task }, engine: { model }, inspect: header.eval });
  const at = created === undefined || Number.isNaN(Date.parse(created)) ? null : Date.parse(created);
  const tally = new EvaluationTally(settingsOf(header, context));
  const epochs = header.eval.config?.epochs ?? 1;
  let held = 0;
  let unscored = 0;
  for await (const { place, value } of samples) {
    const parsed = InspectSample.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw damaged(place, null, `${issue?.path.join('.') ?? 'sample'}: ${issue?.message ?? 'not valid'}`);
    }
    const { trajectory, isScored, isError } = readSample(parsed.data, task, context);
    held++;
    if (!isScored && !isError) unscored++;
    const stated = epochs > 1 ? null : header.plan?.config?.seed;
    const seed = stated ?? seedOfSample(trajectory.sample);
    const counted = isScored || isError ? tally.add(trajectory, seed) : trajectory;
    yield { file: file.name, line: null, at, event: { kind: 'trajectory:finished', trajectory: counted } };
  }
  const claimed = header.results?.total_samples;
  if (claimed !== undefined && claimed !== null && claimed !== held)
    context.skip({
      file: file.name,
      line: null,
      reason: `the log states ${claimed} samples and holds ${held}`,
    });
  if (unscored > 0)
    context.skip({
      file: file.name,
      line: null,
      reason: `${unscored} samples have no score: they are in no rate`,
    });
  yield* resultEvents(file.name, at, header, context);
  for (const evaluation of tally.results())
    yield { file: file.name, line: null, at, event: { kind: 'evaluation:finished', evaluation } };
}

function settingsOf(header: InspectHeader, { options }: ImportContext): StatedSettings {
  const { task, task_version: version, dataset } = header.eval;
  const { temperature, top_k: topK, top_p: topP } = header.plan?.config ?? {};
  return {
    checkpoint: options.checkpoint,
    step: options.step,
    split: options.split,
    environment: task,
    environmentVersion: `${version ?? 'n/a'}, dataset ${dataset?.name ?? 'n/a'}`,
    scaffold: header.plan?.steps?.map(({ solver }) => solver).join(', ') ?? 'n/a',
    decoding: temperature === 0 ? 'greedy' : 'sampled',
    temperature: temperature ?? null,
    topK: topK ?? null,
    topP: topP ?? null,
  };
}

interface OpenedLog {
  header: InspectHeader;
  samples: AsyncIterable<{ place: string; value: unknown }> | Iterable<{ place: string; value: unknown }>;
}

async function openJson(file: SourceFile): Promise<OpenedLog> {
  const value = await readJsonFile(file);
  const header = readHeader(file.name, value);
  const samples = header.samples ?? [];
  return {
    header,
    samples: samples.map((sample, index) => ({ place: `${file.name}, sample ${index + 1}`, value: sample })),
  };
}

async function openArchive(file: SourceFile): Promise<OpenedLog> {
  const archive = await ZipFile.open(file);
  const entry = archive.entries.find(({ name }) => name === 'header.json');
  if (!entry) {
    await archive.close();
    throw damaged(
      file.name,
      null,
      'header.json is missing: the evaluation did not end; dump it with `inspect log dump`',
    );
  }
  const header = readHeader(file.name, parseJson(`${file.name}, header.json`, await archive.text(entry)));
  async function* samples() {
    try {
      for (const each of archive.entries.filter(({ name }) => ENTRY.test(name))) {
        const place = `${file.name}, ${each.name}`;
        yield { place, value: parseJson(place, await archive.text(each)) };
      }
    } finally {
      await archive.close();
    }
  }
  return { header, samples: samples() };
}

function readHeader(file: string, value: unknown): InspectHeader {
  const parsed = InspectHeader.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(file, null, `${issue?.path.join('.') || 'the log'}: ${issue?.message ?? 'not valid'}`);
}

function readSample(sample: InspectSample, task: string, { options }: ImportContext) {
  const { isSuccess, value, isScored } = scoreOf(sample);
  const messages = sample.messages
    .filter(({ role }) => role !== 'system')
    .map(({ role, content }): Message => ({
      by: role === 'assistant' ? 'agent' : 'environment',
      text: textOf(content),
    }));
  const said = sample.error ?? null;
  const isError = said !== null;
  const trajectory = conversationTrajectory(
    messages,
    {
      taskId: String(sample.id),
      taskType: task,
      reward: isScored ? value : null,
      // A play that failed counts as not won, as everywhere.
      success: isScored || isError ? isSuccess : null,
      actions: 'whole-reply',
      stopReason: isScored ? (isSuccess ? 'success' : 'failure') : 'not_stated',
    },
    { step: options.step, phase: 'eval', split: options.split },
  );
  const usage = Object.values(sample.model_usage ?? {});
  const tokens = (pick: (one: (typeof usage)[number]) => number | null | undefined) => {
    const stated = usage.flatMap((one) => pick(one) ?? []);
    return stated.length === 0 ? null : stated.reduce((sum, count) => sum + count, 0);
  };
  const flags = isScored ? trajectory.flags : [...trajectory.flags, 'unscored'];
  const error = said === null ? trajectory.error : { stage: 'sample', message: errorWords(said) };
  const counted: Trajectory = {
    ...trajectory,
    sample: Math.max(0, sample.epoch - 1),
    promptTokens: tokens((one) => one.input_tokens),
    replyTokens: tokens((one) => one.output_tokens),
    flags,
    error,
    stopReason: error ? 'error' : trajectory.stopReason,
  };
  return { trajectory: counted, isScored, isError };
}

function errorWords(error: unknown): string {
  const text = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  return String(text).slice(0, 2000);
}

/** `SCORER/METRIC`, as Inspect computed them. */
function* resultEvents(
  file: string,
  at: number | null,
  { results }: InspectHeader,
  { options }: ImportContext,
): Generator<ImportedEvent> {
  const points = (results?.scores ?? []).flatMap(({ name, metrics }) =>
    Object.entries(metrics).flatMap(([metric, { value }]) => {
      const number = jsonMetricValue(value);
      const series = `${name}/${metric}`;
      return number !== null && isMetricName(series) ? [{ name: series, value: number }] : [];
    }),
  );
  if (points.length > 0) yield* pointEvents({ file, line: null, at }, options.step, points);
}
