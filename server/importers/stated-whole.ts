import { MAX_INTEGER } from '@/contract/bounds';
import { damaged } from './importer';
import { excerpt } from './lines';
import { metricValue } from './metric-values';

/**
 * A whole number that a source states, as text or as a JSON value. Throws `invalid_input` naming file, line, name and value where it is
 * none, or one that no column holds.
 */
export function statedWhole(file: string, line: number | null, name: string, stated: unknown): number {
  const value = typeof stated === 'string' ? metricValue(stated) : stated;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_INTEGER)
    return value;
  const shown = typeof stated === 'number' ? String(stated) : excerpt(wordsOf(stated));
  throw damaged(file, line, `${name} is ${shown}, ${EXPECTED_WHOLE}`);
}

/** What is valid, for a message. */
export const EXPECTED_WHOLE = `expected a whole number from 0 to ${MAX_INTEGER}`;

function wordsOf(stated: unknown): string {
  return typeof stated === 'string' ? stated : (JSON.stringify(stated) ?? 'nothing');
}
