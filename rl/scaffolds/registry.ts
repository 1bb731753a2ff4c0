import type { ScaffoldConfig } from '@/contract/scaffolds';
import { recentActions } from './recent-actions';
import type { Scaffold } from './scaffold';

/** The scaffold a config asks for. */
export function openScaffold(config: ScaffoldConfig): Scaffold {
  switch (config.id) {
    case 'recent-actions':
      return recentActions(config.recentActions);
  }
}
