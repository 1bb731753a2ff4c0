/** How long a silent worker keeps its run. Times in ms, measured by the database's clock from the last beat. */
export interface LeaseSettings {
  heartbeatMs: number;
  /** After one of these without a beat a run is lost, after three it is queued again. */
  leaseMs: number;
  /** Attempts after which a lost run fails. */
  maxAttempts: number;
}

export const DEFAULT_LEASE: LeaseSettings = { heartbeatMs: 5_000, leaseMs: 30_000, maxAttempts: 5 };

/** Leases after which a lost run goes back to the queue. */
export const REQUEUE_LEASES = 3;
