import { execFile, type ExecFileException } from 'node:child_process';
import { AppError } from '@/contract/errors';
import { clipWords, type GpuReport } from '@/contract/worker-report';

/** The columns that are asked for, after `index` and `name`. */
const COLUMNS = [
  'memory.total',
  'memory.used',
  'utilization.gpu',
  'compute_cap',
  'driver_version',
  'mig.mode.current',
] as const;

const ARGUMENTS = [`--query-gpu=index,name,${COLUMNS.join(',')}`, '--format=csv,noheader,nounits'];
const CAPABILITY = /^\d{1,3}\.\d{1,3}$/;
const ANSWER_TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/** The cards of a machine, or why there are none. */
export interface GpuReading {
  gpus: GpuReport[];
  problem: string | null;
}

/** Reads the cards of this machine from `nvidia-smi`. */
export class GpuReader {
  private isRunning = false;

  constructor(
    private readonly command = 'nvidia-smi',
    private readonly timeoutMs = ANSWER_TIMEOUT_MS,
  ) {}

  /** Never throws: a machine without cards is as good as any. Answers within the time limit even where the driver hangs. */
  async read(): Promise<GpuReading> {
    // A process that the driver holds cannot be killed, and each further one would be held like it.
    if (this.isRunning) return { gpus: [], problem: 'nvidia-smi was asked earlier and has not ended since' };
    try {
      const gpus = parseGpus(await this.ask());
      return { gpus, problem: gpus.length === 0 ? 'nvidia-smi lists no card' : null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { gpus: [], problem: clipWords(error.message) };
    }
  }

  private ask(): Promise<string> {
    this.isRunning = true;
    return new Promise((resolve, reject) => {
      const child = execFile(
        this.command,
        ARGUMENTS,
        { maxBuffer: MAX_OUTPUT_BYTES },
        (error, stdout, stderr) => {
          this.isRunning = false;
          clearTimeout(timer);
          if (error) reject(new AppError('unavailable', failureWords(error, stdout, stderr)));
          else resolve(stdout);
        },
      );
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new AppError('unavailable', `nvidia-smi did not answer within ${this.timeoutMs / 1000} s`));
      }, this.timeoutMs);
    });
  }
}

/**
 * The cards in the output of `nvidia-smi` for our columns, without header and units. What a card does not tell stands
 * in brackets (`[N/A]`, `[Not Supported]`) and becomes null. Throws `invalid_input` naming a row of another form.
 */
export function parseGpus(output: string): GpuReport[] {
  return output
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map(parseGpu);
}

function parseGpu(row: string): GpuReport {
  const cells = row.split(',').map((cell) => cell.trim());
  const index = Number(cells[0] || NaN);
  // A name may hold commas, the columns after it may not.
  const name = cells.slice(1, -COLUMNS.length).join(', ');
  const [total, used, utilization, capability, driver, mig] = cells.slice(-COLUMNS.length);
  if (cells.length < COLUMNS.length + 2 || !Number.isInteger(index) || index < 0)
    throw new AppError(
      'invalid_input',
      `nvidia-smi answered ${JSON.stringify(row)}, expected index, name, ${COLUMNS.join(', ')}`,
    );
  return {
    index,
    name: name.slice(0, 200),
    memoryTotalMib: numberOf(total),
    memoryUsedMib: numberOf(used),
    utilizationPercent: numberOf(utilization),
    computeCapability: CAPABILITY.test(capability ?? '') ? (capability ?? null) : null,
    driver: textOf(driver)?.slice(0, 100) ?? null,
    mig: mig === 'Enabled',
  };
}

function textOf(cell = ''): string | null {
  return cell === '' || cell.startsWith('[') ? null : cell;
}

function numberOf(cell: string | undefined): number | null {
  const value = Number(textOf(cell) ?? NaN);
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function failureWords(error: ExecFileException, stdout: string, stderr: string): string {
  if (error.code === 'ENOENT') return 'nvidia-smi is not installed';
  // It writes its complaints to either stream.
  const said = `${stdout}\n${stderr}`.trim().split('\n')[0] ?? '';
  if (typeof error.code === 'number')
    return `nvidia-smi ended with exit code ${error.code}${said && `: ${said}`}`;
  return `nvidia-smi could not be run: ${error.message}`;
}
