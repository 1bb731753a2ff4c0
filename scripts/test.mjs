/** `npm test`: every lane but the slow one. */
import { browserLane, runLanes, vitestLane } from './test-lanes.mjs';

await runLanes([
  vitestLane('unit', ['unit', 'dom']),
  vitestLane('engine', ['engine']),
  vitestLane('server', ['server']),
  vitestLane('learning', ['learning']),
  browserLane('browser', 'journeys'),
]);
