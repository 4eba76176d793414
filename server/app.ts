/** The composition root: wires the parts of the server in the order of their dependencies. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import type { Endpoint, Group, Handlers } from '../src/contract/endpoint.ts';
import type { Call } from './http/call.ts';
import { isStorageFailure } from '../src/contract/errors.ts';
import { contract } from '../src/contract/index.ts';
import { machineClockOf } from '../src/domain/clock.ts';
import { shippedTemplates } from '../src/reporting/templates/shipped/index.ts';
import type { KeyPlace } from './storage/data-directory/encryption.ts';
import type { EngineProblem } from './speech/engine.ts';
import { createChannels } from './delivery/channels/channels.ts';
import { checkSimulatedData } from './operations/check-simulated-data.ts';
import { createFreeProcessors } from './runtime/free-processors.ts';
import { createTimekeeper } from './runtime/clock/timekeeper.ts';
import { createSteadyTime } from './runtime/clock/steady-time.ts';
import { chooseEngines } from './speech/engines.ts';
import type { Engines } from './speech/engines.ts';
import { openModelManager, recognisers, findDefaultRecogniser, writers } from './speech/registry.ts';
import { createFaultExecutor } from './qa/faults/executor.ts';
import { createFaults } from './qa/faults/faults.ts';
import type { Faults, FaultSource } from './qa/faults/faults.ts';
import { createFeed } from './storage/feed.ts';
import { startHousekeeping } from './operations/maintenance/housekeeping.ts';
import { startScrubbing } from './operations/maintenance/scrub.ts';
import { createIds, newestId } from './storage/ids.ts';
import { randomnessFor } from './runtime/randomness.ts';
import { createInspector } from './qa/inspector/inspector.ts';
import { createInside } from './http/inside.ts';
import { createFastify } from './http/create-fastify.ts';
import { implement } from './http/implement.ts';
import type { Surroundings } from './http/implement.ts';
import { createSearchPlaces } from './http/search-places.ts';
import { watchEventLoop } from './operations/watch-event-loop.ts';
import { watchCalls } from './http/watched-calls.ts';
import { createJobRunner } from './records/jobs/runner.ts';
import { createGraceWatch } from './records/grace-watch.ts';
import { createCare } from './operations/maintenance/care.ts';
import { createHeldBlobs } from './operations/maintenance/held-blobs.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { bootstrap, builtInTestClient } from './auth/bootstrap.ts';
import type { AuthorizationServices, LoginEvent } from './auth/exchange.ts';
import { revokeGrant } from './auth/grants.ts';
import { createHashing } from './auth/hashing.ts';
import { oauthRoutes } from './auth/index.ts';
import { createPins } from './auth/pins.ts';
import { createPendingRequests } from './auth/pending-requests.ts';
import { describeApi } from './http/api-description.ts';
import { registerHome } from './pages/home.ts';
import { registerPages } from './auth/pages/index.ts';
import { registerOperatorPages } from './pages/operator-pages.ts';
import { registerReference } from './pages/reference.ts';
import { stampAnswers } from './http/plugins/answer-headers.ts';
import { registerErrors } from './http/plugins/errors.ts';
import { readReach, registerHostGuard } from './http/plugins/host-guard.ts';
import type { Reach } from './http/plugins/host-guard.ts';
import { createIdempotency } from './http/plugins/idempotency.ts';
import { registerBodyParsers } from './http/plugins/json-body.ts';
import { registerNotFound } from './http/plugins/not-found.ts';
import { createRateLimiter } from './http/plugins/rate-limit.ts';
import { watchUnusedConnections } from './http/plugins/unused-connections.ts';
import { systemRoutes } from './api/system.ts';
import { openTrail } from './operations/audit/audited-store.ts';
import { openSegmenter } from './operations/audit/segmenter.ts';
import { recordAccess } from './operations/audit/record-access.ts';
import type { Mount } from './mount.ts';
import type { ChosenOptions } from './options.ts';
import { logCalls } from './operations/log-calls.ts';
import { Metrics } from './operations/metrics/metrics.ts';
import type { DeliveryDeps } from './delivery/deps.ts';
import type { ChooseChannels, RecordDeps } from './records/deps.ts';
import { memoryOfMachine } from './storage/ceiling.ts';
import { takesNothing } from './storage/data-directory/private-files.ts';
import { migrations } from './storage/migrations.ts';
import { blobStores, documentStores } from './storage/registry.ts';
import { chooseStores } from './storage/stores.ts';
import type { ChosenStores, OpenedStores, StoreChoices } from './storage/stores.ts';
import { createTemplates } from './records/templates/templates.ts';
import { registerAudioParsers } from './records/uploads/uploads.ts';
import { createTranscriptions } from './records/transcriptions/live-transcriptions.ts';
import { createValidation } from './runtime/validation.ts';
import { createAnnouncer } from './delivery/webhooks/announcer.ts';
import { createTargets } from './delivery/webhooks/target.ts';
import type { Targets } from './delivery/webhooks/target.ts';
import { createWorkers } from './runtime/workers/workers.ts';
import type { Workers } from './runtime/workers/workers.ts';
import { createBundling, isForThread } from './worklists/ingest/bundling.ts';

/** How long running work may continue when the server stops, in ms of the machine's clock. */
const graceMs = 5000;

