/**
 * Cuts off whoever does not read an answer. Node waits for ever: such a connection holds the answer in memory, and a place among the
 * connections.
 */
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** ms of the machine's own time in which a reader must take something. */
export interface WriteLimits {
  /** The limit for an answer that is made as a whole. */
  readonly whole: number;
  /** The limit for a file, a backup or an event stream: a player that pauses reads nothing meanwhile. */
  readonly stream: number;
}

export const defaultWriteLimits: WriteLimits = { whole: 40_000, stream: 300_000 };

/** Bytes that a reader must take within the limit, so that nobody lives by one byte at a time. */
const minTaken = 4096;

interface Progress {
  taken: number;
  /** When the reader took so much, or had nothing to take, in ms of the machine's own time. */
  at: number;
}

export function cutStalledWrites(fastify: FastifyInstance, limits: WriteLimits): void {
  const progress = new Map<Socket, Progress>();
  const streaming = new WeakSet<Socket>();
  fastify.server.on('connection', (socket: Socket) => {
    progress.set(socket, { taken: 0, at: performance.now() });
    socket.once('close', () => progress.delete(socket));
  });
  fastify.addHook('onSend', ({ raw: { socket } }, _reply, payload, done) => {
    if (payload instanceof Readable) streaming.add(socket);
    else streaming.delete(socket);
    done(null, payload);
  });

  const look = (): void => {
    const now = performance.now();
    for (const [socket, each] of progress) {
      const taken = takenFrom(socket);
      if (socket.writableLength === 0 || taken - each.taken >= minTaken) Object.assign(each, { taken, at: now });
      else if (now - each.at >= (streaming.has(socket) ? limits.stream : limits.whole)) socket.destroy();
    }
  };
  const timer = setInterval(look, Math.min(2500, limits.whole / 4)).unref();
  fastify.addHook('onClose', (_fastify, done) => {
    clearInterval(timer);
    done();
  });
}

/** Bytes that the system has taken from a socket to send. Of a large write Node shows only here how much of it that is. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}
