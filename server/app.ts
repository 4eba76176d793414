/** The composition root: wires the parts of the server in the order of their dependencies. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Transport } from '../src/client/transport.ts';
import { isStorageFailure } from '../src/contract/errors.ts';
import { contract } from '../src/contract/index.ts';
import { machineClockOf } from '../src/domain/clock.ts';
import { shippedTemplates } from '../src/reporting/templates/shipped/index.ts';
import type { KeyPlace } from './storage/data-directory/encryption.ts';
import type { EngineProblem } from './speech/engine.ts';
import { createChannels } from './delivery/channels/channels.ts';
import { checkSeveralProcesses, refuseForSeveral } from './operations/several-processes.ts';
import { checkSimulatedData } from './operations/check-simulated-data.ts';
import { createFreeProcessors } from './runtime/free-processors.ts';
import { createTimekeeper } from './runtime/clock/timekeeper.ts';
import { chooseEngines } from './speech/engines.ts';
import type { Engines } from './speech/engines.ts';
import { openModelManager, recognisers, findDefaultRecogniser, writers } from './speech/registry.ts';
import { createFaultExecutor } from './qa/faults/executor.ts';
import { createFaults } from './qa/faults/faults.ts';
import type { Faults, FaultSource } from './qa/faults/faults.ts';
import type { AnnouncedEvent } from './storage/feeds.ts';
import { openBackups } from './operations/backups/open-backups.ts';
import { createHousekeeping } from './operations/maintenance/housekeeping.ts';
import { applyErasures } from './operations/patients/erase.ts';
import { startScrubbing } from './operations/maintenance/scrub.ts';
import { createCommonClock, underLease } from './storage/members.ts';
import { createInspector } from './qa/inspector/inspector.ts';
import { createInside } from './http/inside.ts';
import type { Dial } from '../src/node/http/web-socket.ts';
import { createMemberMark, createOtherMembers } from './http/other-members.ts';
import { createFastify } from './http/create-fastify.ts';
import type { Surroundings } from './http/implement.ts';
import { createSearchPlaces } from './http/search-places.ts';
import { watchEventLoop } from './operations/watch-event-loop.ts';
import { watchCalls } from './http/watched-calls.ts';
import { createJobRunner } from './records/jobs/runner.ts';
import { createCheckWatch } from './records/check-watch.ts';
import { createGraceWatch } from './records/grace-watch.ts';
import { createCare } from './operations/maintenance/care.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { bootstrap } from './auth/bootstrap.ts';
import type { AuthorizationServices } from './auth/exchange.ts';
import { revokeGrant } from './auth/grants.ts';
import { createHashing } from './auth/hashing.ts';
import type { Hashing } from './auth/hashing.ts';
import { createPins } from './auth/pins.ts';
import { createPendingRequests } from './auth/pending-requests.ts';
import { createProvider } from './auth/provider/provider.ts';
import { describeApi } from './http/openapi.ts';
import { stampAnswers } from './http/plugins/answer-headers.ts';
import type { SystemFacts } from './api/system.ts';
import { describeError } from '../src/domain/describe-error.ts';
import { registerErrors } from './http/plugins/errors.ts';
import { readReach, registerHostGuard } from './http/plugins/host-guard.ts';
import type { Reach } from './http/plugins/host-guard.ts';
import { createIdempotency } from './http/plugins/idempotency.ts';
import { registerBodyParsers } from './http/plugins/json-body.ts';
import { registerNotFound } from './http/plugins/not-found.ts';
import { createRateLimiter } from './http/plugins/rate-limit.ts';
import { watchUnusedConnections } from './http/plugins/unused-connections.ts';
import { recordAccess, withRefusals } from './operations/audit/record-access.ts';
import { createLoginNoter } from './operations/audit/note-login.ts';
import { createSharedParts, registerFaces } from './faces.ts';
import { createFoundation } from './operations/foundation.ts';
import type { Foundation } from './operations/foundation.ts';
import { registerRoutes } from './routes.ts';
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
import type { Store } from './storage/store.ts';
import type { ChosenStores, OpenedStores, StoreChoices } from './storage/stores.ts';
import { createTemplates } from './records/templates/templates.ts';
import { createTranscriptions } from './records/transcriptions/live-transcriptions.ts';
import type { Log } from './runtime/log.ts';
import { createValidation } from './runtime/validation.ts';
import { createNotifiedReports } from './delivery/fhir/subscription-receiver.ts';
import { createAnnouncer } from './delivery/webhooks/announcer.ts';
import { createTargets } from './delivery/webhooks/target.ts';
import type { Targets } from './delivery/webhooks/target.ts';
import { createWorkers } from './runtime/workers/workers.ts';
import type { Workers } from './runtime/workers/workers.ts';
import { createLexicon, noLexicon } from './speech/lexicon/lexicon.ts';
import type { Lexicon } from './speech/lexicon/lexicon.ts';
import { createBundling, isForThread } from './worklists/ingest/bundling.ts';
import type { Bundling } from './worklists/ingest/bundling.ts';

/** How long running work may continue when the server stops, in ms of the machine's clock. */
const graceMs = 5000;

