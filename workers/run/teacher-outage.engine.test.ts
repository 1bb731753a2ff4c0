import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EndpointSettings } from '@/contract/endpoint';
import type { Engine } from '@/contract/engine';
import type { OpdConfig } from '@/contract/recipes/opd';
import { OPD_PRESETS } from '@/contract/recipes/opd-presets';
import type { TeacherSettings } from '@/contract/teacher';
import { trainOpd } from '@/rl/recipes/opd';
import { createEngine } from '../engines/engine';
import { createTokenizer } from '../engines/onnx/tokenizer/hugging-face-tokenizer';
import { buildPhraseTokenizer } from '../engines/onnx/tokenizer/phrase-tokenizer';
import { babyAiPhrases } from '../models/babyai-vocabulary';
import { EngineServeProcess } from '../engines/tinker/testing/engine-serve';
import { tinkerServer } from '../env';
import { ChatServer, type ChatServerAnswer } from '../testing/chat-server';
import { scoredCompletion, type AskedCompletion } from '../testing/completion-server';
import { OutageAttempt } from '../testing/outage-attempt';
import { freePort } from '../testing/programs';
import { tinyConfig } from '../testing/tiny-training';

const STEPS = 2;
const EPISODES = 3;

let attempt: OutageAttempt;
let peer: ChatServer | EngineServeProcess | null;
beforeEach(async () => {
  attempt = await OutageAttempt.create();
  peer = null;
});
afterEach(async () => {
  if (peer instanceof ChatServer) await peer.close();
  else await peer?.end();
  await attempt.close();
});

function configOf(teacher: Partial<TeacherSettings>): OpdConfig {
  const { horizon: _, advantage: __, ...tiny } = tinyConfig(attempt.base, { steps: STEPS });
  const { small } = OPD_PRESETS;
  return {
    ...small,
    ...tiny,
    rollout: { ...tiny.rollout, groups: EPISODES, groupSize: 1 },
    teacher: { ...small.teacher, ...teacher },
    diagnosis: { ...small.diagnosis, replies: 0 },
    reward: small.reward,
    update: { ...small.update, minibatches: 1 },
    recording: { trainGroups: EPISODES },
  };
}

function taught(config: OpdConfig, open?: (spec: Parameters<typeof createEngine>[0]) => Promise<Engine>) {
  return attempt.run({ config, events: (context) => trainOpd(config, context) }, open);
}

function endpointAt(port: number): Partial<TeacherSettings> {
  const settings = { model: 'teacher-1', triesBeforePause: 2, timeoutS: 0.5 };
  const endpoint = EndpointSettings.parse({ ...settings, address: `http://127.0.0.1:${port}/v1` });
  return { kind: 'endpoint', endpoint };
}

/** A teacher by the student's tokenizer that likes every token as well. */
function scorer(): (asked: AskedCompletion) => ChatServerAnswer {
  const { tokenizerJson, tokenizerConfig } = buildPhraseTokenizer(babyAiPhrases());
  const tokenizer = createTokenizer('base', {
    'tokenizer.json': JSON.stringify(tokenizerJson),
    'tokenizer_config.json': JSON.stringify(tokenizerConfig),
  });
  return (asked) => scoredCompletion(asked, { tokenizer, logprob: () => -2 });
}

describe('a run whose teacher does not answer', () => {
  it.each<[string, ChatServerAnswer, string]>([
    ['closes the connection', 'drop', 'gave no answer'],
    ['is slow', 'hang', 'no whole answer within 0.5 s'],
    ['limits it', { status: 429, headers: { 'retry-after': '0' }, body: 'slow down' }, 'HTTP 429'],
    ['answers nonsense', { status: 200, body: '<html>' }, 'answered no completion that scores its prompt'],
  ])(
    'because it %s is paused with the reason, and goes on by itself with what was sampled',
    async (_, trouble, reason) => {
      const score = scorer();
      // It goes away once it has been probed, so that the first to miss it are sampled replies.
      let phase: 'probed' | 'away' | 'back' = 'probed';
      const scored: string[] = [];
      peer = await ChatServer.start((asked) => {
        if (phase === 'away') return trouble;
        if (phase === 'back') scored.push(JSON.stringify(asked.prompt));
        if (asked.echo) phase = 'away';
        return score(asked);
      });
      const running = taught(configOf(endpointAt(peer.port)));
      expect(await attempt.paused()).toContain(reason);
      phase = 'back';
      expect(await running).toEqual({ status: 'finished', reason: null });
      expect(attempt.statuses().slice(0, 3)).toEqual(['running', 'paused', 'running']);
      expect(attempt.told('trajectory:finished')).toHaveLength(EPISODES * STEPS);
      // Two turns of each episode, each scored.
      expect(scored).toHaveLength(2 * EPISODES * STEPS);
      for (const { points } of attempt.told('points:measured'))
        expect(JSON.stringify(points)).toContain('tokens/teacher/prefilled');
    },
  );

  it('from its start waits for it before anything is sampled', async () => {
    const port = await freePort();
    const running = taught(configOf(endpointAt(port)));
    expect(await attempt.paused()).toContain('refused the connection');
    expect(attempt.told('progress:advanced')).toEqual([]);
    peer = await ChatServer.start(scorer(), port);
    expect(await running).toEqual({ status: 'finished', reason: null });
  });

  it('can be stopped meanwhile: what was sampled is told, and no step is said to be done', async () => {
    const score = scorer();
    let isProbed = false;
    peer = await ChatServer.start((asked) => {
      if (isProbed) return { status: 503, body: 'away' };
      isProbed = asked.echo === true;
      return score(asked);
    });
    const running = taught(configOf(endpointAt(peer.port)));
    await attempt.paused();
    attempt.stop.request('stop');
    expect(await running).toEqual({ status: 'stopped', reason: 'stopped on request' });
    expect(attempt.told('trajectory:finished')).toHaveLength(EPISODES);
    expect(attempt.told('step:finished')).toEqual([]);
  });

  it('behind a server of the Tinker protocol that is started anew goes on with it', async () => {
    const port = await freePort();
    const argv = [
      '--model',
      attempt.base,
      '--port',
      String(port),
      '--checkpoints',
      join(attempt.root, 'saved'),
    ];
    const variables = { STEPSCOPE_TINKER_URL: `http://127.0.0.1:${port}`, STEPSCOPE_TINKER_PATIENCE_S: '1' };
    const server = tinkerServer(variables);
    const config = configOf({ kind: 'tinker', model: attempt.base });
    const running = taught(config, (spec) => createEngine({ ...spec, patienceMs: 200 }, server));
    expect(await attempt.paused()).toContain('refused the connection');
    peer = await EngineServeProcess.start(argv);
    expect(await running).toEqual({ status: 'finished', reason: null });
    expect(attempt.told('trajectory:finished')).toHaveLength(EPISODES * STEPS);
  });
});