export interface App {
  readonly fastify: FastifyInstance;
  readonly adminToken: string;
  /** The public URL of `ChosenOptions`, normalised. */
  readonly publicUrl: string | undefined;
  readonly transport: Transport;
  /** The most recent calls of the server. */
  readonly inspector: ReturnType<typeof createInspector>;
  /** Rules for simulated faults. */
  readonly faults: Faults;
  /** Shows the server's time, and moves a simulated clock. */
  readonly clock: ReturnType<typeof createTimekeeper>;
  /** Name of the recogniser for real patients at the start; `undefined`: none, and audio waits as jobs. */
  readonly recogniser: string | undefined;
  /** Host that the recogniser sends audio to; `undefined`: none. */
  readonly sendsTo: string | undefined;
  /** Why an installed speech model is not used, and what to do. */
  readonly engineProblems: readonly EngineProblem[];
  /** Where the key of the data directory is; `undefined`: the directory is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** Kinds of data that are lost when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** Loads the engines, once the server answers. */
  warmUp(): void;
  close(): Promise<void>;
}

/** Chooses the stores. AppError CONFIGURATION for an unknown name. */
export const selectStores = (choices: StoreChoices, validation = createValidation()): ChosenStores =>
  chooseStores({ documentStores, blobStores }, choices, validation);

export async function createApp(options: ChosenOptions): Promise<App> {
  // Settings are validated before anything is opened.
  const targets = createTargets({ allow: options.webhookTargets });
  if (options.alarm.webhook !== undefined)
    (await import('./delivery/channels/alarms/alarm-choice.ts')).checkAlarm(options.alarm, targets);
  const reach = readReach(options);
  const validation = createValidation();
  const faults = createFaults({
    clock: options.clock,
    log: options.log,
    compile: validation,
    seed: options.seed,
  });
  faults.add(...options.faults);
  const openEngines = chooseEngines(
    { recognisers, writers, findDefaultRecogniser, openModelManager },
    options,
    validation,
  );
  const stores = selectStores(options, validation);
  const { dataDir: directory, key, memory, launch } = options;
  // Recognisers use the machine's time even if the server simulates another one.
  const clock = machineClockOf(options.clock);
  const metrics = new Metrics();
  const log = metrics.countLog(options.log);
  const measureSync = (ms: number) => metrics.syncs.observe(ms / 1000);
  const opened = await stores.open({ directory, key, clock: options.clock, log, memory, measureSync });
  const workers = createWorkers();
  let engines: Engines | undefined;
  try {
    await checkSimulatedData(opened.store, options);
    engines = await openEngines({ dataDir: directory, memory: memoryOfMachine(), clock, log, workers, launch });
    return await assemble(
      { ...options, log },
      { ...opened, engines, workers, validation, targets, reach, metrics, faults },
    );
  } catch (error) {
    await engines?.close();
    await workers.close();
    // A later start, in this process or another one, must find the directory unlocked.
    await opened.close();
    throw isStorageFailure(error) ? takesNothing(error) : error;
  }
}

