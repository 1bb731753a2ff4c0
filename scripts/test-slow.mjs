/** `npm run test:slow`: what takes minutes a test. */
import { runLanes, vitestLane } from './test-lanes.mjs';

await runLanes([vitestLane('slow', ['slow'])]);
