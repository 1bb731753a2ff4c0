import type { EnvironmentConfig, EnvironmentId } from '@/contract/environments/registry';
import { openPureEnvironment } from '@/rl/environments/registry';
import type { EnvironmentSuite } from '@/rl/environments/suite';
import type { LeftOutGame } from '../alfworld/game-list';
import { mayHoldGames } from '../alfworld/game-store';
import { openAlfWorldFromDisk } from '../alfworld/open-alfworld';
import { alfWorldDataDir } from '../env';
import { openAgentGym } from '../remote/agentgym/suite';

/** Environments this worker can play in: ALFWorld where its games are on the disk. */
export function offeredEnvironments(): EnvironmentId[] {
  const alfWorld: EnvironmentId[] = mayHoldGames(alfWorldDataDir()) ? ['alfworld'] : [];
  return ['babyai', 'babyai-text', 'household', 'agentgym', ...alfWorld];
}

/** The environment a run asks for, with this worker's data and servers. Throws where the worker cannot provide it. */
export function openEnvironment(config: EnvironmentConfig): EnvironmentSuite | Promise<EnvironmentSuite> {
  switch (config.id) {
    case 'agentgym':
      return openAgentGym(config);
    case 'alfworld': {
      const { taskTypes, maxTurns } = config;
      return openAlfWorldFromDisk({
        place: alfWorldDataDir(),
        taskTypes,
        maxTurns,
        onUnreadable: reportUnreadable,
      });
    }
    default:
      return openPureEnvironment(config);
  }
}

function reportUnreadable(games: readonly LeftOutGame[]): void {
  console.warn(`${games.length} ALFWorld games cannot be read and are left out:`);
  for (const { game, detail } of games) console.warn(`  ${game}: ${detail}`);
}
