import type { ScaffoldConfig } from '@/contract/scaffolds';
import { history10 } from './history-10';
import { labTool } from './lab-tool';
import { listedStrategies } from './listed-strategies';
import { memoryAction } from './memory-action';
import { react } from './react';
import { recentActions } from './recent-actions';
import type { Scaffold } from './scaffold';
import { strata } from './strata';
import { toolCall } from './tool-call';
import { verlAgent } from './verl-agent';
import { workingMemory } from './working-memory';

/** The scaffold a config asks for. Throws `invalid_input` where its template is not valid. */
export function openScaffold(config: ScaffoldConfig): Scaffold {
  switch (config.id) {
    case 'recent-actions':
      return recentActions(config.recentActions, config.template);
    case 'react':
      return react(config);
    case 'tool-call':
      return toolCall(config);
    case 'history-10':
      return history10(config);
    case 'working-memory':
      return workingMemory(config);
    case 'memory-action':
      return memoryAction(config);
    case 'verl-agent':
      return verlAgent(config);
    case 'lab-tool':
      return labTool(config);
    case 'strata':
      return strata(config);
    case 'listed-strategies':
      return listedStrategies(config);
  }
}
