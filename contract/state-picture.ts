import { AppError } from './errors';
import { decodeGridPicture, encodeGridPicture } from './grid-picture';
import { HouseholdPicture, type StatePicture } from './trajectory';

const HOUSEHOLD_PREFIX = 'household;';

/** A picture as one string, since every turn stores one: grids packed, households as JSON behind a prefix. */
export function encodeStatePicture(picture: StatePicture): string {
  if (picture.kind === 'grid') return encodeGridPicture(picture);
  return HOUSEHOLD_PREFIX + JSON.stringify(picture);
}

/** The inverse of `encodeStatePicture`; throws `invalid_input` on a string it did not make. */
export function decodeStatePicture(text: string): StatePicture {
  if (!text.startsWith(HOUSEHOLD_PREFIX)) return decodeGridPicture(text);
  const parsed = HouseholdPicture.safeParse(parseJson(text.slice(HOUSEHOLD_PREFIX.length)));
  if (parsed.success) return parsed.data;
  throw new AppError('invalid_input', `not a household picture: ${text.slice(0, 80)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
