/** Headers of every answer, errors and pages included: the request's id, how long the request took, and what a page may do. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMovable, stopwatch } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { isolatedPage } from '../../../src/node/http/page-headers.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** When the request arrived, by the stopwatch. Fastify notes this only where Fastify itself logs. */
    arrived: number;
  }
}

/** Whole milliseconds since the request arrived (docs/decisions/0009). */
export const processingTime = ({ arrived }: FastifyRequest, clock: Clock): number =>
  Math.round(stopwatch(clock) - arrived);

/** `stopping`: aborted once the server stops, so that no client sends another request on its connection. */
export function stampAnswers(fastify: FastifyInstance, clock: Clock, stopping: AbortSignal): void {
  fastify.decorateRequest('arrived', 0);
  fastify.addHook('onRequest', (request, reply, done) => {
    identify(request, reply, clock);
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    stampTime(request, reply, clock);
    isolatePage(reply);
    if (stopping.aborted) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** Begins the answer. */
export function identify(request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  request.arrived = stopwatch(clock);
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
  // Node knows the machine's time alone.
  if (isMovable(clock)) reply.header('Date', new Date(clock.now()).toUTCString());
}

/** A page that needs more, such as the app, says so itself. */
function isolatePage(reply: FastifyReply): void {
  if (!String(reply.getHeader('Content-Type')).startsWith('text/html')) return;
  for (const [name, value] of Object.entries(isolatedPage)) if (!reply.hasHeader(name)) reply.header(name, value);
}

/** An answer in the envelope has the header already, with the number of the envelope. */
export function stampTime(request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  if (!reply.hasHeader('X-Processing-Time')) {
    reply.header('X-Processing-Time', String(processingTime(request, clock)));
  }
}
