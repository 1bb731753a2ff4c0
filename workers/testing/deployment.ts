import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { LaunchedRun, RunDetail } from '@/contract/api';
import type { GrpoConfig } from '@/contract/recipes/grpo';
import { isFinalStatus } from '@/contract/run';
import { REPOSITORY_DIR } from '../env';
import { eventually, freePort, readServerFiles, TestProgram } from './programs';
import { tinyConfig, writeTinyBase } from './tiny-training';

const HEARTBEAT_MS = 200;

export interface DeploymentOptions {
  databaseUrl: string;
  leaseMs: number;
  /** Environment of every process. */
  env: NodeJS.ProcessEnv;
}

/** A server on a database of its own and its workers, each a process that can be killed, with a base model that trains in seconds. */
export class Deployment {
  server: TestProgram | null = null;
  private workers: TestProgram[] = [];

  private constructor(
    /** Folder of everything the processes write. */
    readonly root: string,
    /** The base model, relative to the repository, which a run's model cannot leave. */
    readonly modelDir: string,
    private readonly options: DeploymentOptions & { port: number },
  ) {}

  /** Writes the base model and starts the server. */
  static async open(options: DeploymentOptions): Promise<Deployment> {
    const root = await mkdtemp(join(tmpdir(), 'stepscope-worker-'));
    const ignored = join(REPOSITORY_DIR, '.stepscope');
    await mkdir(ignored, { recursive: true });
    const modelDir = relative(REPOSITORY_DIR, await mkdtemp(join(ignored, 'test-base-')));
    await writeTinyBase(join(REPOSITORY_DIR, modelDir));
    const deployment = new Deployment(root, modelDir, { ...options, port: await freePort() });
    await deployment.startServer();
    return deployment;
  }

  /** Folder of the server's own files. */
  get serverHome(): string {
    return join(this.root, 'server');
  }

  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  async startServer(): Promise<void> {
    const { databaseUrl, leaseMs, env, port } = this.options;
    const started = TestProgram.start(
      'server/main.ts',
      ['--no-pages'],
      {
        DATABASE_URL: databaseUrl,
        STEPSCOPE_HOME: this.serverHome,
        PORT: String(port),
        STEPSCOPE_HEARTBEAT_MS: String(HEARTBEAT_MS),
        STEPSCOPE_LEASE_MS: String(leaseMs),
      },
      env,
    );
    this.server = started;
    await eventually(
      () => started.output.includes('Stepscope serves'),
      () => `the server is up: ${started.output}`,
    );
  }

  /** A worker with a folder of its own name. */
  startWorker(name: string, variables: Record<string, string> = {}): TestProgram {
    const { url, token } = readServerFiles(this.serverHome);
    const worker = TestProgram.start(
      'workers/main.ts',
      ['--server', url, '--home', join(this.root, name), '--name', name],
      { STEPSCOPE_WORKER_TOKEN: token, ...variables },
      this.options.env,
    );
    this.workers.push(worker);
    return worker;
  }

  async killWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.end('SIGKILL')));
  }

  /** Launches a run of `tinyConfig` with changes and gives its id. */
  async launch(name: string, changes: Partial<GrpoConfig> = {}): Promise<string> {
    const config = tinyConfig(this.modelDir, changes);
    const response = await fetch(`${this.url}/api/v1/runs`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, recipe: 'grpo', preset: 'verify', config }),
    });
    if (response.status !== 201) throw new Error(`launch of ${name}: ${await response.text()}`);
    return ((await response.json()) as LaunchedRun).runId;
  }

  async requireRun(runId: string): Promise<RunDetail> {
    const response = await fetch(`${this.url}/api/v1/runs/${runId}`);
    return (await response.json()) as RunDetail;
  }

  async stopRun(runId: string): Promise<Response> {
    return fetch(`${this.url}/api/v1/runs/${runId}/stop`, { method: 'POST' });
  }

  /** The run once it is as wanted; throws where it ends otherwise. */
  async runReaches(runId: string, wanted: (detail: RunDetail) => boolean): Promise<RunDetail> {
    let last: RunDetail | null = null;
    return eventually(
      async () => {
        last = await this.requireRun(runId);
        if (wanted(last)) return last;
        if (isFinalStatus(last.run.status))
          throw new Error(`run ${runId} ended: ${JSON.stringify(last.run)}`);
        return null;
      },
      () =>
        `run ${runId} as wanted: ${JSON.stringify(last?.run)} ${JSON.stringify(last?.view.log.slice(-3))} ` +
        this.workers.map((worker) => worker.output).join('\n---\n'),
    );
  }

  reachesStep(runId: string, step: number): Promise<RunDetail> {
    return this.runReaches(runId, ({ view }) => view.step >= step);
  }

  reachesStatus(runId: string, status: string): Promise<RunDetail> {
    return this.runReaches(runId, ({ run }) => run.status === status);
  }

  /** Ends every process and removes every file. */
  async close(): Promise<void> {
    await this.killWorkers();
    await this.server?.end('SIGTERM');
    await rm(this.root, { recursive: true, force: true });
    await rm(join(REPOSITORY_DIR, this.modelDir), { recursive: true, force: true });
  }
}
