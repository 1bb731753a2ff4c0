'use client';
import { useUrlState } from '@/components/data/url-state';
import { PlayForm } from './play-form';
import { PlaySession } from './play-session';

/**
 * A checkpoint driven by hand. URL: `r`, the run that plays, once it is asked for; before, what the form asks: `c`
 * (RUN@STEP), `world`, `split`, `task` or `goal`, `turns`, `decoding`, `temperature`, `idle`.
 */
export function PlayScreen() {
  const { params, set } = useUrlState();
  const runId = params.get('r');
  if (runId) return <PlaySession key={runId} runId={runId} />;
  return <PlayForm onLaunched={(launched) => set({ r: launched }, 'push')} />;
}
