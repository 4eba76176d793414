/**
 * Accepts connections over TCP, with TLS if there are files for it. The owner never sees connections that may not
 * enter.
 */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { bcp195 } from './connect.ts';
import { tlsFailure } from './failures.ts';
import type { TlsFailure } from './failures.ts';
import type { TlsFiles } from './files.ts';

/** The certificates that a TLS server presents and trusts. */
export interface ServedTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Certificates that must have signed the client's; absent: clients need none. */
  readonly ca?: Buffer;
}

/** `undefined`: there is no certificate to present. */
export const served = ({ cert, key, ca }: TlsFiles): ServedTls | undefined =>
  cert && key && { cert, key, ...(ca && { ca }) };

export interface Doorkeeper {
  /** `undefined`: no TLS. */
  readonly tls?: ServedTls | undefined;
  /** Whether that address may come in; absent: all may. */
  readonly mayConnect?: ((address: string) => boolean) | undefined;
  /** Takes over a connection that has authenticated as required. */
  take(socket: Socket, address: string): void;
  /** Called for refused connections; `undefined`: their address may not connect. */
  refused(address: string, failure: TlsFailure | undefined): void;
}

const handshakeMs = 10_000;
/** The largest number of simultaneous handshakes. */
const maxHandshakes = 500;

/** An IPv4 address from a dual-stack socket. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

/** Closing the server also ends pending handshakes; the owner must end accepted connections. */
export function createListener({ tls, mayConnect, take, refused }: Doorkeeper): Server {
  const entering = new Set<Socket>();

  function enter(socket: Socket, address: string, files: ServedTls): void {
    if (entering.size >= maxHandshakes) return void socket.destroy();
    const isOver = (): void => void entering.delete(socket);
    entering.add(socket);
    socket.once('close', isOver);
    // One per connection, so that a failure has its address, and no certificate carries over to the next one.
    createTlsServer(
      {
        ...files,
        ...bcp195,
        // Some systems support GCM suites only with this key exchange.
        dhparam: 'auto',
        handshakeTimeout: handshakeMs,
        ...(files.ca && { requestCert: true, rejectUnauthorized: true }),
      },
      (secure) => {
        isOver();
        take(secure, address);
      },
    )
      .on('tlsClientError', (error: Error, secure) => {
        secure.destroy();
        // A peer that sends nothing only probes the port.
        if (socket.bytesRead === 0) return;
        // Node reports a bad certificate in a property, not in the error.
        const code = secure.authorizationError as unknown;
        refused(address, tlsFailure(typeof code === 'string' ? { code } : error, 'called'));
      })
      .emit('connection', socket);
  }

  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const address = plainAddress(socket.remoteAddress);
    socket.on('error', () => socket.destroy());
    if (mayConnect?.(address) === false) {
      socket.destroy();
      return refused(address, undefined);
    }
    if (tls) enter(socket, address, tls);
    else take(socket, address);
  });
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const socket of entering) socket.destroy();
    return close(done);
  };
  return server;
}
