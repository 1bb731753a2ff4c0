import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '@/contract/engine';
import { TeacherSettings } from '@/contract/teacher';
import { createEngine, type EngineSpec } from '../engines/engine';
import { openTeacher } from './open-teacher';

const spec: EngineSpec = {
  kind: 'onnx',
  model: 'models/babyai-tiny',
  children: 1,
  microBatchTokens: 512,
};

const { signal } = new AbortController();
const settingsOf = (model: string) => TeacherSettings.parse({ kind: 'onnx', model, children: 1 });

let student: Engine;
beforeAll(async () => (student = await createEngine(spec)));
afterAll(() => student.close());

describe('a teacher', () => {
  it('that is the student’s own model scores as it does, and goes on to a reply’s end', async () => {
    const teacher = openTeacher(settingsOf(spec.model), { student, createEngine, signal });
    try {
      await teacher.prepare();
      const prompt = student.tokenizer.encodeChat([
        { role: 'user', content: 'Your goal: go to the red ball' },
      ]);
      const tokens = [...prompt, ...student.tokenizer.encode('Thought:')];
      expect(await teacher.computeLogprobs(tokens)).toEqual(await student.base.computeLogprobs(tokens));
      const request = { tokens, maxTokens: 16, temperature: 1, seed: 3 };
      const text = await teacher.continueText(request);
      expect(text).not.toContain('<|end|>');
      expect(await teacher.continueText(request)).toBe(text);
      expect(teacher.counts()).toMatchObject({ prompt: 3 * tokens.length, prefilled: expect.any(Number) });
    } finally {
      await teacher.close();
    }
  });

  it('of another vocabulary is refused, and its engine closed', async () => {
    let closed = 0;
    const watched = async (asked: EngineSpec): Promise<Engine> => {
      const engine = await createEngine(asked);
      return {
        ...engine,
        close: async () => {
          closed++;
          await engine.close();
        },
      };
    };
    const teacher = openTeacher(settingsOf('models/household-tiny'), {
      student,
      createEngine: watched,
      signal,
    });
    await expect(teacher.prepare()).rejects.toThrow(
      /^the teacher models\/household-tiny cannot score tokens of the student: /,
    );
    expect(closed).toBe(1);
  });
});
