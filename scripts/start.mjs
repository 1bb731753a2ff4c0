/** `npm start`: installs and builds what is missing, then server and one local worker until Ctrl-C. */
import { ensureBuild } from './ensure-build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { fail } from './project.mjs';
import { askedToStop, findRunningServer, serveUntilStopped, startStack } from './stack.mjs';

await ensureInstall();
await ensureBuild();
const running = await findRunningServer();
if (running) fail(`A server of this data folder runs already: ${running.url}`);
const stopping = askedToStop();
const stack = await startStack({ logs: false }).catch((error) => fail(error.message));
console.log(`Stepscope is at ${stack.url}  (Ctrl-C stops it)`);
process.exit(await serveUntilStopped(stack, stopping));
