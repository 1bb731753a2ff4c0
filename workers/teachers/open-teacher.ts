import type { Engine } from '@/contract/engine';
import { AppError } from '@/contract/errors';
import type { Teacher, TeacherSettings } from '@/contract/teacher';
import { endpointKey } from '../endpoints/open-endpoint';
import type { EngineSpec } from '../engines/engine';
import { EndpointTeacher } from './endpoint-teacher';
import { EngineTeacher } from './engine-teacher';

export interface TeacherParts {
  student: Pick<Engine, 'tokenizer' | 'stopTokens'>;
  createEngine(spec: EngineSpec): Promise<Engine>;
  /** Ends every wait for a teacher that is away; its reason is thrown then. */
  signal: AbortSignal;
}

/**
 * The teacher of a run's config, not yet prepared; the caller closes it. Throws `invalid_input` where the config names no endpoint, or
 * a key that this worker's environment lacks.
 */
export function openTeacher(settings: TeacherSettings, parts: TeacherParts): Teacher {
  const { kind, endpoint, scoring } = settings;
  if (kind !== 'endpoint') return new EngineTeacher(settings, parts);
  if (!endpoint) throw new AppError('invalid_input', 'teacher.kind is endpoint, teacher.endpoint names none');
  const { student, signal } = parts;
  return new EndpointTeacher({ settings: endpoint, scoring, apiKey: endpointKey(endpoint), student, signal });
}
