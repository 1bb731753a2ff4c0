import { createHash } from 'node:crypto';
import type { SeededLora } from '@/contract/lora';
import type { OnnxEngine } from '../onnx/onnx-engine';
import { Refusal } from './refusal';

/** A request can be repeated until so many others have followed. */
const OPERATIONS_REMEMBERED = 256;

/** The body of a request for an operation on a model; its number tells a repetition from a new one. */
export interface Operation {
  model_id: string;
  seq_id?: number | null;
}

/** A model under training: an engine of its own, so that what one client does to its children is no other's concern. */
export class ServedModel {
  readonly created = new Date().toISOString();
  private last: Promise<unknown>;
  private lastAccepted: Promise<unknown> = Promise.resolve();
  private readonly bySeqId = new Map<number, { hash: string; requestId: string }>();
  private operations = 0;
  private isUnloaded = false;

  constructor(
    readonly id: string,
    readonly sessionId: string,
    private readonly engine: Promise<OnnxEngine>,
    /** Null where all parameters are trained. */
    readonly lora: SeededLora | null,
  ) {
    this.last = engine.catch(() => undefined);
  }

  /** How many parameters are trained; waits until it is open. */
  async parameters(): Promise<number> {
    return (await this.engine).parameters;
  }

  /** Whether nothing was ever asked of it. */
  get isFresh(): boolean {
    return this.operations === 0;
  }

  /**
   * The id of an operation's result: of the first where it was accepted before, else what `begin` gives. One after another
   * in the order of the calls, so that a repetition that arrives while the first is still checked is no second operation,
   * and a later operation does not overtake. Refuses with 409 a number that comes again with another body.
   */
  accept(body: Operation, begin: () => Promise<string>): Promise<string> {
    const requestId = this.lastAccepted.then(async () => {
      const earlier = this.earlier(body);
      if (earlier !== null) return earlier;
      const begun = await begin();
      this.operations++;
      this.remember(body, begun);
      return begun;
    });
    this.lastAccepted = requestId.catch(() => undefined);
    return requestId;
  }

  /** Runs operations one after another, in the order they were accepted. */
  run<Result>(operation: (engine: OnnxEngine) => Promise<Result>): Promise<Result> {
    const result = this.last.then(async () => {
      if (this.isUnloaded) throw new Refusal(404, `Model ${this.id} was unloaded`);
      return operation(await this.engine);
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends its processes at once; what waits fails. */
  async unload(): Promise<void> {
    this.isUnloaded = true;
    const engine = await this.engine.catch(() => null);
    await engine?.close();
  }

  private earlier(body: Operation): string | null {
    const known = this.bySeqId.get(body.seq_id ?? NaN);
    if (!known) return null;
    if (known.hash !== hashOf(body)) throw new Refusal(409, 'Training request sequence number was reused');
    return known.requestId;
  }

  private remember(body: Operation, requestId: string): void {
    const { seq_id: seqId } = body;
    if (seqId === null || seqId === undefined) return;
    this.bySeqId.set(seqId, { hash: hashOf(body), requestId });
    const [oldest] = this.bySeqId.keys();
    if (this.bySeqId.size > OPERATIONS_REMEMBERED && oldest !== undefined) this.bySeqId.delete(oldest);
  }
}

function hashOf(body: Operation): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
