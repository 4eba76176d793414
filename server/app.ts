/** The composition root: everything the server is made of is put together here, in the order in which it acts. */
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { AppError } from '../src/contract/errors.ts';
import { contract } from '../src/contract/index.ts';
import { WorklistItemInput } from '../src/contract/worklist.ts';
import type { Clock } from '../src/domain/clock.ts';
import { engines } from './engine/registry.ts';
import { createFeed } from './feed.ts';
import { keepHouse } from './housekeeping.ts';
import { createIds } from './ids.ts';
import { createInside } from './inside.ts';
import { implement } from './implement.ts';
import type { Surroundings } from './implement.ts';
import { createJobRunner } from './jobs/runner.ts';
import { createAuthenticator } from './oauth/authenticator.ts';
import { bootstrap, builtInTestClient } from './oauth/bootstrap.ts';
import { oauthRoutes } from './oauth/index.ts';
import { createPendingRequests } from './oauth/pending-requests.ts';
import { openapiDocument } from './openapi.ts';
import { registerHome } from './pages/home.ts';
import { registerPages } from './pages/index.ts';
import { registerReference } from './pages/reference.ts';
import { asAppError, clientErrorAnswer, registerErrors, sendFailure } from './plugins/errors.ts';
import { registerHostGuard } from './plugins/host-guard.ts';
import { createIdempotency } from './plugins/idempotency.ts';
import { registerBodyParsers } from './plugins/json-body.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { createRateLimiter } from './plugins/rate-limit.ts';
import { watchUnusedConnections } from './plugins/unused-connections.ts';
import { clientRoutes } from './routes/clients.ts';
import { jobRoutes } from './routes/jobs.ts';
import { recordRoutes } from './routes/records.ts';
import { systemRoutes } from './routes/system.ts';
import { templateRoutes } from './routes/templates.ts';
import { userRoutes } from './routes/users.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { worklistRoutes } from './routes/worklists.ts';
import type { Log, Services } from './services.ts';
import { stores } from './store/registry.ts';
import type { StoreName } from './store/registry.ts';
import { registerAudioParsers } from './uploads.ts';
import { createValidation } from './validation.ts';
import { createAnnouncer } from './webhooks/announcer.ts';
import { createTargets } from './webhooks/target.ts';

/** How long what runs may go on when the server stops, in ms of the machine's own time. */
const graceMs = 5000;

export interface AppOptions {
  readonly version: string;
  readonly store: StoreName;
  /** Where the store keeps its files; `memory` needs none. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests a minute and client; 0: none. */
  readonly rateLimit: number;
  /** Further names that the Host header may have. */
  readonly allowedHosts: readonly string[];
  /** Private addresses, besides loopback, to which webhooks may go. */
  readonly webhookTargets: readonly string[];
  /** Whether the built-in test client exists. */
  readonly testClient: boolean;
  /** Puts pages of the caller's own beside the API, the first page included. */
  readonly mount: Mount | undefined;
}

/** What a mounted app is given of the server. */
export interface MountHost {
  /** A scope of its own: parsers, hooks and errors set here stay here. */
  readonly fastify: FastifyInstance;
  /** The API without a network, not counted against quotas. It answers once the server is ready. */
  readonly transport: Transport;
  readonly adminToken: string;
}

/** `close` is called before the server stops answering. */
export type Mount = (host: MountHost) => Promise<{ close(): Promise<void> }>;

export interface App {
  readonly fastify: FastifyInstance;
  readonly adminToken: string;
  readonly transport: Transport;
  close(): Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { clock, log } = options;
  const ids = createIds(clock);
  // Refuses what cannot be read, so before anything is opened.
  const targets = createTargets({ allow: options.webhookTargets });
  const opened = await stores[options.store]({ directory: options.dataDir });
  const { store, blobs } = opened;
  const engine = engines.simulated();
  const announcer = createAnnouncer({ store, clock, ids, log }, { targets, random: Math.random });
  const feed = createFeed();
  const foundation = { store, blobs, engine, clock, ids, feed, announcer, log };
  const jobs = createJobRunner(foundation);
  const services: Services = { ...foundation, jobs };
  const adminToken = randomBytes(32).toString('base64url');
  const stopping = new AbortController();

  const fastify = createFastify(clock, ids);
  fastify.decorateRequest('upload', undefined);
  fastify.decorateRequest('caller', undefined);
  stampAnswers(fastify, stopping.signal);
  registerErrors(fastify, { clock, log });
  registerHostGuard(fastify, options.allowedHosts);
  const rateLimiter = createRateLimiter(clock, options.rateLimit);
  registerNotFound(fastify, contract, { clock, rateLimiter });
  registerBodyParsers(fastify);