export interface App {
  readonly fastify: FastifyInstance;
  readonly adminToken: string;
  /** The public URL of `ChosenOptions`, normalised. */
  readonly publicUrl: string | undefined;
  readonly transport: Transport;
  readonly dial: Dial;
  /** The most recent calls of the server. */
  readonly inspector: ReturnType<typeof createInspector>;
  /** Rules for simulated faults. */
  readonly faults: Faults;
  /** Calls the listener for each announced event, until the returned function is called. */
  followEvents(listener: (announced: AnnouncedEvent) => void): () => void;
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
  /** Whether no other process can work over the same store. */
  readonly isAlone: boolean;
  /** Loads the engines, once the server answers. */
  warmUp(): void;
  close(): Promise<void>;
}

/** Chooses the stores. AppError CONFIGURATION for an unknown name. */
export const selectStores = (choices: StoreChoices, validation = createValidation()): ChosenStores =>
  chooseStores({ documentStores, blobStores }, choices, validation);

/** One thread keeps the dictionaries for a while, since the first dictation in a language waits for them. */
const lexiconThread = { threads: 1, idleMs: 600_000 };

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
  const { memberUrl } = options;
  const opened = await stores.open({ directory, key, clock: options.clock, log, memory, memberUrl, ...metrics.stores });
  const workers = createWorkers();
  const lexicon = options.lexicon ? createLexicon(createWorkers(lexiconThread), log) : noLexicon;
  let engines: Engines | undefined;
  try {
    if (opened.members) checkSeveralProcesses(options, opened);
    await checkSimulatedData(opened.store, options);
    engines = await openEngines({ dataDir: directory, memory: memoryOfMachine(), clock, log, workers, launch });
    return await assemble(
      { ...options, log, clock: createCommonClock(options.clock, opened.members) },
      { ...opened, engines, workers, lexicon, validation, targets, reach, metrics, faults },
    );
  } catch (error) {
    await engines?.close();
    await workers.close();
    await lexicon.close();
    // A later start, in this process or another one, must find the directory unlocked.
    await opened.close();
    throw isStorageFailure(error) && !opened.members ? takesNothing(error) : error;
  }
}

/** Settings and opened stores that the parts depend on. */
interface Parts extends OpenedStores {
  readonly engines: Engines;
  readonly workers: Workers;
  readonly lexicon: Lexicon;
  readonly validation: ReturnType<typeof createValidation>;
  readonly targets: Targets;
  readonly reach: Reach;
  readonly metrics: Metrics;
  readonly faults: Faults & FaultSource;
}

