import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { AppError, ERROR_STATUS, toErrorBody } from '@/contract/errors';
import { API_PATH } from '../api/router';
import { setSecurityHeaders } from '../security/headers';
import { checkHostAndOrigin } from '../security/hosts';
import { toAppError } from './error-door';

/** Serves what is not the API's: Next's pages. */
export type PagesHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenerOptions {
  api: OpenAPIHono;
  /** Null: this server has no pages. */
  pages: PagesHandler | null;
  allowedHosts: readonly string[];
  development: boolean;
}

/** One door for all HTTP that is not a socket: checks who asks, then the API or the pages answer. */
export function createListener({ api, pages, allowedHosts, development }: ListenerOptions): RequestListener {
  // Next replaces the global Request and Response with its own; neither may disturb the other.
  const answerApi = getRequestListener(api.fetch, { overrideGlobalObjects: false });

  return (request, response) => {
    setSecurityHeaders(response, development);
    const answer = async () => {
      checkHostAndOrigin(request.headers, allowedHosts);
      const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
      if (pages === null || path === API_PATH || path.startsWith(`${API_PATH}/`))
        await answerApi(request, response);
      else {
        checkEncoding(path);
        if (isOfThisMachine(request)) delete request.headers['accept-encoding'];
        await pages(request, response);
      }
    };
    answer().catch((thrown: unknown) => refuse(response, thrown));
  };
}

/** An address that no text was encoded into is refused here: the pages would break on it. */
function checkEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw new AppError('invalid_input', `${path} is no address: a % is followed by what encodes no text`);
  }
}

/** Compressing what does not leave the machine would cost its reader's own processor more than the bytes do. */
function isOfThisMachine(request: IncomingMessage): boolean {
  const from = request.socket.remoteAddress ?? '';
  return /^(::ffff:)?127\.|^::1$/.test(from) && request.headers['x-forwarded-for'] === undefined;
}

function refuse(response: ServerResponse, thrown: unknown): void {
  const error = toAppError(thrown, 'request');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(ERROR_STATUS[error.code], { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(toErrorBody(error)));
}
