import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// The CLI asks for its native schema engine even where it only generates; that download is never needed here.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('./prisma/no-engine.sh', import.meta.url));

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? '' },
});
