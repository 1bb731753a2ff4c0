import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { clipWords, ProviderReport } from '@/contract/worker-report';
import { REPOSITORY_DIR } from '../env';
import { TYPESCRIPT_OPTIONS } from '../typescript-loader';

const ENTRY = fileURLToPath(new URL('./cuda-provider-child.ts', import.meta.url));
/** The first session on a card loads gigabytes of libraries. */
const ANSWER_TIMEOUT_MS = 120_000;

/**
 * Whether onnxruntime's CUDA provider computes on this machine, found out by computing with it. In a process of its own,
 * since libraries that do not fit the driver take their process down. Never throws.
 */
export function detectCudaProvider(timeoutMs = ANSWER_TIMEOUT_MS): Promise<ProviderReport> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...TYPESCRIPT_OPTIONS, ENTRY],
      { cwd: REPOSITORY_DIR, timeout: timeoutMs, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => {
        const report = ProviderReport.safeParse(parseLastLine(stdout));
        if (report.success) return resolve(report.data);
        const said = stderr.trim().split('\n').at(-1) ?? '';
        const how = error?.signal
          ? `was ended by ${error.signal}`
          : `ended with exit code ${error?.code ?? 0}`;
        resolve({
          available: false,
          reason: clipWords(`the process that tried it ${how}${said && `: ${said}`}`),
        });
      },
    );
  });
}

function parseLastLine(stdout: string): unknown {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } catch {
    // It died before it could write.
    return null;
  }
}
