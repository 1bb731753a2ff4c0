/**
 * Replays recorded transcripts against an environment: `npm run env:replay -- ENVIRONMENT FILE...`.
 * Exit code 0 where all agree, 1 on a mismatch, 2 on wrong arguments or a malformed file.
 */
import { createBabyAi } from '@/rl/environments/babyai/babyai';
import { replayTranscript } from '@/rl/environments/babyai/transcript';
import { createBabyAiText } from '@/rl/environments/babyai-text/babyai-text';
import { replayTextTranscript } from '@/rl/environments/babyai-text/transcript';
import { replayCommand, type Replayers } from './replay/replay-command';

const REPLAYERS: Replayers = {
  babyai: () => {
    const upstream = createBabyAi({ compat: 'agentgym' });
    return (record) => replayTranscript(upstream, record);
  },
  'babyai-text': () => {
    const upstream = createBabyAiText({ compat: 'upstream' });
    return (record) => replayTextTranscript(upstream, record);
  },
};

try {
  const agrees = await replayCommand(process.argv.slice(2), REPLAYERS, console.log);
  process.exitCode = agrees ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
