/**
 * Watches every call from its arrival to its end. The inspector, the metrics, the log and the audit trail listen here, so that
 * all of them tell of the same calls.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isEventStream } from '../../src/contract/endpoint.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createListeners } from '../../src/domain/listeners.ts';
import { findEndpoint } from './plugins/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error that refused the request. */
    refusal: string | undefined;
    /** The body of the answer, before it is written as JSON. */
    answered: unknown;
    /** Ids of the documents that a raw answer shows; `undefined`: the one in the path. */
    shows: readonly string[] | undefined;
  }
}

/** A call that was answered or cut off, or an event stream that began. */
export interface EndedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** `undefined`: the address is none of the API. */
  readonly endpoint: Endpoint | undefined;
  /** `undefined`: the connection ended before the answer. */
  readonly status: number | undefined;
  /** When the call arrived, in ms since 1970. */
  readonly at: number;
  /** ms of the machine's own time from the arrival to the end of the answer; of a stream, to its beginning. */
  readonly elapsed: number;
}

/** When a call arrived: in ms since 1970, and by the machine's own time. */
interface Arrival {
  readonly at: number;
  readonly began: number;
}

export interface WatchedCalls {
  /** Calls that have arrived and have no answer yet. */
  readonly inFlight: number;
  /** Event streams that are open. */
  readonly streams: number;
  /** The requests of those that have arrived and have no answer yet. */
  readonly underWay: ReadonlySet<FastifyRequest>;
  /** Calls the listener at the end of each call. */
  onEnd(listener: (call: EndedCall) => void): void;
}

/** It must be made before whatever may refuse a request. */
export function watchCalls(fastify: FastifyInstance, clock: Clock): WatchedCalls {
  const machine = machineClockOf(clock);
  const listeners = createListeners<[call: EndedCall]>();
  const underWay = new Set<FastifyRequest>();
  let streams = 0;

  const end = (request: FastifyRequest, reply: FastifyReply, { at, began }: Arrival, isAnswered: boolean): void => {
    underWay.delete(request);
    const status = isAnswered ? reply.statusCode : undefined;
    const elapsed = machine.elapsed() - began;
    listeners.notify({ request, reply, endpoint: findEndpoint(request), status, at, elapsed });
  };

  fastify.decorateRequest('refusal', undefined);
  fastify.decorateRequest('answered', undefined);
  fastify.decorateRequest('shows', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    underWay.add(request);
    const endpoint = findEndpoint(request);
    const { raw } = reply;
    const arrival = { at: clock.now(), began: machine.elapsed() };
    const onClose = () => end(request, reply, arrival, raw.headersSent);
    raw.on('close', onClose);
    // A stream may go on for hours: it ends, as a call, as soon as it has begun.
    if (endpoint && isEventStream(endpoint)) {
      raw.once('pipe', () => {
        raw.removeListener('close', onClose);
        streams++;
        raw.once('close', () => void streams--);
        end(request, reply, arrival, true);
      });
    }
    done();
  });

  return {
    get inFlight() {
      return underWay.size;
    },
    get streams() {
      return streams;
    },
    underWay,
    onEnd: listeners.add,
  };
}
