/** Closes connections that browsers open in advance: they carry no request, and Node does not count them as idle. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Watches connections. The returned function closes those that never carried a request, so that they do not delay a
 * stop.
 */
export function watchUnusedConnections({ server }: FastifyInstance): () => void {
  const unused = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
}
