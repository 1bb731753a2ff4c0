import type { Engine } from '@/contract/engine';
import type { Teacher, TeacherSettings } from '@/contract/teacher';
import type { EngineSpec } from '../engines/engine';
import { requireSameVocabulary } from './same-vocabulary';

/** A teacher trains nothing: its engine's batches of training are never made. */
const MICRO_BATCH_TOKENS = 128;

/**
 * The teacher of a run's config, in an engine of its own; the caller closes it. Throws `invalid_input` where it does not share
 * the student's vocabulary, and what opening its engine throws.
 */
export async function openTeacher(
  { kind, model, children }: TeacherSettings,
  student: Pick<Engine, 'tokenizer'>,
  createEngine: (spec: EngineSpec) => Promise<Engine>,
): Promise<Teacher> {
  const engine = await createEngine({ kind, model, children, microBatchTokens: MICRO_BATCH_TOKENS });
  try {
    const names = { student: 'the student', teacher: model };
    requireSameVocabulary(student.tokenizer, engine.tokenizer, names);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return engineTeacher(model, engine);
}

function engineTeacher(name: string, engine: Engine): Teacher {
  const { base, tokenizer, stopTokens } = engine;
  return {
    name,
    computeLogprobs: (tokens) => base.computeLogprobs(tokens),
    async continueText({ tokens, maxTokens, temperature, seed }) {
      const [written] = await base.sample([...tokens], 1, { maxTokens, temperature, stopTokens }, seed);
      const ids = written?.tokens ?? [];
      const last = ids[ids.length - 1];
      return tokenizer.decode(last !== undefined && stopTokens.includes(last) ? ids.slice(0, -1) : ids);
    },
    close: () => engine.close(),
  };
}
