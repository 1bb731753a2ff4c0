import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const PORT = 4790;
const SEEDED = '*.seeded.spec.ts';
const url = `http://127.0.0.1:${PORT}`;

/** Journeys in Debian's Chromium, against a whole stack with a data folder of its own. */
export default defineConfig({
  testDir: './e2e',
  projects: [
    { name: 'journeys', testMatch: '*.spec.ts', testIgnore: SEEDED },
    // Of the slow lane: `npm run db:seed` trains two runs first.
    { name: 'seeded', testMatch: SEEDED },
  ],
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
  webServer: {
    command: 'node scripts/start.mjs',
    url: `${url}/api/v1/health`,
    env: {
      PORT: String(PORT),
      STEPSCOPE_HOME: process.env.STEPSCOPE_E2E_HOME ?? join(tmpdir(), `stepscope-e2e-${process.pid}`),
      NEXT_TELEMETRY_DISABLED: '1',
    },
    stdout: 'pipe',
    timeout: 300_000,
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 90_000 },
  },
});