async function assemble(options: ChosenOptions, opened: Parts): Promise<App> {
  const { engines, workers, lexicon, validation, targets, reach, faults } = opened;
  const { clock, log, version, letterheads, timeZone } = options;
  const foundation = await createFoundation(options, opened);
  const { store, blobs, gathered, chain, common, randomness, feed, recordFeed, segmenter, steady } = foundation;
  const hashing = createHashing({ costs: options.secretCosts });
  const { recordDeps, announcer, grace, checks } = createRecordWork(options, opened, foundation, hashing);
  const { recognition, jobs, transcriptions, templates, pins } = recordDeps;
  const freeProcessors = createFreeProcessors({ now: () => machineClockOf(clock).elapsed() });
  const bundling = createBundling({ store, log, freeProcessors });
  const adminToken = options.operatorToken ?? randomBytes(32).toString('base64url');
  const stopping = new AbortController();

  const http = createHttp(options, opened, foundation, { bundling, stopping: stopping.signal });
  const { fastify, inspector, inside } = http;
  const logins = createLogins(options, opened, foundation, http, hashing);
  const { authorization, authenticator } = logins;
  const channels = createAllChannels(options, opened, foundation, { templates, loop: http.loop });
  const startWork = async (): Promise<void> => {
    for (const part of [chain, transcriptions, grace, jobs, checks, announcer, channels]) await part.start();
  };
  /** Clears all caches of documents. Called if every document may have changed. */
  const renew = async (): Promise<void> => {
    authenticator.forget();
    await bootstrap(authorization, { testClient: options.testClient });
    for (const each of [feed, recordFeed]) each.restart();
    await mounted?.renew?.();
    await startWork();
  };
  const kept = { ...common, blobs, jobs, snapshots: opened.snapshots, isEncrypted: opened.encryption !== undefined };
  const care = createCare(kept, { directory: options.dataDir, version, compile: validation, migrations, renew });
  const backups = await openBackups(options, { care, common, targets });
  const around = createSurroundings(options, foundation, http, {
    refuse: opened.members && refuseForSeveral,
    faults,
    adminToken,
    authenticate: authenticator,
    stopping: stopping.signal,
  });
  const scrubbing = startScrubbing({ scrub: opened.scrub, store, clock: machineClockOf(clock), log });
  const facts = describeServer(options, opened, { scrubbing, calls: http.calls, channels, backups });
  registerRoutes(
    fastify,
    around,
    {
      ...recordDeps,
      ...foundation,
      gathered: withRefusals(gathered, http.shown),
      ...logins,
      pins,
      letterheads,
      viewers: options,
      bundling,
      others: http.others,
      channels,
      targets,
      secrets: randomness('secrets of webhooks').bytes,
      care,
      backups,
      inspector,
      simulatedFaults: faults,
      timekeeper: () => timekeeper,
      validation,
    },
    { facts, timeZone },
  );
  const mounted = await registerFaces(options, {
    ...opened,
    ...createSharedParts(opened, { ...common, others: http.others }),
    findBackup: async () => backups?.status(),
    ...http,
    ...logins,
    adminToken,
  });

  await bootstrap(authorization, { testClient: options.testClient }).catch((error: unknown) => {
    // The server starts even if the disk is full, because data remains readable; unless data must be removed first.
    if (!isStorageFailure(error) || !options.testClient || foundation.newest === 0) throw error;
    log({ level: 'warn', event: 'started_without_test_client' });
  });
  await fastify.ready();
  await startWork();
  renewWithOthers(store, renew, log);
  void engines.probe(stopping.signal);
  // A restore may have been interrupted before it erased again.
  await applyErasures(care);
  const housekeeping = underLease(common, 'house', (leased) =>
    createHousekeeping({ ...foundation, store: leased }, options.retention, steady),
  );
  await housekeeping.start();
  await backups?.start();
  const timed = [housekeeping, ...(backups ? [backups] : []), channels, grace, jobs, checks, announcer, gathered];
  const timekeeper = createTimekeeper(clock, timed, { stopping: stopping.signal });

  const patients = recognition.findRecogniser({ test_mode: false });
  return {
    fastify,
    adminToken,
    publicUrl: reach.publicUrl,
    transport: inside.transport,
    dial: inside.dial,
    inspector,
    faults,
    followEvents: (listener) => store.subscribe('announced', (events) => events.forEach(listener)),
    clock: timekeeper,
    recogniser: patients?.name,
    sendsTo: patients?.sendsTo,
    engineProblems: engines.problems,
    encryptedBy: opened.encryption?.place,
    forgets: opened.forgets,
    isAlone: opened.members === undefined,
    warmUp: () => engines.warmUp(),
    async close() {
      // First stops new requests, then running work, then the stores that it writes to.
      stopping.abort();
      await mounted?.close();
      await Promise.all([housekeeping.stop(), segmenter?.close(), backups?.stop()]);
      await scrubbing.stop();
      await closeHttp(http);
      for (const part of [channels, grace, jobs, checks, transcriptions, announcer]) await part.stop();
      http.shown.close();
      await gathered.close();
      await chain.stop();
      for (const part of [engines, workers, lexicon, bundling, hashing, http.others, opened]) await part.close();
    },
  };
}

