/** The embedded engine as a server of the Tinker protocol. Ctrl-C ends it with every model on it. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { AppError } from '@/contract/errors';
import { Api } from './api';
import { addCheckpointRoutes } from './checkpoint-routes';
import { EngineServer } from './engine-server';
import { addSamplingRoutes } from './sampling-routes';
import { addSessionRoutes } from './session-routes';
import { SERVE_USAGE, serveSettings, type ServeSettings } from './settings';
import { addTrainingRoutes } from './training-routes';

async function serve(settings: ServeSettings): Promise<void> {
  const engine = await EngineServer.open(settings);
  const api = new Api(settings);
  addSessionRoutes(api, engine);
  addTrainingRoutes(api, engine);
  addSamplingRoutes(api, engine);
  addCheckpointRoutes(api, engine);
  const answer = getRequestListener(api.app.fetch);
  const http = createServer((request, response) => void answer(request, response));
  const end = (): void => {
    http.close();
    http.closeAllConnections();
  };
  try {
    http.listen(settings.port, settings.host);
    await once(http, 'listening');
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    const { port } = http.address() as AddressInfo;
    const key = settings.apiKey ? 'with a key' : 'without a key';
    console.log(`${settings.modelName} is served on http://${settings.host}:${port}, ${key}`);
    await once(http, 'close');
  } finally {
    await engine.close();
  }
}

function settingsOrExit(): ServeSettings {
  try {
    return serveSettings(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    console.error(`${error.message}\n\n${SERVE_USAGE}`);
    process.exit(2);
  }
}

const settings = settingsOrExit();
try {
  await serve(settings);
  process.exit(0);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
