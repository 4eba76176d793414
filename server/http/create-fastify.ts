/** Makes the server of Fastify that all calls reach: ids of requests, limits, and the answers to what is no request. */
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { hubPath } from '../../src/protocols/fhircast/place.ts';
import type { Ids } from '../storage/ids.ts';
import { identify, stampTime } from './plugins/answer-headers.ts';
import { asAppError, clientErrorAnswer, sendFailure } from './plugins/errors.ts';
import { readTarget } from './plugins/host-guard.ts';
import type { Reach } from './plugins/host-guard.ts';
import { cutStalledWrites } from './plugins/stalled-writes.ts';
import type { WriteLimits } from './plugins/stalled-writes.ts';
import { schemaCompilers } from './implement.ts';
import type { createValidation } from '../runtime/validation.ts';

export interface ConnectionLimits {
  /** How long a client may take to send its headers, in ms of the machine's own time. */
  readonly headersTimeout: number;
  /** How long a request may take to arrive, in ms of the machine's own time. */
  readonly requestTimeout: number;
  /** How long a client may leave an answer unread. */
  readonly writeLimits: WriteLimits;
}

type FastifyOptions = ConnectionLimits & Pick<Reach, 'isTrustedProxy'>;

/** A department's browsers and event streams many times over, and less than a process may have open. */
const maxConnections = 4000;

export function createFastify(
  clock: Clock,
  ids: Ids,
  validation: ReturnType<typeof createValidation>,
  { headersTimeout, requestTimeout, writeLimits, isTrustedProxy }: FastifyOptions,
): FastifyInstance {
  const requestId = () => ids('req');
  const fastify = Fastify({
    logger: false,
    // Fastify's types know only its own compilers; with these it does not load its own.
    schemaController: { compilersFactory: schemaCompilers(validation) as never },
    bodyLimit: 1024 * 1024,
    requestIdHeader: false,
    rewriteUrl: readTarget,
    // Fastify takes only the client's address from a proxy, not the host or the protocol.
    trustProxy: isTrustedProxy,
    // A caller's own id is kept if it is 1 to 128 visible ASCII characters.
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && /^[\x21-\x7e]{1,128}$/.test(own) ? own : requestId();
    },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestTimeout,
    // The host guard asks for the Host header, and answers like the rest of the API.
    http: {
      headersTimeout,
      // The interval at which Node looks for connections that are too slow; its default is 30 s.
      connectionsCheckingInterval: Math.min(1000, headersTimeout),
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
      // Other upgrades are ignored (RFC 9110 7.8): clients of Java offer h2c with any request. Node before 22.21 knows no such choice.
      shouldUpgradeCallback: ({ url = '', headers }) =>
        url.startsWith(`${hubPath}/`) && headers.upgrade?.toLowerCase() === 'websocket',
    },
    clientErrorHandler: clientErrorAnswer(clock, requestId) as never,
    // An undecodable address raises its error before any hook runs.
    frameworkErrors: (error, request, reply) => {
      const [early, answer] = [request as FastifyRequest, reply as FastifyReply];
      identify(early, answer, clock);
      stampTime(early, answer, clock);
      sendFailure(early, answer, asAppError(error, undefined) ?? new AppError('INTERNAL_ERROR'), clock);
    },
  });
  fastify.server.maxConnections = maxConnections;
  cutStalledWrites(fastify, writeLimits);
  for (const name of ['upload', 'caller', 'operator', 'strike', 'foundEndpoint'])
    fastify.decorateRequest(name, undefined);
  return fastify;
}
