import { type ChildProcess, fork } from 'node:child_process';
import { closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AppError } from '@/contract/errors';
import { REPOSITORY_DIR } from '../../../env';
import { TYPESCRIPT_OPTIONS } from '../../../typescript-loader';
import type { ChildOperations, ChildReply, ChildRequest, OperationName, PolicyVersion } from './messages';
import { openVectorFile, readVector, writeVector } from './vector-file';

const ENTRY = fileURLToPath(new URL('./child.ts', import.meta.url));
/** A child ends by itself when its channel closes, at the latest after the graph it is running. */
const CLOSE_GRACE_MS = 10_000;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The parent's end of one child. Requests are answered in order; once the child has died, every one is refused. */
export class EngineChild {
  private readonly process: ChildProcess;
  private readonly pending = new Map<number, Pending>();
  private readonly exited: Promise<void>;
  private nextId = 0;
  private heldVersion: number | null = null;
  private readonly vectorFile: number;
  /** The unanswered request that has the use of the vector file. */
  private fileHolder: number | null = null;
  private failure: AppError | null = null;
  private isClosing = false;

  /** `onDeath` is called once if the child dies unasked; weights and gradients pass through a file in `vectorDir`. */
  constructor(
    readonly index: number,
    vectorDir: string,
    onDeath: (error: AppError) => void,
  ) {
    this.vectorFile = openVectorFile(vectorDir);
    this.process = fork(ENTRY, [], {
      cwd: REPOSITORY_DIR,
      execArgv: [...TYPESCRIPT_OPTIONS],
      serialization: 'advanced',
      // The last is descriptor `VECTOR_FILE` of the child.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', this.vectorFile],
    });
    this.process.on('message', (reply: ChildReply) => this.settle(reply));
    this.exited = new Promise((resolve) => {
      const end = (reason: string): void => {
        closeSync(this.vectorFile);
        const wasClosing = this.isClosing;
        const error = new AppError(
          'unavailable',
          wasClosing
            ? 'the engine is closed'
            : `engine child ${index} (pid ${this.process.pid ?? 'none'}) ${reason}`,
        );
        this.fail(error);
        if (!wasClosing) onDeath(error);
        resolve();
      };
      this.process.on('error', (error) => {
        // The same event reports a failed send; the child's exit then follows by itself.
        if (this.process.pid === undefined) end(`could not be started: ${error.message}`);
      });
      this.process.once('exit', (code, signal) =>
        end(`died ${signal === null ? `with exit code ${code}` : `by signal ${signal}`}`),
      );
    });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /**
   * Asks for one computation with the given weights, which are sent only where the child holds others. They are
   * copied before this returns. Rejects with the child's own error, or `unavailable` where it has died.
   */
  request<Name extends OperationName>(
    operation: Name,
    argument: ChildOperations[Name]['argument'],
    policy?: PolicyVersion,
  ): Promise<ChildOperations[Name]['result']> {
    if (this.failure) return Promise.reject(this.failure);
    const id = this.nextId++;
    const needsWeights = policy !== undefined && policy.version !== this.heldVersion;
    const hasFile = this.fileHolder === null && (needsWeights || operation === 'computeGradient');
    return new Promise((resolve, reject) => {
      if (hasFile && needsWeights) writeVector(this.vectorFile, policy.parametersP);
      if (hasFile) this.fileHolder = id;
      if (needsWeights) this.heldVersion = policy.version;
      const sentWeights = hasFile ? 'in file' : policy?.parametersP;
      // The operation and its argument agree by this method's signature, which a union cannot express.
      const request = {
        id,
        operation,
        argument,
        parametersP: needsWeights ? sentWeights : undefined,
        hasFile,
      } as ChildRequest;
      // The reply to a request carries the result of that request's operation.
      this.pending.set(id, { resolve: resolve as Pending['resolve'], reject });
      this.process.send(request, (error) => {
        if (error && !this.failure) this.process.kill('SIGKILL');
      });
    });
  }

  /** Rejects what waits and everything from now on; the first reason given stays. */
  fail(error: AppError): void {
    this.failure ??= error;
    for (const { reject } of this.pending.values()) reject(this.failure);
    this.pending.clear();
  }

  /** Ends the child; resolves when it is gone. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.fail(new AppError('unavailable', 'the engine is closed'));
    if (this.process.connected) this.process.disconnect();
    const killer = setTimeout(() => this.process.kill('SIGKILL'), CLOSE_GRACE_MS);
    await this.exited;
    clearTimeout(killer);
  }

  private settle(reply: ChildReply): void {
    const pending = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ('error' in reply) pending?.reject(new AppError(reply.error.code, reply.error.message));
    else if ('result' in reply) pending?.resolve(reply.result);
    else pending?.resolve({ ...reply.share, gradientP: this.readGradient(reply.gradientElements) });
    if (reply.id === this.fileHolder) this.fileHolder = null;
  }

  private readGradient(elements: number): Float32Array {
    return readVector(this.vectorFile, new Float32Array(elements));
  }
}