/** Settings and opened stores that the parts depend on. */
interface Parts extends OpenedStores {
  readonly engines: Engines;
  readonly workers: Workers;
  readonly validation: ReturnType<typeof createValidation>;
  readonly targets: Targets;
  readonly reach: Reach;
  readonly metrics: Metrics;
  readonly faults: Faults & FaultSource;
}

async function assemble(options: ChosenOptions, opened: Parts): Promise<App> {
  const { engines, workers, validation, targets, reach, metrics, faults, snapshots } = opened;
  const { clock, log, version, alarm } = options;
  const measureCommit = (ms: number): void => metrics.commits.observe(ms / 1000);
  const { store, gathered } = openTrail(opened.store, { clock, log, measureCommit });
  const blobs = createHeldBlobs(opened.blobs);
  const newest = await newestId(store);
  const steady = createSteadyTime(clock, newest);
  const randomness = randomnessFor(options.seed);
  const ids = createIds(clock, { after: newest, randomness });
  const segmenter = openSegmenter({ store, blobs, clock, log, newest }, opened.forgets);
  const announcer = createAnnouncer(
    { store, clock, ids, log, faults },
    { targets, random: randomness('deliveries').number },
  );
  // Seeds the run ids. A store with documents was changed in earlier runs.
  const runs = randomness(`runs after ${newest}`);
  const newRun = (): string => runs.bytes(6).toString('base64url');
  const feed = createFeed(store, 'items', newRun);
  const recordFeed = createFeed(store, 'records', newRun);
  const { recognition, writer } = engines;
  const templates = createTemplates(shippedTemplates, store);
  const recognitionDeps = { store, blobs, recognition, templates, clock, ids, log, steady };
  const transcriptions = createTranscriptions({
    ...recognitionDeps,
    isMetered: options.rateLimit > 0,
    random: randomness('hearing').number,
  });
  const hashing = createHashing({ costs: options.secretCosts });
  const machine = machineClockOf(clock);
  const freeProcessors = createFreeProcessors({ now: () => machine.elapsed() });
  const bundling = createBundling({ store, log, freeProcessors });
  const common = { store, clock, ids, log };
  const pins = createPins({ store, clock, hashing });
  // Channels load with the first report that one may accept.
  const chooseChannels: ChooseChannels = async (all, report) =>
    (await import('./delivery/channels/sending/choose-channels.ts')).chooseChannels(all, report);
  const toRun = { ...common, blobs, recognition, writer, templates, transcriptions, announcer, workers, faults };
  const { hearing: atOnce, waitingAudio, letterheads, timeZone } = options;
  const jobs = createJobRunner(toRun, { hearing: atOnce, waitingAudio, random: randomness('jobs').number });
  const recordDeps: RecordDeps = { ...toRun, jobs, pins, chooseChannels };
  const deliveryDeps: DeliveryDeps = { ...common, templates, letterheads, workers };
  const grace = createGraceWatch(recordDeps);
  /** The server starts even if the disk is full, because data remains readable; unless data must be removed first. */
  const unlessReadable = async (error: unknown): Promise<void> => {
    if (!isStorageFailure(error) || !options.testClient || newest === 0) throw error;
    log({ level: 'warn', event: 'started_without_test_client' });
  };
  const noteLogin = ({ outcome, user_id, address }: LoginEvent): void => {
    metrics.logins.add(outcome);
    if (outcome !== 'done') shown.enterRefusedLogin(user_id, address);
  };
  const { accessTokenSeconds } = options;
  const authorization: AuthorizationServices = { ...common, hashing, accessTokenSeconds, noteLogin };
  const adminToken = randomBytes(32).toString('base64url');
  const stopping = new AbortController();

  const fastify = createFastify(clock, ids, validation, { ...options, ...reach });
  stampAnswers(fastify, clock, stopping.signal);
  const calls = watchCalls(fastify, clock);
  metrics.watch(calls, store);
  const loop = watchEventLoop(fastify, { calls, metrics, log });
  const { number: random } = randomness('channels');
  const channels = createChannels({ ...deliveryDeps, timeZone, loop, targets, alarm, compile: validation, random });
  const shown = recordAccess(calls, gathered, clock);
  if (options.callLog) calls.onEnd(logCalls(options.callLog));
  const inspector = createInspector(fastify, calls);
  registerErrors(fastify, { clock, log });
  const inside = createInside(fastify);
  registerHostGuard(fastify, reach, inside.has);
  const rateLimiter = createRateLimiter(clock, options.rateLimit);
  registerNotFound(fastify, contract, { clock, rateLimiter });
  registerBodyParsers(fastify, isForThread(bundling));

  const endUnusedConnections = watchUnusedConnections(fastify);
  const pending = createPendingRequests({ clock });
  const authenticator = createAuthenticator({ store, clock });
  const startWork = async (): Promise<void> => {
    for (const part of [transcriptions, grace, jobs, announcer, channels]) await part.start();
  };
  /** Clears all caches of documents. Called if every document may have changed. */
  const renew = async (): Promise<void> => {
    authenticator.forget();
    pending.clear();
    await bootstrap(authorization, { testClient: options.testClient });
    for (const each of [feed, recordFeed]) each.restart();
    await startWork();
  };
  const isEncrypted = opened.encryption !== undefined;
  const kept = { ...common, blobs, jobs, snapshots, isEncrypted };
  const care = createCare(kept, { directory: options.dataDir, version, compile: validation, migrations, renew });
  const around: Surroundings = {
    store,
    clock,
    adminToken,
    monitorToken: options.monitorToken,
    authenticate: authenticator,
    rateLimiter,
    isInside: inside.has,
    idempotency: createIdempotency(store, clock),
    searches: createSearchPlaces(),
    stopping: stopping.signal,
    faults: createFaultExecutor({
      clock,
      faults,
      revoke: (grant) => store.transact((tx) => revokeGrant(tx, clock, grant)),
      rateLimit: options.rateLimit,
      stopping: stopping.signal,
    }),
  };
  const scrubbing = startScrubbing({ scrub: opened.scrub, store, clock: machineClockOf(clock), log });
  const facts = {
    version,
    rateLimit: options.rateLimit,
    startedAt: clock.now(),
    openapi: describeApi(version),
    retention: options.retention,
    memory: options.memory,
    encrypted: isEncrypted,
    blobs: opened.blobsName,
    usage: opened.usage,
    scrubbing,
    metrics,
    calls,
    channels,
  };
  const takesAudio = (endpoint: Endpoint) => endpoint.takesAudio === true;
  const takesNoAudio = (endpoint: Endpoint) => !takesAudio(endpoint);
  const records = async () =>
    (await import('./api/records.ts')).recordRoutes({ ...recordDeps, letterheads, recordFeed });
  const systemHandlers = systemRoutes(recordDeps, facts);

  /** Registers a group of calls, whose handlers load with the first call. */
  const route = <G extends Group>(group: G, handlers: () => Promise<Handlers<G, Call>>): void =>
    implement(fastify, group, handlers, around);
  route(contract.oauth, async () => oauthRoutes(authorization, pending));
  route(contract.worklists, async () =>
    (await import('./api/worklists.ts')).worklistRoutes({ ...common, feed, workers, timeZone, bundling }, validation),
  );
  implement(fastify, contract.records, records, around, takesNoAudio);
  fastify.register(async (scope) => {
    registerAudioParsers(scope, { blobs, ids, log, recognition, jobs, workers });
    implement(scope, contract.records, records, around, takesAudio);
  });
  route(contract.jobs, async () => (await import('./api/jobs.ts')).jobRoutes(recordDeps));
  route(contract.engines, async () => (await import('./api/engines.ts')).engineRoutes({ recognition, writer, jobs }));
  route(contract.transcriptions, async () => (await import('./api/transcriptions.ts')).liveRoutes({ transcriptions }));
  route(contract.reviews, async () => (await import('./api/reviews.ts')).reviewRoutes(recordDeps));
  route(contract.priors, async () => (await import('./api/priors.ts')).priorRoutes(common, validation));
  route(contract.signatures, async () => (await import('./api/signatures.ts')).signatureRoutes({ clock, pins }));
  route(contract.criticalResults, async () => (await import('./api/critical-results.ts')).criticalRoutes(recordDeps));
  route(contract.distribution, async () => (await import('./api/distribution.ts')).distributionRoutes({ store }));
  route(contract.templates, async () => (await import('./api/templates.ts')).templateRoutes({ templates, clock, ids }));
  route(contract.letterheads, async () => (await import('./api/letterheads.ts')).letterheadRoutes({ letterheads }));
  route(contract.macros, async () => (await import('./api/owned.ts')).macroRoutes(common));
  route(contract.vocabulary, async () => (await import('./api/owned.ts')).vocabularyRoutes(common));
  route(contract.clients, async () => (await import('./api/clients.ts')).clientRoutes(authorization));
  route(contract.users, async () => (await import('./api/users.ts')).userRoutes(authorization));
  const { bytes } = randomness('secrets of webhooks');
  route(contract.webhooks, async () =>
    (await import('./api/webhooks.ts')).webhookRoutes(common, { targets, random: bytes }),
  );
  route(contract.channels, async () =>
    (await import('./api/channels.ts')).channelRoutes(common, await channels.load(), validation),
  );
  route(contract.system, async () => systemHandlers);
  route(contract.maintenance, async () => (await import('./api/maintenance.ts')).maintenanceRoutes(care, gathered));
  route(contract.inspector, async () => (await import('./api/inspector.ts')).inspectorRoutes(inspector, clock));
  route(contract.faults, async () => (await import('./api/faults.ts')).faultRoutes(faults));
  route(contract.audit, async () =>
    (await import('./api/audit.ts')).auditRoutes({ store, blobs }, { gathered, clock }),
  );
  route(contract.clock, async () => (await import('./api/clock.ts')).clockRoutes(timekeeper));
  const adopted = new Set<string>();
  registerPages(fastify, authorization, { pending, adopted });
  registerReference(fastify, { version, rateLimiter });
  registerOperatorPages(fastify, options.setupCode, { inspector, clock, log, adminToken, transportFrom: inside.from });
  const { mount } = options;
  let mounted: Awaited<ReturnType<Mount>> | undefined;
  if (mount) {
    await fastify.register(async (scope) => {
      mounted = await mount({
        fastify: scope,
        transport: inside.transport,
        adminToken,
        sealing: opened.encryption?.sealing,
        models: engines.models,
        adopt: (clientId) => void adopted.add(clientId),
      });
    });
  } else {
    registerHome(fastify, { version, testClient: options.testClient ? builtInTestClient : undefined });
  }

  await bootstrap(authorization, { testClient: options.testClient }).catch(unlessReadable);
  await fastify.ready();
  await startWork();
  void engines.probe(stopping.signal);
  const housekeeping = startHousekeeping({ store, blobs, clock, log, segmenter }, options.retention, steady);
  const timekeeper = createTimekeeper(clock, [housekeeping, channels, grace, jobs, announcer, gathered], {
    stopping: stopping.signal,
  });

  const patients = recognition.findRecogniser({ test_mode: false });
  return {
    fastify,
    adminToken,
    publicUrl: reach.publicUrl,
    transport: inside.transport,
    inspector,
    faults,
    clock: timekeeper,
    recogniser: patients?.name,
    sendsTo: patients?.sendsTo,
    engineProblems: engines.problems,
    encryptedBy: opened.encryption?.place,
    forgets: opened.forgets,
    warmUp: () => engines.warmUp(),
    async close() {
      // First stops new requests, then running work, then the stores that it writes to.
      stopping.abort();
      await mounted?.close();
      await housekeeping.stop();
      await scrubbing.stop();
      endUnusedConnections();
      // A client that stalls in the middle of a request must not keep the server from stopping.
      const patience = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
      await fastify.close();
      clearTimeout(patience);
      for (const part of [channels, grace, jobs, transcriptions, announcer]) await part.stop();
      for (const part of [gathered, engines, workers, bundling, hashing, opened]) await part.close();
    },
  };
}
