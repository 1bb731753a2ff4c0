import { z } from 'zod';

/** The code that a process runs. */
export const CodeVersion = z.object({
  /** Of package.json. */
  version: z.string().max(100),
  /** Commit of its checkout, hex; null where it is none of git. */
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .nullable(),
  /** Whether files differ from the commit; null where there is none. */
  dirty: z.boolean().nullable(),
});
export type CodeVersion = z.infer<typeof CodeVersion>;
