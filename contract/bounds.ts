import { z } from 'zod';

/** Largest whole number of the database's integer columns: steps, attempts and positions are such. */
export const MAX_INTEGER = 2_147_483_647;

/** Text of a request that is looked up among stored text, which never holds a NUL. */
export function lookupText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\0]*$/, 'expected text without NUL characters');
}

/** A run's id as requests and messages name it. */
export const RunId = lookupText(100).min(1);

/** A whole number from 0 in a query string. Empty text is no number: it would otherwise read as 0. */
export const QueryInteger = z
  .union([z.string(), z.number()])
  .refine((value) => String(value).trim() !== '', 'expected a whole number')
  .pipe(z.coerce.number<string | number>().int().min(0).max(MAX_INTEGER));
