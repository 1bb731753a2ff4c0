import { describe, expect, it, vi } from 'vitest';
import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import { TeacherSettings } from '@/contract/teacher';
import { EngineTeacher } from './engine-teacher';

type ScoringEngine = Pick<Engine, 'tokenizer' | 'stopTokens' | 'base' | 'close'>;

const tokenizer = {
  vocabularySize: 2,
  encode: () => [0, 1],
  decode: (ids: readonly number[]) => ids.join(),
  specialId: () => 0,
  renderChat: () => '',
  encodeChat: () => [],
};

/** An engine that scores as it is told, and counts a token each time. */
function scoring(computeLogprobs: () => Promise<number[]>): ScoringEngine {
  let scored = 0;
  const base = {
    lanes: 1,
    computeLogprobs: () => {
      scored++;
      return computeLogprobs();
    },
    counts: () => ({ prompt: scored, prefilled: scored, reused: 0, sampled: 0 }),
    sample: () => Promise.reject(new Error('not asked')),
    sampleBatch: () => Promise.reject(new Error('not asked')),
    times: () => ({ prefillS: 0, decodeS: 0 }),
  };
  return { tokenizer, stopTokens: [1], base, close: vi.fn(() => Promise.resolve()) };
}

const away = (code: AppError['code']) => Promise.reject(new AppError(code, 'no such session'));

function teacherOf(kind: 'onnx' | 'tinker', engines: (() => Promise<ScoringEngine>)[]): EngineTeacher {
  const settings = TeacherSettings.parse({ kind, model: 'models/big', children: 1 });
  const createEngine = () => {
    const next = engines.shift();
    if (!next) throw new Error('opened too often');
    return next();
  };
  const { signal } = new AbortController();
  return new EngineTeacher(settings, { student: { tokenizer }, createEngine, signal });
}

describe('a teacher on a server', () => {
  it('that is away is waited for with the reason, and opened once it is back', async () => {
    const back = scoring(() => Promise.resolve([NaN, -1]));
    const teacher = teacherOf('tinker', [() => away('unavailable'), () => Promise.resolve(back)]);
    const changed = teacher.troubleChanged();
    const scored = teacher.computeLogprobs([0, 1]);
    await changed;
    expect(teacher.trouble).toBe('no such session; tried once');
    expect(await scored).toEqual([NaN, -1]);
    expect(teacher.trouble).toBeNull();
  });

  it('that has lost its session is opened anew by the first request that finds out, and its tokens stay counted', async () => {
    const lost = scoring(() => away('not_found'));
    const back = scoring(() => Promise.resolve([NaN, -1]));
    const teacher = teacherOf('tinker', [() => Promise.resolve(lost), () => Promise.resolve(back)]);
    const both = await Promise.all([teacher.computeLogprobs([0, 1]), teacher.computeLogprobs([0, 1])]);
    expect(both).toEqual([
      [NaN, -1],
      [NaN, -1],
    ]);
    expect(lost.close).toHaveBeenCalledTimes(1);
    expect(teacher.counts().prefilled).toBe(4);
  });

  it('that lacks the model, or refuses, is not waited for', async () => {
    await expect(teacherOf('tinker', [() => away('not_found')]).prepare()).rejects.toThrow('no such session');
    const refusing = scoring(() => away('invalid_input'));
    const teacher = teacherOf('tinker', [() => Promise.resolve(refusing)]);
    await expect(teacher.computeLogprobs([0, 1])).rejects.toThrow('no such session');
  });

  it('in the embedded engine fails with it', async () => {
    const broken = scoring(() => away('unavailable'));
    const teacher = teacherOf('onnx', [() => Promise.resolve(broken)]);
    await expect(teacher.computeLogprobs([0, 1])).rejects.toThrow('no such session');
    await teacher.close();
    expect(broken.close).toHaveBeenCalledTimes(1);
  });
});
