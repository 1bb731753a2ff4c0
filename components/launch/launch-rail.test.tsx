import { cleanup, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BeforeLaunch } from './launch-rail';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The rail for a run on a server, where one idle worker's server has `models`. */
function show(models: readonly string[]) {
  const report = { tinker: { address: 'http://gpu:8000', models, problem: null } };
  const worker = {
    name: 'gpu box',
    connected: true,
    engines: ['tinker'],
    environments: ['babyai'],
    runId: null,
    report,
  };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([worker])));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BeforeLaunch
        issues={[]}
        failure={null}
        engine="tinker"
        model="Qwen/Qwen3-8B"
        environment="babyai"
        pending={false}
        onLaunch={() => undefined}
      />
    </QueryClientProvider>,
  );
}

describe('before the launch of a run on a server', () => {
  it('an idle worker is named whose server has the model', async () => {
    show(['Qwen/Qwen3-0.6B', 'Qwen/Qwen3-8B']);
    expect(
      await screen.findByText(
        'gpu box is idle and has engine tinker with model Qwen/Qwen3-8B and environment babyai.',
      ),
    ).toBeDefined();
  });

  it('a worker whose server lacks the model takes it no more than none', async () => {
    show(['Qwen/Qwen3-0.6B']);
    expect(
      await screen.findByText(/^No connected worker has engine tinker with model Qwen\/Qwen3-8B/),
    ).toBeDefined();
  });
});
