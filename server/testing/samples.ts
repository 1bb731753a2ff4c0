import { GRPO_PRESETS } from '@/contract/recipes/grpo-presets';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { parseLaunch } from '@/contract/recipes/registry';
import type { EvaluationResult } from '@/contract/evaluation';
import type { RunEvent, StampedEvent } from '@/contract/run-events';
import type { WorkerCapabilities, WorkerHandshake } from '@/contract/socket';
import { PROTOCOL_VERSION } from '@/contract/version';
import type { Trajectory, Turn } from '@/contract/trajectory';
import type { Database } from '../database';
import { appendEvents } from '../ingest/append-events';
import { claimRun } from '../queue/claim';
import type { LeaseSettings } from '../queue/lease';
import { launchRun } from '../runs/commands';
import { registerWorker } from '@/server/workers/registry';

/** Valid values of the contract for tests, each with the changes a test is about. */

/** So long that no slow machine runs out of it: tests set a run's last beat back instead of waiting. */
export const TEST_LEASE: LeaseSettings = { heartbeatMs: 10_000, leaseMs: 60_000, maxAttempts: 3 };

const CAPABILITIES: WorkerCapabilities = {
  engines: ['onnx'],
  devices: ['cpu'],
  recipes: ['grpo'],
  environments: ['babyai'],
};

export function sampleWorker(
  workerId: string,
  capabilities: Partial<WorkerCapabilities> = {},
): WorkerHandshake {
  return {
    token: 'a token',
    protocol: PROTOCOL_VERSION,
    workerId,
    name: `name of ${workerId}`,
    capabilities: { ...CAPABILITIES, ...capabilities },
  };
}

export async function launchSample(
  database: Database,
  { name = 'a run', ...changes }: { name?: string } & Partial<GrpoConfig> = {},
): Promise<string> {
  const config = { ...GRPO_PRESETS.verify, ...changes };
  const { runId } = await launchRun(
    database,
    parseLaunch({ name, recipe: 'grpo', preset: 'verify', config }),
  );
  return runId;
}

/** Registers the worker and claims; throws where no run was there for it. */
export async function claimSample(
  database: Database,
  workerId: string,
  lease: LeaseSettings = TEST_LEASE,
): Promise<SampleAttempt> {
  const worker = sampleWorker(workerId);
  await registerWorker(database, worker);
  const claim = await claimRun(database, worker, lease);
  if (!claim) throw new Error(`no run for ${workerId}`);
  return new SampleAttempt(database, workerId, claim.claimed.runId, claim.claimed.attempt);
}

/** An attempt as its worker tells of it, seq after seq. */
export class SampleAttempt {
  private seq = 0;

  constructor(
    private readonly database: Database,
    readonly workerId: string,
    readonly runId: string,
    readonly attempt: number,
  ) {}

  /** The events with their stamps; `at` is 1,000 ms a seq. */
  stamp(...events: (RunEvent | { kind: string })[]): StampedEvent[] {
    return events.map((event) => {
      const seq = this.seq++;
      return { v: 1, runId: this.runId, attempt: this.attempt, seq, at: seq * 1000, event };
    });
  }

  append(events: StampedEvent[]) {
    return appendEvents(this.database, this.workerId, { runId: this.runId, attempt: this.attempt, events });
  }

  say(...events: (RunEvent | { kind: string })[]) {
    return this.append(this.stamp(...events));
  }

  saveCheckpoint(step: number, uploaded: boolean) {
    const location = { kind: 'worker', workerId: this.workerId, path: `/checkpoints/${step}` } as const;
    return this.say(
      { kind: 'checkpoint:saved', checkpoint: sampleCheckpoint(step), location },
      { kind: 'checkpoint:completed', step, location: uploaded ? { kind: 'blob' } : location },
    );
  }
}

export function points(
  step: number,
  values: Record<string, number | 'NaN' | 'Infinity' | '-Infinity'>,
): RunEvent {
  return {
    kind: 'points:measured',
    step,
    points: Object.entries(values).map(([name, value]) => ({ name, value })),
  };
}

export function status(
  name: 'running' | 'paused' | 'finished' | 'failed' | 'stopped',
  reason: string | null = null,
): RunEvent {
  return { kind: 'status:changed', status: name, reason, resumedFromStep: null };
}

export function sampleCheckpoint(step: number) {
  const sha256 = step.toString(16).padStart(64, '0');
  return {
    step,
    parentStep: step === 0 ? null : step - 1,
    files: [{ path: 'model.safetensors', sha256, size: 10 }],
    size: 10,
  };
}

export function sampleTurn(index: number, changes: Partial<Turn> = {}): Turn {
  return {
    index,
    observation: `You see a red ball ${index} steps ahead.`,
    availableActions: ['turn left', 'go to red ball 1'],
    prompt: null,
    reply: 'Action: turn left',
    thought: null,
    action: 'turn left',
    formatOk: true,
    admissible: true,
    valid: true,
    reward: 0,
    memory: 'The ball is ahead.',
    promptTokens: 20,
    replyTokens: 3,
    tokens: {
      ids: [1, 70_000, 3],
      texts: ['Action', ':', ' turn left'],
      logprobs: [-0.1, null, -2.5],
      entropies: [0.3, null, 1.25],
      teacherLogprobs: [-0.2, null, -0.5],
    },
    picture: null,
    stateHash: `state ${index}`,
    ...changes,
  };
}

export function sampleTrajectory(changes: Partial<Trajectory> = {}): Trajectory {
  return {
    step: 1,
    phase: 'train',
    split: 'train',
    taskId: 'GoToLocalS8N7:1',
    taskType: 'GoToLocalS8N7',
    goal: 'go to the red ball',
    group: 0,
    sample: 0,
    decoding: 'sampled',
    evaluation: null,
    seed: 4_294_967_295,
    reward: 0.5,
    shapedReward: 0.4,
    advantage: -0.25,
    success: true,
    turnsCount: 2,
    givenTurns: 0,
    invalidActions: 1,
    promptTokens: 40,
    replyTokens: 6,
    prefilledTokens: 25,
    trainedTokens: 45,
    stopReason: 'success',
    flags: ['loop'],
    error: null,
    strategy: 'Look first.',
    turns: [sampleTurn(0), sampleTurn(1)],
    finalPicture: null,
    finalObservation: 'Well done.',
    ...changes,
  };
}

export function trajectory(changes: Partial<Trajectory> = {}): RunEvent {
  return { kind: 'trajectory:finished', trajectory: sampleTrajectory(changes) };
}

export function evaluation(changes: Partial<EvaluationResult> = {}): RunEvent {
  const result: EvaluationResult = {
    checkpoint: null,
    step: 0,
    policy: 'checkpoint',
    split: 'valid_seen',
    splitHash: 'hash',
    environment: 'babyai',
    environmentVersion: '1',
    environmentOptions: { maxTurns: 10 },
    scaffold: 'recent-actions',
    decoding: 'sampled',
    temperature: 1,
    topK: 0,
    topP: 1,
    maxTurns: 10,
    maxReplyTokens: 16,
    maxPromptTokens: 1024,
    seed: 1,
    n: 10,
    successes: 4,
    invalidActions: 3,
    turns: 50,
    rewardMean: 0.4,
    byTaskType: [{ taskType: 'GoToLocalS8N7', n: 10, successes: 4, invalidActions: 3, turns: 50 }],
    errors: 0,
    truncated: 0,
    seconds: 1.5,
    ...changes,
  };
  return { kind: 'evaluation:finished', evaluation: result };
}
