/** A row of training tokens as a tree: sequences that begin alike share their tokens, and equal ones share all. */
import type { DatumTarget, TargetedSequence } from './datum-targets';

/**
 * Largest difference of the sampling (or reference) log-probabilities of one token after one prefix that is put down
 * to rounding. Batches of other shapes sum in another order, which moves an f32 log-probability by up to 3e-6; a ratio
 * is off by as much. Tokens whose log-probabilities differ by more come from different policies and are kept apart.
 */
const LOGPROB_TOLERANCE = 1e-5;

/** One target of one token, summed over the sequences that share it. */
export interface TreeTarget {
  /** Index of the token whose successor is the target. */
  node: number;
  token: number;
  weight: number;
  /** Sums of the positive and of the negative advantages, which clipping treats differently. */
  positiveAdvantage: number;
  negativeAdvantage: number;
  oldLogprob?: number;
  referenceLogprob?: number;
}

/** Where a sequence's results are found: the target at `position` of sequence `sequence` is the tree's `target`-th. */
export interface TreeReading {
  sequence: number;
  position: number;
  target: number;
  /** The sequence's own share of the target's advantages. */
  advantage: number;
}

/** Tokens in an order in which each follows its parent. */
export class TokenTree {
  readonly tokens: number[] = [];
  /** Index of the token before each, -1 for the first of a sequence. */
  readonly parents: number[] = [];
  /** Position of each token in its sequence. */
  readonly depths: number[] = [];
  readonly targets: TreeTarget[] = [];
  readonly readings: TreeReading[] = [];
  /** By node + 1 (0: the first tokens of sequences): the nodes after it. Some may be of one token, see `canShare`. */
  private readonly children: number[][] = [[]];
  /** By node: indices of its targets. */
  private readonly targetsOf: number[][] = [];

  get size(): number {
    return this.tokens.length;
  }

  /** How many of the sequence's first tokens the tree has already. */
  sharedLength(sequence: TargetedSequence): number {
    let parent = -1;
    for (let position = 0; position < sequence.tokens.length; position++) {
      const node = this.child(parent, sequence, position);
      if (node === undefined) return position;
      parent = node;
    }
    return sequence.tokens.length;
  }

  /** Adds a sequence, known to its sender as number `id`. */
  insert(sequence: TargetedSequence, id: number): void {
    let parent = -1;
    sequence.tokens.forEach((token, position) => {
      const node = this.child(parent, sequence, position) ?? this.grow(parent, token);
      const target = sequence.targets[position];
      if (target) {
        const { advantage } = target;
        this.readings.push({ sequence: id, position, target: this.addTarget(node, target), advantage });
      }
      parent = node;
    });
  }

  /** The readings of each sequence in the order of its tokens, a sequence without targets left out. */
  readingsBySequence(): TreeReading[][] {
    const bySequence = new Map<number, TreeReading[]>();
    for (const reading of this.readings) {
      const known = bySequence.get(reading.sequence);
      if (known) known.push(reading);
      else bySequence.set(reading.sequence, [reading]);
    }
    return [...bySequence.values()];
  }

  private child(parent: number, sequence: TargetedSequence, position: number): number | undefined {
    const target = sequence.targets[position];
    const token = sequence.tokens[position];
    return this.children[parent + 1]?.find(
      (node) => this.tokens[node] === token && (!target || this.canShare(node, target)),
    );
  }

  private canShare(node: number, target: DatumTarget): boolean {
    const known = this.targetAt(node, target.token);
    return (
      !known ||
      (agree(known.oldLogprob, target.oldLogprob) && agree(known.referenceLogprob, target.referenceLogprob))
    );
  }

  private targetAt(node: number, token: number): TreeTarget | undefined {
    const index = this.targetIndex(node, token);
    return index === undefined ? undefined : this.targets[index];
  }

  private targetIndex(node: number, token: number): number | undefined {
    return this.targetsOf[node]?.find((index) => this.targets[index]?.token === token);
  }

  private grow(parent: number, token: number): number {
    const node = this.tokens.push(token) - 1;
    this.parents.push(parent);
    this.depths.push(parent < 0 ? 0 : (this.depths[parent] ?? 0) + 1);
    this.children.push([]);
    this.targetsOf.push([]);
    this.children[parent + 1]?.push(node);
    return node;
  }

  private addTarget(node: number, target: DatumTarget): number {
    const index = this.targetIndex(node, target.token) ?? this.growTarget(node, target.token);
    const sum = this.targets[index];
    if (sum) {
      sum.weight += target.weight;
      sum.positiveAdvantage += Math.max(target.advantage, 0);
      sum.negativeAdvantage += Math.min(target.advantage, 0);
      sum.oldLogprob ??= target.oldLogprob;
      sum.referenceLogprob ??= target.referenceLogprob;
    }
    return index;
  }

  private growTarget(node: number, token: number): number {
    const empty = { node, token, weight: 0, positiveAdvantage: 0, negativeAdvantage: 0 };
    const index = this.targets.push(empty) - 1;
    this.targetsOf[node]?.push(index);
    return index;
  }
}

function agree(known: number | undefined, other: number | undefined): boolean {
  return known === undefined || other === undefined || Math.abs(known - other) <= LOGPROB_TOLERANCE;
}
