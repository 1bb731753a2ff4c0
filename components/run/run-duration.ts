/** Seconds from a run's start to `endedAt` (both ms since 1970); null before it, and for an import whose source told no times. */
export function runSeconds(startedAt: number | null, endedAt: number | null): number | null {
  if (startedAt === null || endedAt === null || startedAt === endedAt) return null;
  return Math.max(0, endedAt - startedAt) / 1000;
}
