import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@/contract/errors';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests another site makes through the reader's browser. A Host that is neither loopback nor
 * configured is DNS rebinding; an Origin that differs from the Host is a cross-site request. Loopback counts
 * with any port, since an SSH tunnel may end on another one.
 */
export function checkHostAndOrigin(headers: IncomingHttpHeaders, allowedHosts: readonly string[]): void {
  const host = headers.host?.toLowerCase();
  if (!host || !isAllowedHost(host, allowedHosts))
    throw new AppError(
      'forbidden',
      `Host ${host ?? '(none)'} is not served here; add it to STEPSCOPE_ALLOWED_HOSTS if it is yours`,
    );
  const origin = headers.origin?.toLowerCase();
  if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
    throw new AppError('forbidden', `Origin ${origin} is another site than ${host}`);
}

function isAllowedHost(host: string, allowedHosts: readonly string[]): boolean {
  if (allowedHosts.includes(host)) return true;
  const name = host.replace(/:\d+$/, '');
  return LOOPBACK_NAMES.includes(name) || allowedHosts.includes(name);
}