/** The connections to other systems. */
function createAllChannels(
  { letterheads, timeZone, alarm }: ChosenOptions,
  { workers, targets, validation }: Parts,
  { common, randomness }: Foundation,
  { templates, loop }: Pick<DeliveryDeps, 'templates'> & Pick<ReturnType<typeof createHttp>, 'loop'>,
) {
  const deliveryDeps: DeliveryDeps = { ...common, templates, letterheads, workers };
  const { number: random } = randomness('channels');
  return createChannels({ ...deliveryDeps, timeZone, loop, targets, alarm, compile: validation, random });
}

/** Ends connections once their requests are answered. */
async function closeHttp({ fastify, endUnusedConnections }: ReturnType<typeof createHttp>): Promise<void> {
  endUnusedConnections();
  // A client that stalls in the middle of a request must not keep the server from stopping.
  const patience = setTimeout(() => fastify.server.closeAllConnections(), graceMs);
  await fastify.close();
  clearTimeout(patience);
}

/** Renews everything when another process has replaced all documents. */
function renewWithOthers({ positions }: Pick<Store, 'positions'>, renew: () => Promise<void>, log: Log): void {
  positions?.onReplaced(() => {
    renew().catch((error: unknown) => log({ level: 'error', event: 'renewal_failed', ...describeError(error) }));
  });
}

/** The makers of records: speech, jobs, signatures, and the announcements of changes. */
function createRecordWork(
  { rateLimit, hearing: atOnce, waitingAudio, letterheads }: ChosenOptions,
  { engines, workers, lexicon, targets, faults }: Parts,
  { common, blobs, steady, randomness, gathered }: Foundation,
  hashing: Hashing,
) {
  const { recognition, writer } = engines;
  const templates = createTemplates(shippedTemplates, common.store);
  const given = { ...common, blobs, recognition, templates, workers };
  const renderNotified = createNotifiedReports({ ...given, letterheads, gathered });
  const sending = { targets, random: randomness('deliveries').number };
  const announcer = createAnnouncer({ ...common, faults, renderNotified }, sending);
  const hearing = { steady, isMetered: rateLimit > 0, random: randomness('hearing').number };
  const transcriptions = createTranscriptions({ ...given, ...hearing });
  const pins = createPins({ ...common, hashing });
  // Channels load with the first report that one may accept.
  const chooseChannels: ChooseChannels = async (all, report) =>
    (await import('./delivery/channels/sending/choose-channels.ts')).chooseChannels(all, report);
  const toRun = { ...given, writer, transcriptions, announcer, lexicon, faults };
  const jobs = createJobRunner(toRun, { hearing: atOnce, waitingAudio, random: randomness('jobs').number });
  const recordDeps = { ...toRun, jobs, pins, chooseChannels } satisfies RecordDeps;
  const grace = underLease(common, 'signatures', (leased) => createGraceWatch({ ...recordDeps, store: leased }));
  const { number: random } = randomness('checks');
  const checks = underLease(common, 'checks', (leased) => createCheckWatch({ ...recordDeps, store: leased, random }));
  return { recordDeps, announcer, grace, checks };
}

