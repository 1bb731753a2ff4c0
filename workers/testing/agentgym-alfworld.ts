import { z } from 'zod';
import { IdInput, IdTable, route, StepInput, type ServedWorld } from './agentgym-world';

/** A household game, as the real engine tells it. */
export interface HouseholdGame {
  /** With the banner and the task, paragraph by paragraph. */
  intro: string;
  taskType: string;
  availableActions(): string[];
  step(action: string): { text: string; won: boolean; done: boolean };
}

interface Play {
  game: HouseholdGame;
  world_type: string;
  index: number;
  observation: string;
  available_actions: string[];
  reward: number;
  done: boolean;
}

const WORLD_TYPES = ['Text', 'Embody', 'Hybrid'];

/** AgentGym's ALFWorld as its server serves it, without a route to close; `open` gives the game of an index. */
export function servedAlfWorld(open: (index: number) => HouseholdGame): ServedWorld {
  const plays = new IdTable<Play>();

  function playOf(id: number): Play {
    const play = plays.get(id);
    if (!play) throw new Error(String(id));
    return play;
  }

  return {
    get openIds() {
      return plays.openIds;
    },
    routes: {
      'GET /': route(z.object({}), () => 'This is environment AlfWorld.'),
      'POST /create': route(z.object({}), () => plays.create()),
      'POST /reset': route(
        z.object({ id: z.int(), game: z.int(), world_type: z.string() }),
        ({ id, game: index, world_type }) => {
          if (!WORLD_TYPES.includes(world_type))
            throw new Error('world_type must be one of "Text", "Embody" and "Hybrid"');
          plays.requireOpen(id);
          const game = open(index);
          const observation = game.intro.split('\n\n').slice(1).join('\n');
          const available_actions = game.availableActions();
          plays.set(id, { game, world_type, index, observation, available_actions, reward: 0, done: false });
          return { id, observation, available_actions, task_type: game.taskType };
        },
      ),
      'POST /step': route(StepInput, ({ id, action }) => {
        const play = playOf(id);
        const { text, won, done } = play.game.step(action);
        Object.assign(play, {
          observation: text.replace(/^You arrive at loc .*?\. /, ''),
          reward: won ? 1 : 0,
          available_actions: play.game.availableActions(),
          done,
        });
        const { observation, reward, available_actions } = play;
        return { observation, reward, available_actions, done };
      }),
      'GET /available_actions': route(IdInput, ({ id }) => playOf(id).available_actions),
      'GET /observation': route(IdInput, ({ id }) => playOf(id).observation),
      'GET /detail': route(IdInput, ({ id }) => {
        const { game: _game, index, ...play } = playOf(id);
        return { ...play, game: index, deleted: false };
      }),
    },
  };
}

/** A kitchen of two receptacles and an apple that belongs in the second; over after `turnLimit` turns. */
export function appleGame(turnLimit = 50): HouseholdGame {
  let place: string | null = null;
  let apple: 'countertop 1' | 'fridge 1' | 'hand' = 'countertop 1';
  let isOpen = false;
  let turns = 0;

  function availableActions(): string[] {
    const actions = ['countertop 1', 'fridge 1']
      .filter((name) => name !== place)
      .map((name) => `go to ${name}`);
    if (apple === place && (place !== 'fridge 1' || isOpen)) actions.push(`take apple 1 from ${place}`);
    if (place === 'fridge 1' && !isOpen) actions.push('open fridge 1');
    if (apple === 'hand' && place !== null && (place !== 'fridge 1' || isOpen))
      actions.push(`put apple 1 in/on ${place}`);
    return [...actions, 'inventory', 'look'].sort();
  }

  function act(action: string): string {
    if (!availableActions().includes(action)) return 'Nothing happens.';
    if (action.startsWith('go to ')) {
      place = action.slice('go to '.length);
      const seen = apple === place ? 'a apple 1' : 'nothing';
      return `You arrive at loc ${place.length}. On the ${place}, you see ${seen}.`;
    }
    if (action.startsWith('take ')) {
      apple = 'hand';
      return `You pick up the apple 1 from the ${place}.`;
    }
    if (action.startsWith('put ')) {
      apple = place === 'fridge 1' ? 'fridge 1' : 'countertop 1';
      return `You put the apple 1 in/on the ${place}.`;
    }
    if (action.startsWith('open ')) {
      isOpen = true;
      return 'You open the fridge 1. The fridge 1 is open. In it, you see nothing.';
    }
    if (action === 'inventory')
      return apple === 'hand' ? 'You are carrying: a apple 1.' : 'You are not carrying anything.';
    return place
      ? `You are facing the ${place}. Next to it, you see nothing.`
      : 'You are in the middle of a room.';
  }

  return {
    intro: [
      '-= Welcome to TextWorld, ALFRED! =-',
      'You are in the middle of a room. Looking quickly around you, you see a countertop 1, and a fridge 1.',
      'Your task is to: put some apple on fridge.',
    ].join('\n\n'),
    taskType: 'pick_and_place_simple-Apple-None-Fridge-1/trial_1',
    availableActions,
    step(action) {
      turns++;
      const text = act(action.trim());
      const won = apple === 'fridge 1';
      return { text, won, done: won || turns >= turnLimit };
    },
  };
}

/** The actions that win `appleGame`. */
export const APPLE_PLAN = [
  'go to countertop 1',
  'take apple 1 from countertop 1',
  'go to fridge 1',
  'open fridge 1',
  'put apple 1 in/on fridge 1',
];
