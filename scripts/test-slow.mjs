/** `npm run test:slow`: what takes minutes a test. */
import { browserLane, runLanes, vitestLane } from './test-lanes.mjs';

await runLanes([vitestLane('slow', ['slow']), browserLane('seeded', 'seeded')]);
