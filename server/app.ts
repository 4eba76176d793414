/** The composition root: everything the server is made of is put together here, in the order in which it acts. */
import { randomBytes } from 'node:crypto';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { AppError } from '../src/contract/errors.ts';
import { contract } from '../src/contract/index.ts';
import { WorklistItemInput } from '../src/contract/worklist.ts';
import type { Choice } from '../src/domain/choice.ts';
import type { Clock } from '../src/domain/clock.ts';
import { shippedTemplates } from '../src/domain/templates/shipped/index.ts';
import { explain, isSystemError } from '../src/node/system-error.ts';
import type { Sealing } from '../src/node/files/sealing.ts';
import type { KeyOptions, KeyPlace } from './data-directory/encryption.ts';
import { chooseEngine } from './engine/engine.ts';
import type { OpenEngine } from './engine/engine.ts';
import { chooseEngines } from './engine/engines.ts';
import type { EngineChoices, Engines } from './engine/engines.ts';
import { recognisers, writers } from './engine/registry.ts';
import { createFeed } from './feed.ts';
import { keepHouse } from './maintenance/housekeeping.ts';
import { createIds, newestId } from './ids.ts';
import { createInside } from './http/inside.ts';
import { implement, schemaCompilers } from './http/implement.ts';
import type { Surroundings } from './http/implement.ts';
import { createJobRunner } from './jobs/runner.ts';
import { createCare } from './maintenance/care.ts';
import { createHeldBlobs } from './maintenance/held-blobs.ts';
import type { Retention } from './maintenance/retention.ts';
import { createAuthenticator } from './oauth/authenticator.ts';
import { bootstrap, builtInTestClient } from './oauth/bootstrap.ts';
import type { AuthorizationServices } from './oauth/exchange.ts';
import { createHashing } from './oauth/hashing.ts';
import { oauthRoutes } from './oauth/index.ts';
import { createPendingRequests } from './oauth/pending-requests.ts';
import type { SecretCosts } from './oauth/secrets.ts';
import { openapiDocument } from './http/openapi.ts';
import { registerHome } from './pages/home.ts';
import { registerPages } from './pages/index.ts';
import { registerReference } from './pages/reference.ts';
import { asAppError, clientErrorAnswer, registerErrors, sendFailure } from './plugins/errors.ts';
import { readReach, registerHostGuard } from './plugins/host-guard.ts';
import type { Reach, ReachOptions } from './plugins/host-guard.ts';
import { createIdempotency } from './plugins/idempotency.ts';
import { registerBodyParsers } from './plugins/json-body.ts';
import { registerNotFound } from './plugins/not-found.ts';
import { createRateLimiter } from './plugins/rate-limit.ts';
import { watchUnusedConnections } from './plugins/unused-connections.ts';
import { clientRoutes } from './routes/clients.ts';
import { engineRoutes } from './routes/engines.ts';
import { jobRoutes } from './routes/jobs.ts';
import { maintenanceRoutes } from './routes/maintenance.ts';
import { recordRoutes } from './routes/records.ts';
import { systemRoutes } from './routes/system.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { templateRoutes } from './routes/templates.ts';
import { userRoutes } from './routes/users.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { worklistRoutes } from './routes/worklists.ts';
import type { Writer } from './engine/writer.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';
import { migrations } from './store/migrations.ts';
import { blobStores, documentStores } from './store/registry.ts';
import { chooseStores } from './store/stores.ts';
import type { ChosenStores, OpenedStores, StoreChoices } from './store/stores.ts';
import { createTemplates } from './templates/templates.ts';
import { registerAudioParsers } from './uploads/uploads.ts';
import { createValidation } from './http/validation.ts';
import { createAnnouncer } from './webhooks/announcer.ts';
import { createTargets } from './webhooks/target.ts';
import type { Targets } from './webhooks/target.ts';
import { createWorkers } from './workers/workers.ts';
import type { Workers } from './workers/workers.ts';

/** How long what runs may go on when the server stops, in ms of the machine's own time. */
const graceMs = 5000;

export interface AppOptions extends ReachOptions, EngineChoices, StoreChoices {
  readonly version: string;
  /** The data directory, which the server takes for itself; `undefined`: it keeps nothing on the disk. */
  readonly dataDir: string | undefined;
  /** Whether that is to be encrypted, and how its key is had. */
  readonly key: KeyOptions;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that what is stored, and the program, may take. */
  readonly memory: number;
  /** Requests a minute and client; 0: none. */
  readonly rateLimit: number;
  /** Private addresses, besides loopback, to which webhooks may go. */
  readonly webhookTargets: readonly string[];
  /** Whether the built-in test client exists. */
  readonly testClient: boolean;
  /** What the hashes of secrets cost. */
  readonly secretCosts: SecretCosts;
  /** How long what is over is kept. */
  readonly retention: Retention;
  /** How long a client may take to say what it wants, in ms of the machine's own time. */
  readonly headersTimeout: number;
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
  /** Encrypts what the app keeps beside the server's data; `undefined` where that is plain. */
  readonly sealing: Sealing | undefined;
}

