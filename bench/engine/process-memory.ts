/** Memory of this process and all below it, from /proc. Pages that processes share are counted once for each. */
import { readdirSync, readFileSync } from 'node:fs';

/** A process's fields of /proc/PID/status, or null where it is gone or there is no /proc. */
function status(pid: number): Map<string, string> | null {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
    return new Map(lines.map((line) => [line.split(':')[0] ?? '', line.split(':')[1]?.trim() ?? '']));
  } catch {
    return null;
  }
}

function processTree(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? Number(status(pid)?.get('PPid')) : NaN;
    if (!Number.isNaN(parent)) childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), pid]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(childrenOf.get(pid) ?? []));
  return tree;
}

function sumOfTree(field: 'VmRSS' | 'VmHWM'): number {
  if (!status(process.pid)) return NaN;
  const kilobytes = processTree(process.pid).map((pid) => parseInt(status(pid)?.get(field) ?? '0', 10));
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024;
}

/** Resident set sizes now, in MiB; NaN where there is no /proc. */
export function residentMiB(): number {
  return sumOfTree('VmRSS');
}

/** Each process's largest resident set so far, in MiB: at least the peak of their sum. NaN where there is no /proc. */
export function peakMiB(): number {
  return sumOfTree('VmHWM');
}
