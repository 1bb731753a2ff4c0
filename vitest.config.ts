import { defineConfig } from 'vitest/config';
import react from '@vitejs/plugin-react';

const alias = { '@': import.meta.dirname };

/** One project a lane: `unit` is fast and pure, `engine` and `server` start processes, `learning` trains, `dom` renders. */
export default defineConfig({
  resolve: { alias },
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          testTimeout: 60_000,
          include: [
            '{contract,rl,stats}/**/*.test.ts',
            'workers/**/*.test.ts',
            'scripts/**/*.test.ts',
            'components/**/*.test.ts',
          ],
          exclude: [
            '**/*.engine.test.ts',
            '**/*.learning.test.ts',
            '**/*.server.test.ts',
            '**/*.slow.test.ts',
            'node_modules/**',
          ],
        },
      },
      {
        plugins: [react()],
        resolve: { alias },
        test: {
          name: 'dom',
          environment: 'jsdom',
          testTimeout: 60_000,
          include: ['components/**/*.test.tsx', 'app/**/*.test.tsx'],
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'engine',
          include: ['workers/**/*.engine.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'server',
          // A server and its clients answer late on a busy machine.
          expect: { poll: { timeout: 20_000 } },
          include: ['server/**/*.test.ts', 'prisma/**/*.test.ts', 'workers/**/*.server.test.ts'],
          exclude: ['**/*.slow.test.ts', 'node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'learning',
          include: ['**/*.learning.test.ts'],
          exclude: ['node_modules/**'],
          testTimeout: 900_000,
          fileParallelism: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'slow',
          include: ['**/*.slow.test.ts'],
          exclude: ['node_modules/**'],
          testTimeout: 1_800_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
