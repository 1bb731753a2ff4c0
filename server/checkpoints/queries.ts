import { z } from 'zod';
import type { CheckpointRow } from '@/contract/api';
import { CheckpointFile, CheckpointLocation } from '@/contract/checkpoint';
import type { Database } from '../database';

const Files = z.array(CheckpointFile);
const Locations = z.array(CheckpointLocation);

/** A run's checkpoints, the newest step first. */
export async function listCheckpoints(database: Database, runId: string): Promise<CheckpointRow[]> {
  const rows = await database.prisma.checkpoint.findMany({
    where: { runId },
    orderBy: [{ step: 'desc' }, { attempt: 'desc' }],
  });
  return rows.map(({ id, step, parentStep, attempt, size, complete, files, locations, createdAt }) => ({
    id: String(id),
    step,
    parentStep,
    attempt,
    size: Number(size),
    complete,
    files: Files.parse(files),
    locations: Locations.parse(locations),
    createdAt: createdAt.getTime(),
  }));
}
