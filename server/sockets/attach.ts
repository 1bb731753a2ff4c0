import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import { AppError } from '@/contract/errors';
import { MAX_BATCH_BYTES } from '@/contract/version';
import { checkHostAndOrigin } from '../security/hosts';
import type { SocketServer, WorkerNamespace } from './names';

/** A full batch and what the protocol wraps around it. */
const MAX_MESSAGE_BYTES = 2 * MAX_BATCH_BYTES;

/** The socket server on the HTTP server's port: browsers in `/`, workers in `/worker`. */
export function attachSockets(
  httpServer: HttpServer,
  allowedHosts: readonly string[],
): { browsers: SocketServer; workers: WorkerNamespace } {
  const browsers: SocketServer = new Server(httpServer, {
    path: '/socket.io',
    serveClient: false,
    // Next's own socket, of the development server, shares the port.
    destroyUpgrade: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    allowRequest: (request, decide) => {
      try {
        checkHostAndOrigin(request.headers, allowedHosts);
        decide(null, true);
      } catch (error) {
        decide(error instanceof AppError ? error.message : 'refused', false);
      }
    },
  });
  return { browsers, workers: browsers.of('/worker') };
}
