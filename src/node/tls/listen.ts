/** Hears systems that call over TCP, by TLS where there are files for it. Who may not come in is never heard of again. */
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { bcp195 } from './connect.ts';
import { tlsFailure } from './failures.ts';
import type { TlsFailure } from './failures.ts';
import type { TlsFiles } from './files.ts';

/** What is shown and asked for by TLS. */
export interface ServedTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  /** Certificates that whoever calls must be signed by; absent: they need none. */
  readonly ca?: Buffer;
}

/** `undefined`: there is nothing to show. */
export const served = ({ cert, key, ca }: TlsFiles): ServedTls | undefined =>
  cert && key && { cert, key, ...(ca && { ca }) };

export interface Doorkeeper {
  /** `undefined`: no TLS. */
  readonly tls?: ServedTls | undefined;
  /** Whether that address may come in; absent: all may. */
  readonly mayConnect?: ((address: string) => boolean) | undefined;
  /** Takes a connection that has shown all that it must. */
  take(socket: Socket, address: string): void;
  /** Hears of those that were sent away; `undefined`: their address may not come in. */
  refused(address: string, failure: TlsFailure | undefined): void;
}

const handshakeMs = 10_000;
/** Connections that may be in their handshake at a time. */
const mostEntering = 500;

/** An address of IPv4 that came by a socket for both. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

/** Closing the server also ends the connections that are not in yet; those that are in are the owner's to end. */
export function createListener({ tls, mayConnect, take, refused }: Doorkeeper): Server {
  const entering = new Set<Socket>();

  function enter(socket: Socket, address: string, files: ServedTls): void {
    if (entering.size >= mostEntering) return void socket.destroy();
    const isOver = (): void => void entering.delete(socket);
    entering.add(socket);
    socket.once('close', isOver);
    // One for each connection, so that a failure tells its address, and no certificate is remembered for the next one.
    createTlsServer(
      {
        ...files,
        ...bcp195,
        // Some systems have suites of GCM with this exchange alone.
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
        // Whoever says nothing at all only looks whether somebody is here.
        if (socket.bytesRead === 0) return;
        // Node tells of a bad certificate beside the error.
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
