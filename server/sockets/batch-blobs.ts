import { z } from 'zod';
import { AppError } from '@/contract/errors';
import { StampedEvent } from '@/contract/run-events';
import { parseOrThrow } from '@/contract/parse';
import type { AppendEvents } from '@/contract/socket';
import type { BlobStore } from '../blobs/store';
import type { EventBatch } from '../ingest/append-events';

/** Bytes of one blob of events that are parsed at once. */
const MAX_EVENT_BLOB_BYTES = 32 * 1024 * 1024;

const StampedEvents = z.array(StampedEvent).min(1).max(5000);

/** Replaces the blobs a batch cites by the events in them, all by seq. */
export async function resolveBatch(blobs: BlobStore, batch: AppendEvents): Promise<EventBatch> {
  const { blobs: cited = [], ...rest } = batch;
  const events = [...batch.events];
  for (const sha256 of cited) events.push(...(await readEvents(blobs, sha256)));
  events.sort((a, b) => a.seq - b.seq);
  return { ...rest, events };
}

async function readEvents(blobs: BlobStore, sha256: string): Promise<StampedEvent[]> {
  const bytes = await blobs.read(sha256, MAX_EVENT_BLOB_BYTES);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new AppError('invalid_input', `blob ${sha256} is not JSON: ${String(error)}`, [
      { path: 'blobs', message: 'expected a JSON array of stamped events' },
    ]);
  }
  return parseOrThrow(StampedEvents, value, `blob ${sha256}`, 'blobs');
}
