/** Says to the watch of the event loop whose call goes on. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { LoopWatch, Work } from '../loop-watch.ts';
import { endpointOf } from '../plugins/errors.ts';

/** A call by its method and route, without what was sent in its address. */
export const workOf = (request: FastifyRequest): Work => ({
  call: `${request.method} ${endpointOf(request)?.path ?? request.routeOptions.url ?? 'other'}`,
  request_id: request.id,
});

export function watchTurns(fastify: FastifyInstance, { begin, goOn }: LoopWatch): void {
  fastify.addHook('onRequest', (request, _reply, done) => {
    begin(workOf(request));
    done();
  });
  // What comes before these is the reading of the body, and the work of the handler.
  fastify.addHook('preValidation', (request, _reply, done) => {
    goOn(workOf(request));
    done();
  });
  fastify.addHook('preSerialization', (request, _reply, payload, done) => {
    goOn(workOf(request));
    done(null, payload);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    goOn(workOf(request));
    done(null, payload);
  });
}
