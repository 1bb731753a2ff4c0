import type { StepResult, Environment, Episode, Observation, Task } from './environment';

/** The one task of pasted observations. No fixed list holds it; it counts among those of `train`. */
export const PASTED_TASK: Task = { id: 'pasted', taskType: 'pasted', split: 'train' };

const NOTHING: Observation = { text: '', availableActions: [] };

/**
 * A world that shows what it is given: each action is answered by what is pasted next. It knows no reward, refuses nothing
 * and is never won.
 */
export class PastedWorld implements Environment {
  readonly id = 'pasted';
  readonly version = '1';
  readonly options = {};
  private shown = NOTHING;
  private isClosed = false;

  constructor(private readonly goal: string) {}

  /** What is seen from now on: at the start, or in answer to the action that is taken next. */
  show(observation: Observation): void {
    this.shown = observation;
  }

  /** The action that is taken next is the last one. */
  close(): void {
    this.shown = NOTHING;
    this.isClosed = true;
  }

  start(task: Task): Episode {
    const actions: string[] = [];
    return {
      task,
      goal: this.goal,
      observe: () => this.shown,
      step: (action): StepResult => {
        actions.push(action);
        const observation = this.shown;
        return {
          observation,
          reward: 0,
          done: this.isClosed,
          truncated: false,
          success: false,
          valid: true,
        };
      },
      picture: () => null,
      stateHash: () => null,
      snapshot: () => ({ task, actions: [...actions] }),
    };
  }
}
