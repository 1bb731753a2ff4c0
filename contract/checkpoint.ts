import { z } from 'zod';
import { MAX_INTEGER, RunId } from './bounds';

export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 lower-case hex digits');

/** A path below a checkpoint's folder: no root, no `..`, no backslash. */
export const RelativePath = z
  .string()
  .min(1)
  .max(200)
  .regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[\w.\-/]+$/, 'expected a relative path within the folder');

export const CheckpointFile = z.object({
  path: RelativePath,
  sha256: Sha256,
  /** Bytes. */
  size: z.int().nonnegative(),
});
export type CheckpointFile = z.infer<typeof CheckpointFile>;

/** Where a checkpoint's files are. `blob` = uploaded to the server; `worker` = on the named worker's disk. */
export const CheckpointLocation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('blob') }),
  z.object({ kind: z.literal('worker'), workerId: z.string(), path: z.string() }),
]);
export type CheckpointLocation = z.infer<typeof CheckpointLocation>;

/**
 * A checkpoint as configs, evaluations and requests name it: weights of `runId` at `step`; 0 is the run's model folder
 * where the run saved none. Of several attempts that saved the step, the newest complete one is meant.
 */
export const CheckpointReference = z.strictObject({
  runId: RunId.describe('Run that the checkpoint is of'),
  step: z.int().min(0).max(MAX_INTEGER).describe('Its step; 0 = the untrained model'),
});
export type CheckpointReference = z.infer<typeof CheckpointReference>;

export function isSameCheckpoint(a: CheckpointReference, b: CheckpointReference): boolean {
  return a.runId === b.runId && a.step === b.step;
}

/** Most checkpoints that a run works on. */
const MAX_REFERENCES = 200;

/**
 * The checkpoints of other runs that a run works on. Under `checkpoints` in its config, whatever its recipe: the run is
 * then offered only to workers that reach them all.
 */
export const CheckpointReferences = z
  .array(CheckpointReference)
  .min(1)
  .max(MAX_REFERENCES)
  .refine(
    (references) =>
      new Set(references.map(({ runId, step }) => `${runId}/${step}`)).size === references.length,
    'expected each checkpoint once',
  );

export const CheckpointRecord = z.object({
  step: z.int().nonnegative(),
  /** Step of the checkpoint it was trained from; null for the base. */
  parentStep: z.int().nonnegative().nullable(),
  files: z.array(CheckpointFile).min(1),
  /** Bytes of all files. */
  size: z.int().nonnegative(),
});
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;
