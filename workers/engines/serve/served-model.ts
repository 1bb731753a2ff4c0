import { createHash } from 'node:crypto';
import type { OnnxEngine } from '../onnx/onnx-engine';
import { Refusal } from './refusal';

/** A request can be repeated until so many others have followed. */
const OPERATIONS_REMEMBERED = 256;

/** A model under training: an engine of its own, so that what one client does to its children is no other's concern. */
export class ServedModel {
  readonly created = new Date().toISOString();
  private last: Promise<unknown>;
  private readonly bySeqId = new Map<number, { hash: string; requestId: string }>();
  private operations = 0;
  private isUnloaded = false;

  constructor(
    readonly id: string,
    readonly sessionId: string,
    private readonly engine: Promise<OnnxEngine>,
  ) {
    this.last = engine.catch(() => undefined);
  }

  /** Whether nothing was ever asked of it. */
  get isFresh(): boolean {
    return this.operations === 0;
  }

  /**
   * The id of the same operation, where it was taken before; null where it is new. Refuses with 409 a number that comes
   * again with another body.
   */
  earlier(seqId: number | null | undefined, body: object): string | null {
    const known = this.bySeqId.get(seqId ?? NaN);
    if (!known) return null;
    if (known.hash !== hashOf(body)) throw new Refusal(409, 'Training request sequence number was reused');
    return known.requestId;
  }

  /** Takes an operation that is new, under the id of its result. */
  accept(seqId: number | null | undefined, body: object, requestId: string): void {
    this.operations++;
    if (seqId === null || seqId === undefined) return;
    this.bySeqId.set(seqId, { hash: hashOf(body), requestId });
    const [oldest] = this.bySeqId.keys();
    if (this.bySeqId.size > OPERATIONS_REMEMBERED && oldest !== undefined) this.bySeqId.delete(oldest);
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
}

function hashOf(body: object): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
