/**
 * `npm run db:seed`: runs for looking at screens, in the database that the server uses or would use: published runs from their
 * texts, two small ones trained here, and an invented one for each status. What is there already is not made again.
 */
import { resolve } from 'node:path';
import { readServerEnvironment } from '../env';
import { withImportTarget } from '../importers/import-target';
import { seedAll } from './seed-all';

async function main(): Promise<void> {
  const environment = readServerEnvironment();
  await withImportTarget(environment, async (target, site) => {
    const published = resolve(environment.dataFolder, '../published');
    const links = await seedAll(target, environment.home, published, (line) => console.log(line));
    for (const { address, shows } of links) console.log(`${site}${address}  ${shows}`);
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
