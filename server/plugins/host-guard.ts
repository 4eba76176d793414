/**
 * Who may talk to a server on this machine. A page elsewhere can make a browser send requests here: by a rebound DNS
 * name (then Host is not ours) or across origins (then Origin is not ours).
 */
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** `allowedHosts`: further names for the Host header, for a server bound to more than loopback. */
export function registerHostGuard(app: FastifyInstance, allowedHosts: readonly string[]): void {
  const names = new Set([...loopbackNames, ...allowedHosts.map((name) => name.toLowerCase())]);
  app.addHook('onRequest', (request, _reply, done) => {
    const { host } = request.headers;
    // RFC 9112 3.2.
    if (host === undefined || countHosts(request.raw.rawHeaders) > 1) {
      throw new AppError('VALIDATION_FAILED', { message: 'The request must have one Host header.' });
    }
    if (!isOurs(host, names, request.raw.socket.localPort)) {
      throw new AppError('FORBIDDEN', {
        message: 'This server does not answer to that Host.',
        hint: 'Use 127.0.0.1 or localhost, or start the server with --allow-host NAME.',
      });
    }
    const { origin } = request.headers;
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`) {
      throw new AppError('FORBIDDEN', { message: 'Requests from other origins are not allowed.' });
    }
    done();
  });
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

function isOurs(host: string, names: ReadonlySet<string>, localPort: number | undefined): boolean {
  const match = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host);
  if (!match || !names.has(match[1]!.toLowerCase())) return false;
  // An injected request has no socket, hence no port to compare.
  return localPort === undefined || Number(match[2] ?? 80) === localPort || !loopbackNames.includes(match[1]!);
}
