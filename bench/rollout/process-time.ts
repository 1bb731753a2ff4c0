/** Processor time of other processes, from /proc: what their work costs however busy the machine is. */
import { readFileSync } from 'node:fs';

/** Linux reports in hundredths of a second. */
const TICKS_PER_S = 100;
/** Places of user and system time after the process's name, which may hold blanks. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Seconds of processor time that the processes have used; NaN where there is no /proc. */
export function processorSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / TICKS_PER_S;
}

function ticksOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME]);
  } catch {
    return NaN;
  }
}