/** `close` is called before the server stops answering. */
export type Mount = (host: MountHost) => Promise<{ close(): Promise<void> }>;

export interface App {
  readonly fastify: FastifyInstance;
  readonly adminToken: string;
  /** As `AppOptions` has it, in one way of writing. */
  readonly publicUrl: string | undefined;
  readonly transport: Transport;
  /** Who hears real patients; `undefined`: nobody. */
  readonly recogniser: string | undefined;
  /** What opens the data directory; `undefined` where it is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** What is gone when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  close(): Promise<void>;
}

/** The stores of those names; AppError CONFIGURATION where there are none. */
export const chosenStores = (choices: StoreChoices, validation = createValidation()): ChosenStores =>
  chooseStores({ documentStores, blobStores }, choices, validation);

/** The writer of that name; AppError CONFIGURATION where there is none. */
export const chosenWriter = (choice: Choice): OpenEngine<Writer> =>
  chooseEngine({ noun: 'writer', kinds: writers }, choice, createValidation());

export async function createApp(options: AppOptions): Promise<App> {
  // These refuse what cannot be read, so before anything is opened.
  const targets = createTargets({ allow: options.webhookTargets });
  const reach = readReach(options);
  const validation = createValidation();
  const openEngines = chooseEngines({ recognisers, writers }, options, validation);
  const stores = chosenStores(options, validation);
  const { dataDir: directory, key, clock, log, memory } = options;
  const opened = await stores.open({ directory, key, clock, log, memory });
  const workers = createWorkers();
  let engines: Engines | undefined;
  try {
    engines = await openEngines({ dataDir: directory, clock, log, workers });
    return await assemble(options, { ...opened, engines, workers, validation, targets, reach });
  } catch (error) {
    await engines?.close();
    await workers.close();
    // Who starts it again, in this process or another, finds the directory free.
    await opened.close();
    throw error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE' ? takesNothing(error) : error;
  }
}

/** The disk refuses what a start cannot do without. */
function takesNothing({ cause }: AppError): AppError {
  const { message, hint } = isSystemError(cause) ? explain(cause) : { message: '', hint: 'Check its disk.' };
  return new AppError('CONFIGURATION', {
    message: `The data directory takes no changes. ${message}`.trim(),
    hint,
    cause,
  });
}

/** What was read and opened before anything is put together. */
interface Parts extends OpenedStores {
  readonly engines: Engines;
  readonly workers: Workers;
  readonly validation: ReturnType<typeof createValidation>;
  readonly targets: Targets;
  readonly reach: Reach;
}

async function assemble(options: AppOptions, opened: Parts): Promise<App> {
  const { engines, workers, validation, targets, reach } = opened;
  const { clock, log } = options;
  const { store } = opened;
  const blobs = createHeldBlobs(opened.blobs);
  const newest = await newestId(store);
  const ids = createIds(clock, newest);
  const announcer = createAnnouncer({ store, clock, ids, log }, { targets, random: Math.random });
  const feed = createFeed(store, 'items');
  const recordFeed = createFeed(store, 'records');
  const { hearing, writer } = engines;
  const templates = createTemplates(shippedTemplates);
  const foundation = {
    store,
    blobs,
    hearing,
    writer,
    templates,
    clock,
    ids,
    feed,
    recordFeed,
    announcer,
    workers,
    log,
  };
  const jobs = createJobRunner(foundation);
  const services: Services = { ...foundation, jobs };
  /** A disk that is full still gives what it holds. What nobody may use any more has to go before, though. */
  const unlessReadable = async (error: unknown): Promise<void> => {
    const isRefusal = error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
    if (!isRefusal || !options.testClient || newest === 0) throw error;
    log({ level: 'warn', event: 'started_without_test_client' });
  };
  const hashing = createHashing({ costs: options.secretCosts });
  const authorization: AuthorizationServices = { ...services, hashing };
  const adminToken = randomBytes(32).toString('base64url');
  const stopping = new AbortController();

  const fastify = createFastify(clock, ids, validation, { ...options, ...reach });
  fastify.decorateRequest('upload', undefined);
  fastify.decorateRequest('caller', undefined);
  stampAnswers(fastify, stopping.signal);
  registerErrors(fastify, { clock, log });
  const inside = createInside(fastify);
  registerHostGuard(fastify, reach, inside.has);
  const rateLimiter = createRateLimiter(clock, options.rateLimit);
  registerNotFound(fastify, contract, { clock, rateLimiter });
  registerBodyParsers(fastify);

  const endUnusedConnections = watchUnusedConnections(fastify);
  const pending = createPendingRequests({ clock });
  const authenticator = createAuthenticator(services);
  /** To be called when all documents may be others: whatever remembers some forgets them. */
  const renew = async (): Promise<void> => {
    authenticator.forget();
    pending.clear();
    await bootstrap(authorization, { testClient: options.testClient });
    for (const each of [feed, recordFeed]) each.restart();
    await jobs.start();
    await announcer.start();
  };
  const care = createCare({ ...services, blobs }, { version: options.version, compile: validation, migrations, renew });
  const around: Surroundings = {
    store,
    clock,
    adminToken,
    authenticate: authenticator,
    rateLimiter,
    isInside: inside.has,
    idempotency: createIdempotency(store, clock),
    stopping: stopping.signal,
  };
  let openapi: Record<string, unknown> | undefined;
  const facts = {
    version: options.version,
    rateLimit: options.rateLimit,
    startedAt: clock.now(),
    get openapi() {
      return (openapi ??= openapiDocument(contract, options.version));
    },
    retention: options.retention,
    memory: options.memory,
    encrypted: opened.encryption !== undefined,
    blobs: opened.blobsName,
    usage: opened.usage,
  };
  const takesAudio = (endpoint: Endpoint) => endpoint.takesAudio === true;
  const takesNoAudio = (endpoint: Endpoint) => !takesAudio(endpoint);
  const recordHandlers = recordRoutes(services);

  implement(fastify, contract.oauth, oauthRoutes(authorization, pending), around);
  implement(fastify, contract.worklists, worklistRoutes(services, validation(WorklistItemInput)), around);
  implement(fastify, contract.records, recordHandlers, around, takesNoAudio);
  fastify.register(async (scope) => {
    registerAudioParsers(scope, { blobs, ids, log, hearing, workers });
    implement(scope, contract.records, recordHandlers, around, takesAudio);
  });
  implement(fastify, contract.jobs, jobRoutes(services), around);
  implement(fastify, contract.engines, engineRoutes(services), around);
  implement(fastify, contract.reviews, reviewRoutes(services), around);
  implement(fastify, contract.templates, templateRoutes(services), around);
  implement(fastify, contract.clients, clientRoutes(authorization), around);
  implement(fastify, contract.users, userRoutes(authorization), around);
  implement(fastify, contract.webhooks, webhookRoutes(services, { targets }), around);
  implement(fastify, contract.system, systemRoutes(services, facts), around);
  implement(fastify, contract.maintenance, maintenanceRoutes(care), around);
  registerPages(fastify, authorization, pending);
  registerReference(fastify, facts);
  const { mount } = options;
  let mounted: Awaited<ReturnType<Mount>> | undefined;
  if (mount) {
    await fastify.register(async (scope) => {
      mounted = await mount({
        fastify: scope,
        transport: inside.transport,
        adminToken,
        sealing: opened.encryption?.sealing,
      });
    });
  } else {
    registerHome(fastify, { version: options.version, testClient: options.testClient ? builtInTestClient : undefined });
  }

  await bootstrap(authorization, { testClient: options.testClient }).catch(unlessReadable);
  await fastify.ready();
  await jobs.start();
  await announcer.start();
  void engines.probe(stopping.signal);
  const stopHousekeeping = keepHouse({ store, blobs, clock, log }, options.retention);

  return {
    fastify,
    adminToken,
    publicUrl: reach.publicUrl,
    transport: inside.transport,
    recogniser: hearing.recogniserOf({ test_mode: false })?.name,
    encryptedBy: opened.encryption?.place,
    forgets: opened.forgets,
    async close() {
      // First nobody new, then what runs, then what it wrote to.
      stopping.abort();
      await mounted?.close();
      await stopHousekeeping();
      endUnusedConnections();
      // Somebody who stopped in the middle of a request must not keep the server from stopping.
      const patience = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
      await fastify.close();
      clearTimeout(patience);
      await jobs.stop();
      await announcer.stop();
      await engines.close();
      await workers.close();
      await hashing.close();
      await opened.close();
    },
  };
}

function createFastify(
  clock: Clock,
  ids: ReturnType<typeof createIds>,
  validation: ReturnType<typeof createValidation>,
  { headersTimeout, isTrustedProxy }: Pick<AppOptions, 'headersTimeout'> & Pick<Reach, 'isTrustedProxy'>,
): FastifyInstance {
  const requestId = () => ids('req');
  const fastify = Fastify({
    logger: false,
    // Its types know Fastify's own compilers alone; given these, it does not load those.
    schemaController: { compilersFactory: schemaCompilers(validation) as never },
    bodyLimit: 1024 * 1024,
    requestIdHeader: false,
    // Whom a proxy speaks for; what else it says is no matter of Fastify's.
    trustProxy: isTrustedProxy,
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
    http: {
      headersTimeout,
      // Node looks for connections that are too slow every so often; by itself only every 30 s.
      connectionsCheckingInterval: Math.min(1000, headersTimeout),
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
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
  fastify.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    done();
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    stampTime(reply);
    // Nobody waits for another request on it.
    if (stopping.aborted) reply.header('Connection', 'close');
    done(null, payload);
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
