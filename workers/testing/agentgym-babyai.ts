import { z } from 'zod';
import { agentGymText, createBabyAi } from '@/rl/environments/babyai/babyai';
import type { BabyAiEpisode } from '@/rl/environments/babyai/episode';
import { agentGymTask } from '@/rl/environments/babyai/task';
import { IdInput, IdTable, route, StepInput, type ServedWorld } from './agentgym-world';

interface Play {
  episode: BabyAiEpisode;
  observation: string;
  reward: number;
  score: number;
  done: boolean;
}

/** AgentGym's BabyAI as its server serves it, played by our own. */
export function servedBabyAi(): ServedWorld {
  const environment = createBabyAi({ compat: 'agentgym' });
  const plays = new IdTable<Play>();

  /** A step before the first reset fails on a Python dictionary, whose error is the missing key. */
  function playOf(id: number, missing: string): Play {
    const play = plays.get(id);
    if (!play) throw new Error(missing);
    return play;
  }

  return {
    get openIds() {
      return plays.openIds;
    },
    routes: {
      'GET /': route(z.object({}), () => 'This is environment BabyAI.'),
      'POST /create': route(z.object({}), () => plays.create()),
      'POST /reset': route(z.object({ id: z.int(), data_idx: z.int() }), ({ id, data_idx }) => {
        plays.requireOpen(id);
        const episode = environment.start(agentGymTask(data_idx, 'train'));
        const observation = agentGymText(episode.observe(), episode.goal);
        const play = { episode, observation, reward: 0, score: 0, done: false };
        plays.set(id, play);
        return { ...told(play), deleted: false };
      }),
      'POST /step': route(StepInput, ({ id, action }) => {
        const play = playOf(id, String(id));
        const { observation, reward, done } = play.episode.step(action);
        Object.assign(play, {
          observation: agentGymText(observation, null),
          reward,
          score: play.score + reward,
          done,
        });
        return told(play);
      }),
      'GET /observation': route(IdInput, ({ id }) => {
        const play = playOf(id, 'Environment not initialized');
        const observation = agentGymText(play.episode.observe(), play.episode.goal);
        return { ...told(play), observation, deleted: false };
      }),
      'POST /close': route(IdInput, ({ id }) => plays.delete(id)),
    },
  };
}

function told({ observation, reward, score, done }: Play) {
  return { observation, reward, score, done };
}
