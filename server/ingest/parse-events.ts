import { MAX_INTEGER } from '@/contract/bounds';
import { AppError } from '@/contract/errors';
import { RunEvent, type RunEventKind, type StampedEvent } from '@/contract/run-events';
import { toFieldIssues } from '@/contract/parse';
import { WORKER_STATUSES } from '@/contract/socket';
import { withIndexedTexts } from './indexed-text';
import { plainPoints, rememberNames } from './parse-points';
import { safeJson } from './safe-text';

/** A stamped event whose payload is checked: of a known kind, or kept as it came. */
export type ParsedEvent = Pick<StampedEvent, 'seq' | 'at' | 'v'> &
  ({ known: true; event: RunEvent } | { known: false; event: StampedEvent['event'] });

const KNOWN_KINDS: ReadonlySet<string> = new Set<RunEventKind>(
  RunEvent.options.map((option) => option.shape.kind.value),
);

/** Fields that go to integer columns; the contract allows them to be wider. */
const INTEGER_FIELDS: ReadonlySet<string> = new Set([
  'step',
  'steps',
  'parentStep',
  'group',
  'sample',
  'index',
  'turnsCount',
  'givenTurns',
  'invalidActions',
  'promptTokens',
  'replyTokens',
  'prefilledTokens',
  'trainedTokens',
  'n',
  'successes',
  'ids',
]);

/**
 * Checks one event. Throws `invalid_input` naming the seq and each wrong field where a known kind does not parse,
 * a number has no column to go to, or a worker reports a status that is the server's to set.
 */
export function parseEvent(stamped: StampedEvent): ParsedEvent {
  const { seq, at, v } = stamped;
  const plain = plainPoints(stamped.event);
  if (plain) return { seq, at, v, known: true, event: plain };
  const event = safeEvent(stamped);
  if (!KNOWN_KINDS.has(event.kind)) return { seq, at, v, known: false, event };
  const parsed = RunEvent.safeParse(event);
  if (!parsed.success) {
    const issues = toFieldIssues(parsed.error, 'event');
    throw refusal(stamped, issues[0] ?? { path: 'event', message: 'not valid' }, issues);
  }
  const wide = oversizedInteger(parsed.data, 'event');
  if (wide) throw refusal(stamped, { path: wide.path, message: `expected at most ${MAX_INTEGER}` });
  const twice = repeatedTurn(parsed.data);
  if (twice !== null)
    throw refusal(stamped, {
      path: `event.trajectory.turns.${twice}.index`,
      message: 'a turn has this index',
    });
  if (parsed.data.kind === 'status:changed' && !WORKER_STATUSES.includes(parsed.data.status))
    throw refusal(stamped, {
      path: 'event.status',
      message: `${parsed.data.status} is the server's to set; expected one of ${WORKER_STATUSES.join(', ')}`,
    });
  if (parsed.data.kind === 'points:measured') rememberNames(parsed.data);
  return { seq, at, v, known: true, event: withIndexedTexts(parsed.data) };
}

function safeEvent(stamped: StampedEvent): StampedEvent['event'] {
  try {
    // Its keys and its kind stay: only characters that no column holds are replaced.
    return safeJson(stamped.event) as StampedEvent['event'];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw refusal(stamped, { path: 'event', message: error.message });
  }
}

function refusal(
  { seq, event }: StampedEvent,
  first: { path: string; message: string },
  issues = [first],
): AppError {
  return new AppError(
    'invalid_input',
    `event seq ${seq} (${event.kind}) is not valid: ${first.path}: ${first.message}`,
    issues,
  );
}

/** Position of the first turn whose index an earlier turn has, or null. */
function repeatedTurn(event: RunEvent): number | null {
  if (event.kind !== 'trajectory:finished') return null;
  const seen = new Set<number>();
  const position = event.trajectory.turns.findIndex(({ index }) => seen.size === seen.add(index).size);
  return position === -1 ? null : position;
}

/** Path and value of the first number too large for its integer column, or null. */
export function oversizedInteger(
  value: unknown,
  path: string,
  bounded = false,
): { path: string; value: number } | null {
  if (typeof value === 'number') return bounded && Math.abs(value) > MAX_INTEGER ? { path, value } : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (key === 'environmentOptions') continue;
    const inList = Array.isArray(value);
    const found = oversizedInteger(item, `${path}.${key}`, inList ? bounded : INTEGER_FIELDS.has(key));
    if (found) return found;
  }
  return null;
}
