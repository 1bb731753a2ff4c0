import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { invalidInput } from '@/contract/parse';
import { firstDifference, type Tolerance } from './compare';
import { functionOf, readVectorFile, type VectorCase } from './vector-file';
import type { Outputs, VectorFunction } from './vector-function';

/**
 * Computes every case of every `*.json` in a folder with our functions and compares the outputs: a line for each file and each
 * of its cases, and in the end `N cases, M mismatches`. True where nothing differs and every file could be read. Throws
 * AppError where the folder has no such file or cannot be read.
 */
export function vectorsCommand(
  folder: string,
  functions: readonly VectorFunction[],
  print: (line: string) => void,
): boolean {
  let cases = 0;
  let mismatches = 0;
  const unread: string[] = [];
  for (const path of vectorFilesIn(folder)) {
    try {
      const results = checkFile(path, functions);
      const differing = results.filter(({ problem }) => problem !== null);
      print(`${path}: ${results.length} cases, ${differing.length} mismatches`);
      for (const { name, problem } of results)
        print(problem === null ? `  ${name}` : `  ${name}: MISMATCH ${problem}`);
      cases += results.length;
      mismatches += differing.length;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      print(`${path}: ERROR ${error.message}`);
      unread.push(path);
    }
  }
  if (unread.length > 0) print(`not checked: ${unread.join(', ')}`);
  print(`${cases} cases, ${mismatches} mismatches`);
  return mismatches === 0 && unread.length === 0;
}

function vectorFilesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new AppError('not_found', `${folder} is not a folder that can be read`, [], { cause });
  }
  const files = names.filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new AppError('invalid_input', `${folder} holds no *.json file`);
  return files.map((name) => join(folder, name));
}

interface CaseResult {
  name: string;
  /** What differs, null where nothing does. */
  problem: string | null;
}

/** Throws AppError where the file is of another form or of no known function. */
function checkFile(path: string, functions: readonly VectorFunction[]): CaseResult[] {
  const file = readVectorFile(path);
  const known = functionOf(path, file, functions);
  return file.cases.map((given) => ({ name: given.name, problem: problemOf(given, known, file.tolerance) }));
}

function problemOf(
  { inputs, outputs }: VectorCase,
  { run }: VectorFunction,
  tolerance: Tolerance,
): string | null {
  let computed: Outputs;
  try {
    computed = run(inputs);
  } catch (error) {
    const refusal = error instanceof z.ZodError ? invalidInput(error, 'the case', 'inputs') : error;
    // The files hold the type of an exception alone, which is the source's own.
    if (refusal instanceof AppError) return 'error' in outputs ? null : `refused: ${refusal.message}`;
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  if ('error' in outputs) return `not refused; expected ${String(outputs.error)}`;
  const difference = firstDifference(outputs, computed, tolerance);
  if (!difference) return null;
  const { path: place, expected, actual } = difference;
  return `${place}: expected ${shown(expected)}, got ${shown(actual)}`;
}

const SHOWN_LENGTH = 160;

function shown(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text;
}
