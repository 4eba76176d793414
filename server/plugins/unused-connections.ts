/** Connections that browsers open in advance: nothing runs on them, and Node does not count them as idle. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The function returned ends those on which nothing was ever asked, so that a server that stops need not wait for them. */
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