/** The authorization server, and who is logged in. */
function createLogins(
  { accessTokenSeconds, clock, log, logAddresses, provider: chosen }: ChosenOptions,
  { metrics }: Parts,
  { common }: Foundation,
  { shown }: ReturnType<typeof createHttp>,
  hashing: Hashing,
) {
  const noteLogin = createLoginNoter({ metrics, shown, log, logAddresses });
  // The provider has the machine's time even if the server simulates another one.
  const provider = chosen && createProvider(chosen, { clock: machineClockOf(clock), log });
  const authorization: AuthorizationServices = { ...common, hashing, accessTokenSeconds, noteLogin, provider };
  return { authorization, pending: createPendingRequests(common), authenticator: createAuthenticator(common) };
}

/** Facts about the server for its status and its metrics. */
const describeServer = (
  { version, clock, rateLimit, retention, memory, dataDir }: ChosenOptions,
  { encryption, blobsName, hasSharedAudio, usage, metrics }: Parts,
  observed: Pick<SystemFacts, 'scrubbing' | 'calls' | 'channels' | 'backups'>,
): SystemFacts => ({
  ...observed,
  version,
  rateLimit,
  startedAt: clock.now(),
  openapi: { whole: describeApi(version), withoutWebhooks: describeApi(version, { hasWebhooks: false }) },
  retention,
  memory,
  encrypted: encryption !== undefined,
  directory: dataDir,
  blobs: blobsName,
  hasSharedAudio,
  usage,
  metrics,
});

/** The services that the handling of a call needs from the rest of the server. */
const createSurroundings = (
  { clock, rateLimit, monitorToken }: ChosenOptions,
  { store }: Foundation,
  { inside, rateLimiter }: ReturnType<typeof createHttp>,
  { faults, ...own }: Pick<Surroundings, 'adminToken' | 'authenticate' | 'stopping' | 'refuse'> & Pick<Parts, 'faults'>,
): Surroundings => ({
  ...own,
  store,
  clock,
  monitorToken,
  rateLimiter,
  isInside: inside.has,
  idempotency: createIdempotency(store, clock),
  searches: createSearchPlaces(),
  faults: createFaultExecutor({
    clock,
    faults,
    revoke: (grant) => store.transact((tx) => revokeGrant(tx, clock, grant)),
    rateLimit,
    stopping: own.stopping,
  }),
});

/** The Fastify server with the checks of every call, and the observers of calls. */
function createHttp(
  options: ChosenOptions,
  { reach, metrics, validation, members }: Parts,
  { counters, gathered, ids, common }: Foundation,
  { bundling, stopping }: { readonly bundling: Bundling; readonly stopping: AbortSignal },
) {
  const { clock, log, operatorToken } = options;
  const mark = operatorToken === undefined ? undefined : createMemberMark(operatorToken);
  const fastify = createFastify(clock, ids, validation, { ...options, ...reach });
  stampAnswers(fastify, clock, stopping);
  const calls = watchCalls(fastify, clock);
  calls.onEnd(metrics.countCall);
  const loop = watchEventLoop(fastify, { calls, metrics, log });
  const shown = recordAccess(calls, gathered, clock);
  if (options.callLog) calls.onEnd(logCalls(options.callLog, options));
  const inspector = createInspector(fastify, calls);
  registerErrors(fastify, { clock, log });
  const inside = createInside(fastify, members && mark);
  registerHostGuard(fastify, reach, inside.has);
  const rateLimiter = createRateLimiter({ clock, counters }, options.rateLimit);
  registerNotFound(fastify, contract, { clock, rateLimiter });
  registerBodyParsers(fastify, isForThread(bundling));
  const endUnusedConnections = watchUnusedConnections(fastify);
  const others = createOtherMembers({ ...common, mark });
  return { fastify, calls, loop, shown, inspector, inside, others, rateLimiter, endUnusedConnections };
}
