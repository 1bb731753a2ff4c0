/** Saved pages of text with live tables, charts and pairs. */
import { z } from 'zod';
import { MAX_INTEGER, RunId } from './bounds';
import { parseCheckpointName } from './compare';
import type { CheckpointReference } from './checkpoint';
import { unstorableTexts } from './storable-text';
import { SPLITS } from './trajectory';

const MAX_BLOCKS = 200;
const MAX_TEXT_LENGTH = 50_000;
/** Runs of one table or chart. */
const MAX_RUNS = 20;

const BlockId = z.string().regex(/^[\w-]{1,40}$/, 'expected 1 to 40 letters, digits, _ or -');
const Runs = z.array(RunId).max(MAX_RUNS);
const TrajectoryId = z.string().regex(/^\d{0,18}$/, 'expected the id of a trajectory, digits');

/** A part of a report. Lists and names may be empty while it is written: the block then says what to give. */
export const ReportBlock = z.discriminatedUnion('kind', [
  /** Markdown, of which HTML is shown as it is written. */
  z.strictObject({ id: BlockId, kind: z.literal('text'), text: z.string().max(MAX_TEXT_LENGTH) }),
  /** The newest figures of runs' evaluations; null = all splits, both decodings. */
  z.strictObject({
    id: BlockId,
    kind: z.literal('evaluations'),
    runs: Runs,
    split: z.enum(SPLITS).nullable(),
    decoding: z.enum(['greedy', 'sampled']).nullable(),
  }),
  /** A series of runs by step. */
  z.strictObject({ id: BlockId, kind: z.literal('chart'), runs: Runs, series: z.string().max(200) }),
  /** A comparison of checkpoints, by the query of its own address. */
  z.strictObject({ id: BlockId, kind: z.literal('compare'), query: z.string().max(4000) }),
  /** Two trajectories of one task. */
  z.strictObject({ id: BlockId, kind: z.literal('pair'), a: TrajectoryId, b: TrajectoryId }),
]);
export type ReportBlock = z.infer<typeof ReportBlock>;
export type ReportBlockKind = ReportBlock['kind'];

const ReportBlocks = z
  .array(ReportBlock)
  .max(MAX_BLOCKS)
  .refine(
    (blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length,
    'expected each block’s id once',
  );
const Title = z.string().trim().min(1, 'expected a title').max(200);

export const NewReport = z.strictObject({ title: Title }).superRefine(checkTexts);

/** A change, and the revision that it was made to. */
export const ReportChange = z
  .strictObject({ revision: z.int().min(1).max(MAX_INTEGER), title: Title, blocks: ReportBlocks })
  .superRefine(checkTexts);
export type ReportChange = z.infer<typeof ReportChange>;

/** A report in the list. */
export interface ReportRow {
  id: string;
  title: string;
  blocks: number;
  /** ms since 1970 */
  updatedAt: number;
}

export interface Report {
  id: string;
  title: string;
  blocks: ReportBlock[];
  /** Counted up by each change. */
  revision: number;
  /** ms since 1970 */
  createdAt: number;
  updatedAt: number;
}

/** What a report names, each once: none of it is deleted while it does. */
export interface Citations {
  runs: string[];
  checkpoints: CheckpointReference[];
  trajectories: string[];
}

/** What blocks cite. A text cites the runs and trajectories whose addresses it links to. */
export function citationsOf(blocks: readonly ReportBlock[]): Citations {
  const runs = new Set<string>();
  const checkpoints = new Map<string, CheckpointReference>();
  const trajectories = new Set<string>();
  for (const block of blocks)
    switch (block.kind) {
      case 'text':
        for (const [, kind, id] of block.text.matchAll(/\]\(\/(runs|trajectories)\/([^)/?#\s]+)/g))
          if (id !== undefined) (kind === 'runs' ? runs : trajectories).add(decoded(id));
        break;
      case 'evaluations':
      case 'chart':
        for (const run of block.runs) runs.add(run);
        break;
      case 'compare':
        for (const name of new URLSearchParams(block.query).getAll('c')) {
          const reference = parseCheckpointName(name);
          if (reference) checkpoints.set(name, reference);
        }
        break;
      case 'pair':
        for (const id of [block.a, block.b]) if (id !== '') trajectories.add(id);
    }
  return { runs: [...runs], checkpoints: [...checkpoints.values()], trajectories: [...trajectories] };
}

/** A text that cannot be stored as it was written is refused: its writer decides what stands there instead. */
function checkTexts(report: unknown, context: z.RefinementCtx): void {
  for (const { path, message } of unstorableTexts(report))
    context.addIssue({ code: 'custom', path, message });
}

/** A part of an address as it is meant; one that cannot be decoded as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