  const endUnusedConnections = watchUnusedConnections(fastify);
  const inside = createInside(fastify);
  const pending = createPendingRequests({ clock });
  const validation = createValidation();
  const around: Surroundings = {
    store,
    clock,
    adminToken,
    authenticate: createAuthenticator(services),
    rateLimiter,
    isInside: inside.has,
    idempotency: createIdempotency(store, clock),
    compile: validation,
    stopping: stopping.signal,
  };
  const facts = {
    version: options.version,
    rateLimit: options.rateLimit,
    startedAt: clock.now(),
    openapi: openapiDocument(contract, options.version),
  };
  const takesAudio = (endpoint: Endpoint) => endpoint.takesAudio === true;
  const takesNoAudio = (endpoint: Endpoint) => !takesAudio(endpoint);
  const recordHandlers = recordRoutes(services);

  implement(fastify, contract.oauth, oauthRoutes(services, pending), around);
  implement(fastify, contract.worklists, worklistRoutes(services, validation(WorklistItemInput)), around);
  implement(fastify, contract.records, recordHandlers, around, takesNoAudio);
  fastify.register(async (scope) => {
    registerAudioParsers(scope, { blobs, ids, log });
    implement(scope, contract.records, recordHandlers, around, takesAudio);
  });
  implement(fastify, contract.jobs, jobRoutes(services), around);
  implement(fastify, contract.templates, templateRoutes(services), around);
  implement(fastify, contract.clients, clientRoutes(services), around);
  implement(fastify, contract.users, userRoutes(services), around);
  implement(fastify, contract.webhooks, webhookRoutes(services, { targets }), around);
  implement(fastify, contract.system, systemRoutes(services, facts), around);
  registerPages(fastify, services, pending);
  registerReference(fastify, facts);
  const { mount } = options;
  let mounted: Awaited<ReturnType<Mount>> | undefined;
  if (mount) {
    await fastify.register(async (scope) => {
      mounted = await mount({ fastify: scope, transport: inside.transport, adminToken });
    });
  } else {
    registerHome(fastify, { version: options.version, testClient: options.testClient ? builtInTestClient : undefined });
  }

  await bootstrap(services, { testClient: options.testClient });
  await fastify.ready();
  await jobs.start();
  await announcer.start();
  const stopHousekeeping = keepHouse(store, clock, log);

  return {
    fastify,
    adminToken,
    transport: inside.transport,
    async close() {
      // First nobody new, then what runs, then what it wrote to.
      stopping.abort();
      await mounted?.close();
      stopHousekeeping();
      endUnusedConnections();
      // Somebody who stopped in the middle of a request must not keep the server from stopping.
      const patience = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
      await fastify.close();
      clearTimeout(patience);
      await jobs.stop();
      await announcer.stop();
      await opened.close();
    },
  };
}

function createFastify(clock: Clock, ids: ReturnType<typeof createIds>): FastifyInstance {
  const requestId = () => ids('req');
  const fastify = Fastify({
    logger: false,
    bodyLimit: 1024 * 1024,
    requestIdHeader: false,
    // A caller's own id is kept if it is 1 to 128 visible ASCII characters.
    genReqId: (request) => {
      const own = request.headers['x-request-id'];
      return typeof own === 'string' && /^[\x21-\x7e]{1,128}$/.test(own) ? own : requestId();
    },
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    requestTimeout: 10 * 60 * 1000,
    // The host guard asks for the Host header, and answers like the rest of the API.
    http: { headersTimeout: 15_000, maxHeaderSize: 16 * 1024, requireHostHeader: false },
    clientErrorHandler: clientErrorAnswer(clock, requestId) as never,
    // Raised before hooks run: an address that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      identify(request as FastifyRequest, reply as FastifyReply);
      stampTime(reply as FastifyReply);
      sendFailure(
        request as FastifyRequest,
        reply as FastifyReply,
        asAppError(error, undefined) ?? new AppError('INTERNAL_ERROR'),
        clock,
      );
    },
  });
  return fastify;
}

/** Headers of every answer, errors and pages included. */
function stampAnswers(fastify: FastifyInstance, stopping: AbortSignal): void {
  fastify.addHook('onRequest', async (request, reply) => identify(request, reply));
  fastify.addHook('onSend', async (_request, reply) => {
    stampTime(reply);
    // Nobody waits for another request on it.
    if (stopping.aborted) reply.header('Connection', 'close');
  });
}

function identify(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
}

function stampTime(reply: FastifyReply): void {
  if (!reply.hasHeader('X-Processing-Time')) {
    reply.header('X-Processing-Time', String(Math.round(reply.elapsedTime)));
  }
}
