import { z } from 'zod';
import { CheckpointReference } from '@/contract/checkpoint';
import { ImportFormatName } from '@/contract/imports';
import { SPLITS } from '@/contract/trajectory';
import type { ImportOutcome } from './import-source';

/** What the process that reads an upload is told. The database's address has a password, so it is no argument. */
export const ChildRequest = z.object({
  databaseUrl: z.string().min(1),
  /** Absolute. */
  file: z.string().min(1),
  options: z.object({
    /** As it was sent: what errors and lists call the file. */
    name: z.string(),
    format: ImportFormatName.nullable(),
    step: z.int().nonnegative(),
    split: z.enum(SPLITS),
    checkpoint: CheckpointReference.nullable(),
    part: z.string().nullable(),
    isBase: z.boolean(),
  }),
});
export type ChildRequest = z.infer<typeof ChildRequest>;

/** What it says once, before it ends. */
export type ChildAnswer = { outcome: ImportOutcome } | { failure: string };
