import { resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_LEASE, type LeaseSettings } from './queue/lease';

const DEFAULT_PORT = 4700;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1'];

const milliseconds = (fallback: number) => z.coerce.number().int().min(50).max(3_600_000).default(fallback);

/** Everything the server reads from its environment, by the names a person sets. */
const Variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine((host) => LOOPBACK_HOSTS.includes(host), {
      error: (issue) =>
        `${String(issue.input)} is not a loopback address. Other addresses need sign-in, which is not configured; ` +
        `use ${LOOPBACK_HOSTS.join(', ')} and reach the server through an SSH tunnel`,
    }),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://user:password@host:port/database')
    .optional(),
  STEPSCOPE_HOME: z.string().default('.stepscope'),
  STEPSCOPE_DATA: z.string().default('../shared/data'),
  STEPSCOPE_HEARTBEAT_MS: milliseconds(DEFAULT_LEASE.heartbeatMs),
  STEPSCOPE_LEASE_MS: milliseconds(DEFAULT_LEASE.leaseMs),
  STEPSCOPE_MAX_ATTEMPTS: z.coerce.number().int().min(1).max(1_000).default(DEFAULT_LEASE.maxAttempts),
  STEPSCOPE_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim().toLowerCase())
        .filter((host) => host !== ''),
    )
    .pipe(z.array(z.string().regex(/^[a-z0-9.\-[\]]+(:\d+)?$/, 'expected host names, such as lab-box:4700'))),
});

export interface ServerEnvironment {
  port: number;
  /** Somebody asked for this port: another one will not do. */
  portIsFixed: boolean;
  host: string;
  /** Null: the server runs its own Postgres in the data folder. */
  databaseUrl: string | null;
  /** The data folder, absolute. */
  home: string;
  /** Data outside the repository, absolute: the published texts lie beside it. It need not be there. */
  dataFolder: string;
  lease: LeaseSettings;
  /** Host names besides loopback under which browsers and workers may address the server. */
  allowedHosts: string[];
}

/** Parses the environment or throws an error that names each wrong variable and what it may be. */
export function readServerEnvironment(
  variables: Record<string, string | undefined> = process.env,
): ServerEnvironment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = Variables.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      // An address of a database holds a password, and what is not valid may hold it anywhere.
      const shown = name === 'DATABASE_URL' ? '(not shown)' : (given[name] ?? '');
      return `${name}=${shown}: ${issue.message}`;
    });
    throw new Error(`The environment is not valid.\n  ${problems.join('\n  ')}`);
  }
  const read = parsed.data;
  if (read.STEPSCOPE_LEASE_MS < 2 * read.STEPSCOPE_HEARTBEAT_MS)
    throw new Error(
      `STEPSCOPE_LEASE_MS=${read.STEPSCOPE_LEASE_MS} must be at least twice STEPSCOPE_HEARTBEAT_MS=` +
        `${read.STEPSCOPE_HEARTBEAT_MS}: one late heartbeat would lose a healthy run`,
    );
  return {
    port: read.PORT ?? DEFAULT_PORT,
    portIsFixed: read.PORT !== undefined,
    host: read.HOST,
    databaseUrl: read.DATABASE_URL ?? null,
    home: resolve(read.STEPSCOPE_HOME),
    dataFolder: resolve(read.STEPSCOPE_DATA),
    lease: {
      heartbeatMs: read.STEPSCOPE_HEARTBEAT_MS,
      leaseMs: read.STEPSCOPE_LEASE_MS,
      maxAttempts: read.STEPSCOPE_MAX_ATTEMPTS,
    },
    allowedHosts: read.STEPSCOPE_ALLOWED_HOSTS,
  };
}
