import { type ProviderReport, WORKER_REPORT_EVERY_MS, type WorkerReport } from '@/contract/worker-report';
import { fillArguments } from './engine-command/argv';
import { EngineCommand } from './engine-command/engine-command';
import type { EngineCommandSettings } from './engine-command/settings';
import { probeTinkerServer } from './engines/tinker/probe';
import { heldEndpointKeys, type TinkerServerSettings } from './env';
import { detectCudaProvider } from './gpu/cuda-provider';
import { offerDtype } from './gpu/dtype';
import { GpuReader } from './gpu/nvidia-smi';

export interface MachineSettings {
  /** The server of the Tinker protocol that the worker may train on. */
  server: TinkerServerSettings | null;
  /** The command that starts it, where the worker is to do that. */
  command: EngineCommandSettings | null;
  gpuReader?: GpuReader;
  /** One line for whoever watches the worker. */
  say(line: string): void;
}

/** The machine a worker runs on: its cards, the engines it reaches, and the engine command that it keeps running. */
export class Machine {
  private readonly gpuReader: GpuReader;
  private readonly timer: NodeJS.Timeout;
  private readonly listeners: (() => void)[] = [];
  private cuda: ProviderReport | null = null;
  private command: EngineCommand | null = null;
  private current: WorkerReport | null = null;
  private lastReading: Promise<void> = Promise.resolve();

  private constructor(private readonly settings: MachineSettings) {
    this.gpuReader = settings.gpuReader ?? new GpuReader();
    this.timer = setInterval(() => void this.refresh(), WORKER_REPORT_EVERY_MS);
    this.timer.unref();
  }

  /** Reads the machine once and starts the engine command. Throws `invalid_input` where the command cannot be filled in. */
  static async open(settings: MachineSettings): Promise<Machine> {
    const machine = new Machine(settings);
    try {
      await machine.refresh();
      machine.startCommand();
    } catch (error) {
      await machine.close();
      throw error;
    }
    return machine;
  }

  /** What was read last. */
  get report(): WorkerReport | undefined {
    return this.current ?? undefined;
  }

  /** Aborted when the engine that the command started ends; absent where it is not this machine's to start. */
  get engineLifetime(): AbortSignal | undefined {
    return this.command?.lifetime;
  }

  /** Calls `listener` after every reading. */
  onReading(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads again, after a reading that is under way. */
  refresh(): Promise<void> {
    this.lastReading = this.lastReading.then(() => this.read());
    return this.lastReading;
  }

  /** Ends the engine command; safe to call twice. Throws `unavailable` where one of its processes outlives that. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.listeners.length = 0;
    await this.command?.stop();
  }

  private async read(): Promise<void> {
    const { server } = this.settings;
    const [{ gpus, problem }, tinker] = await Promise.all([
      this.gpuReader.read(),
      server && probeTinkerServer(server),
    ]);
    if (gpus.length > 0) this.cuda ??= await detectCudaProvider();
    this.current = {
      gpus,
      gpuProblem: problem,
      dtype: offerDtype(gpus),
      cuda: this.cuda ?? { available: false, reason: `no GPU was found: ${problem}` },
      tinker,
      engineCommand: this.command?.report ?? null,
      endpointKeys: heldEndpointKeys(),
    };
    for (const listener of this.listeners) listener();
  }

  private startCommand(): void {
    const { server, command, say } = this.settings;
    if (!server || !command || !this.current) return;
    const { gpus, dtype } = this.current;
    const argv = fillArguments(command.argv, { gpus, dtype: dtype.dtype });
    this.command = new EngineCommand({
      settings: { ...command, argv },
      address: server.address,
      probe: async () => (await probeTinkerServer(server)).problem,
      say,
      changed: () => void this.refresh(),
    });
  }
}
