import type { TrajectorySummary } from '@/contract/run-events';
import type { ListedTrajectory } from '@/contract/trajectory-list';
import type { Trajectory, Turn } from '@/contract/trajectory';

/** A whole, valid turn for tests, with what matters to the test set. */
export function aTurn(turn: Partial<Turn> = {}): Turn {
  const action = turn.action ?? 'turn left';
  return {
    index: 0,
    observation: 'You face a wall.',
    availableActions: ['turn left', 'move forward'],
    prompt: null,
    reply: `Thought: I look. Action: ${action}`,
    thought: 'I look.',
    action,
    formatOk: true,
    admissible: true,
    valid: true,
    reward: 0,
    memory: null,
    promptTokens: 40,
    replyTokens: 6,
    tokens: null,
    picture: null,
    stateHash: null,
    ...turn,
  };
}

/** A whole, valid trajectory for tests; its counts follow from its turns. */
export function aTrajectory(trajectory: Partial<Trajectory> = {}): Trajectory {
  const turns = trajectory.turns ?? [aTurn()];
  return {
    step: 0,
    phase: 'probe',
    split: 'valid_seen',
    taskId: 'babyai/GoToLocal/1000000',
    taskType: 'goto',
    goal: 'go to the red ball',
    group: null,
    sample: 0,
    decoding: 'greedy',
    evaluation: null,
    seed: 7,
    reward: 0,
    shapedReward: null,
    advantage: null,
    success: false,
    turnsCount: turns.length,
    givenTurns: 0,
    invalidActions: turns.filter((turn) => !turn.valid).length,
    promptTokens: turns.reduce((sum, turn) => sum + (turn.promptTokens ?? 0), 0),
    replyTokens: turns.reduce((sum, turn) => sum + (turn.replyTokens ?? 0), 0),
    prefilledTokens: null,
    trainedTokens: null,
    stopReason: 'turn_limit',
    flags: [],
    error: null,
    strategy: null,
    finalPicture: null,
    finalObservation: null,
    ...trajectory,
    turns,
  };
}

export function aSummary(id: string, trajectory: Partial<Trajectory> = {}): TrajectorySummary {
  const {
    turns: _turns,
    strategy: _strategy,
    finalPicture: _picture,
    finalObservation: _observation,
    ...rest
  } = aTrajectory(trajectory);
  return { ...rest, id };
}

export function aListed(
  id: string,
  {
    runId = 'r-0001',
    runName = 'a run',
    attempt = 1,
    hit = null,
    ...trajectory
  }: Partial<ListedTrajectory> = {},
): ListedTrajectory {
  return { ...aSummary(id, trajectory), runId, runName, attempt, hit };
}
