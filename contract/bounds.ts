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

/** Longest text that is looked up in an index of the database, in UTF-16 code units: what is stored there is cut to fewer bytes. */
export const MAX_INDEXED_TEXT = 2_700;

/** A run's id as requests and messages name it. */
export const RunId = lookupText(100).min(1);

/**
 * A whole number of a query string, in decimal digits. Empty text is no number, and neither is what JavaScript alone reads
 * as one (`0x10`, `1e3`): it would otherwise be taken as another than whoever wrote it meant.
 */
export function queryInteger(min: number, max: number) {
  return z
    .union([z.string(), z.number()])
    .refine((value) => /^-?\d+$/.test(String(value).trim()), 'expected a whole number in decimal digits')
    .pipe(z.coerce.number<string | number>().int().min(min).max(max));
}

/** From 0 to what the database's integer columns hold. */
export const QueryInteger = queryInteger(0, MAX_INTEGER);

/** A decimal number as JavaScript and Postgres both write one: `-0.5`, `12`, `1e-7`. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Whether a text is a finite decimal number, and so one that a double holds. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text) && Number.isFinite(Number(text));
}

/** A finite number of a query string, in decimals. */
export const QueryNumber = z
  .union([z.string(), z.number()])
  .refine((value) => isDecimal(String(value).trim()), 'expected a decimal number')
  .pipe(z.coerce.number<string | number>());
