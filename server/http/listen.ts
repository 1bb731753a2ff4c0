import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ports tried above the default one where nobody asked for a certain port. */
const PORTS_TRIED = 20;

/**
 * Listens and answers with the port. A port that was asked for and is taken is an error; the default one may
 * give way to one of the next free ports.
 */
export async function listen(
  server: Server,
  host: string,
  port: number,
  portIsFixed: boolean,
): Promise<number> {
  const last = portIsFixed || port === 0 ? port : Math.min(port + PORTS_TRIED, 65_535);
  for (let candidate = port; candidate <= last; candidate++) {
    if (await tryListen(server, host, candidate)) return (server.address() as AddressInfo).port;
  }
  throw new Error(
    portIsFixed
      ? `port ${port} on ${host} is taken by another program; set PORT to a free one`
      : `ports ${port} to ${last} on ${host} are all taken; set PORT to a free one`,
  );
}

/** False where the port is taken. */
function tryListen(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    const listening = () => {
      server.off('error', failed);
      resolve(true);
    };
    server.once('error', failed).once('listening', listening).listen(port, host);
  });
}
