import type { CheckpointReference } from '@/contract/checkpoint';
import { checkpointName } from '@/contract/compare';
import { PlayRequest } from '@/contract/play';
import { toFieldIssues } from '@/contract/parse';
import type { Split } from '@/contract/trajectory';

/** The form's texts, as the URL keeps them. */
export interface PlayDraft {
  checkpoint: string;
  world: 'task' | 'pasted';
  split: string;
  task: string;
  goal: string;
  turns: string;
  decoding: string;
  temperature: string;
  idle: string;
}

/** `r-0001@40` -> the run and the step; null where it is not such a name. */
export function readCheckpoint(text: string): { runId: string; step: number } | null {
  const [, runId, step] = /^(.+)@(\d{1,9})$/.exec(text.trim()) ?? [];
  return runId !== undefined && step !== undefined ? { runId, step: Number(step) } : null;
}

/** Address of the form with the checkpoint chosen, and the task where one is given. */
export function playHref(checkpoint: CheckpointReference, task?: { taskId: string; split: Split }): string {
  const search = new URLSearchParams({ c: checkpointName(checkpoint) });
  if (task) {
    search.set('task', task.taskId);
    search.set('split', task.split);
  }
  return `/play?${search.toString()}`;
}

export function readDraft(params: { get(name: string): string | null }): PlayDraft {
  return {
    checkpoint: params.get('c') ?? '',
    world: params.get('world') === 'pasted' ? 'pasted' : 'task',
    split: params.get('split') ?? 'valid_seen',
    task: params.get('task') ?? '',
    goal: params.get('goal') ?? '',
    turns: params.get('turns') ?? '',
    decoding: params.get('decoding') ?? 'sampled',
    temperature: params.get('temperature') ?? '',
    idle: params.get('idle') ?? '15',
  };
}

/** What is sent, or what is wrong with each field, by the names of the draft. */
export function requestOf(
  draft: PlayDraft,
): { request: PlayRequest } | { issues: Partial<Record<keyof PlayDraft, string>> } {
  const { checkpoint, world, split, task, goal, turns, decoding, temperature, idle } = draft;
  const reference = readCheckpoint(checkpoint);
  const numeric = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));
  const parsed = PlayRequest.safeParse({
    checkpoint: reference ?? { runId: '', step: 0 },
    world: world === 'task' ? { kind: 'task', split, taskId: task.trim() } : { kind: 'pasted', goal },
    turns: numeric(turns),
    decoding,
    temperature: numeric(temperature),
    idleMinutes: numeric(idle),
  });
  if (parsed.success && reference) return { request: parsed.data };
  const issues: Partial<Record<keyof PlayDraft, string>> = {};
  if (!reference) issues.checkpoint = 'expected RUN@STEP, for instance r-0001@40';
  for (const { path, message } of parsed.success ? [] : toFieldIssues(parsed.error)) {
    const name = FIELD_OF[path];
    if (name) issues[name] ??= message;
  }
  return { issues };
}

const FIELD_OF: Record<string, keyof PlayDraft> = {
  'world.split': 'split',
  'world.taskId': 'task',
  'world.goal': 'goal',
  turns: 'turns',
  decoding: 'decoding',
  temperature: 'temperature',
  idleMinutes: 'idle',
};
