import { z } from 'zod';
import type { RunDetail } from '@/contract/api';
import { MISSING } from '@/contract/format';
import { IMPORT_FORMATS, ImportFormatName } from '@/contract/imports';

/** What an import's config holds of its source, as far as the source states it. */
const ImportConfig = z.looseObject({
  import: z.looseObject({ format: ImportFormatName, path: z.string() }),
  engine: z.looseObject({ model: z.string() }).optional(),
  environment: z.looseObject({ id: z.string() }).optional(),
});

/** Where an imported run came from and what it is of; null for a run that is no import. */
export function importFacts({ run, config }: Pick<RunDetail, 'run' | 'config'>): [string, string][] | null {
  if (run.kind !== 'import') return null;
  const parsed = ImportConfig.safeParse(config);
  if (!parsed.success) return [['Source', MISSING]];
  const { import: source, engine, environment } = parsed.data;
  return [
    ['Source', source.path],
    ['Format', IMPORT_FORMATS[source.format]],
    ['Model', engine?.model ?? MISSING],
    ['Environment', environment?.id ?? MISSING],
  ];
}
