/** Reports to the event-loop watch which call is being processed. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../runtime/log.ts';
import { createLoopWatch } from '../runtime/loop-watch.ts';
import type { LoopWatch, Work } from '../runtime/loop-watch.ts';
import type { Metrics } from './metrics/metrics.ts';
import { findEndpoint } from '../http/plugins/errors.ts';
import type { WatchedCalls } from '../http/watched-calls.ts';

/** A call by its method and route, without its parameters. */
const workOf = (request: FastifyRequest): Work => ({
  call: `${request.method} ${findEndpoint(request)?.path ?? request.routeOptions.url ?? 'other'}`,
  request_id: request.id,
});

interface TurnDeps {
  readonly calls: Pick<WatchedCalls, 'underWay'>;
  readonly metrics: Pick<Metrics, 'holds'>;
  readonly log: Log;
}

/** Watches while the server listens: before that nobody waits. */
export function watchEventLoop(fastify: FastifyInstance, { calls, metrics, log }: TurnDeps): LoopWatch {
  const watch = createLoopWatch({
    report: (held) => {
      metrics.holds.add(held.call);
      log({ level: 'warn', event: 'loop_held', ...held });
    },
    underWay: () => Array.from(calls.underWay, (request) => workOf(request).call),
  });
  fastify.server.once('listening', watch.start);
  fastify.addHook('onClose', (_fastify, done) => {
    watch.stop();
    done();
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    watch.begin(workOf(request));
    done();
  });
  // Before these hooks, the body is read; and the handler works, and its answer is written as JSON.
  fastify.addHook('preValidation', (request, _reply, done) => {
    watch.goOn(workOf(request));
    done();
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    watch.goOn(workOf(request));
    done(null, payload);
  });
  return watch;
}
