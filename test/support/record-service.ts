/** Records, jobs and a worklist over a store that forgets, an engine that obeys and time that stands still. */
import { createSpeechRecognition } from '../../server/speech/speech-recognition.ts';
import { createFaults } from '../../server/qa/faults/faults.ts';
import { createFeed } from '../../server/storage/feed.ts';
import { createValidation } from '../../server/runtime/validation.ts';
import { createJobRunner } from '../../server/records/jobs/runner.ts';
import type { RunnerOptions } from '../../server/records/jobs/runner.ts';
import type { Caller, Upload } from '../../server/http/call.ts';
import { createGraceWatch } from '../../server/records/grace-watch.ts';
import { createHashing } from '../../server/auth/hashing.ts';
import { createPins } from '../../server/auth/pins.ts';
import { engineRoutes } from '../../server/api/engines.ts';
import { letterheadRoutes } from '../../server/api/letterheads.ts';
import { jobRoutes } from '../../server/api/jobs.ts';
import { recordRoutes } from '../../server/api/records.ts';
import { criticalRoutes } from '../../server/api/critical-results.ts';
import { reviewRoutes } from '../../server/api/reviews.ts';
import { signatureRoutes } from '../../server/api/signatures.ts';
import { templateRoutes } from '../../server/api/templates.ts';
import { chooseChannels } from '../../server/delivery/channels/sending/choose-channels.ts';
import { writeDelivery } from '../../server/delivery/webhooks/outbox.ts';
import type { EventAnnouncer, RecordDeps } from '../../server/records/deps.ts';
import type { DeliveryDeps } from '../../server/delivery/deps.ts';
import type { ItemChange, RecordChange } from '../../server/storage/feeds.ts';
import { createFileBlobs } from './lowdb-store.ts';
import { noLexicon } from '../../server/speech/lexicon/lexicon.ts';
import { createTranscriptions } from '../../server/records/transcriptions/live-transcriptions.ts';
import { createTemplates } from '../../server/records/templates/templates.ts';
import type { AudioType, MedicalRecord } from '../../src/contract/document.ts';
import type { GenerateRequest } from '../../src/contract/record.ts';
import type { Job } from '../../src/contract/job.ts';
import { createLoneCounters } from '../../server/storage/counters.ts';
import { createLoneMember } from '../../server/storage/members.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { wav } from './audio.ts';
import { cheapSecrets } from './cheap-secrets.ts';
import { fakeCall } from './call.ts';
import type { CallOptions } from './call.ts';
import { controlledEngine } from './controlled-engine.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { threads } from './threads.ts';
import { createWorklist, exam } from './worklist.ts';

export const dictated = 'Test Patient. Findings: lungs are clear, no effusion. Impression: normal examination.';

export const testClient: Partial<Caller> = { client_id: 'test_tc_1', space: 'test', test_mode: true };
export const colleague: Partial<Caller> = { user: { id: 'usr_2', username: 'bruno', display_name: 'Dr. Bruno' } };
export const elsewhere: Partial<Caller> = { space: 'elsewhere' };

/** Its engine hears everybody; with `hearsPatients: false` only test clients. `limits`: of the runner of its jobs. */
export async function createRecordService({
  store: given,
  hearsPatients = true,
  limits = {},
  letterheads = [],
}: {
  store?: RecordDeps['store'];
  hearsPatients?: boolean;
  limits?: Partial<RunnerOptions>;
  letterheads?: DeliveryDeps['letterheads'];
} = {}) {
  const worklist = createWorklist();
  const { clock, ids, feed } = worklist;
  const store = given ?? worklist.store;
  const engine = controlledEngine();
  const blobs = await createFileBlobs(await temporaryDirectory());
  const log: Record<string, unknown>[] = [];
  const changes: ItemChange[] = [];
  feed.subscribe('local', (change) => changes.push(change));
  const recordFeed = createFeed(store, 'records', () => 'run');
  const told: RecordChange[] = [];
  recordFeed.subscribe('local', (change) => told.push(change));
  const createRecognition = (hears: boolean) =>
    createSpeechRecognition(engine, hears ? engine : undefined, limits.hearing);
  const toHear = {
    store,
    members: createLoneMember('member'),
    blobs,
    recognition: createRecognition(hearsPatients),
    templates: createTemplates(shippedTemplates, store),
    letterheads,
    timeZone: 'UTC',
    clock,
    ids,
    log: (entry: Record<string, unknown>) => void log.push(entry),
  };
  const announcer: EventAnnouncer = {
    async announce(tx, { type, data }) {
      writeDelivery(tx, ids, 'ris', { type, timestamp: isoNow(clock), data });
    },
  };
  const foundation = {
    ...toHear,
    transcriptions: createTranscriptions({ ...toHear, isMetered: false, random: () => 0 }),
    pins: createPins({ store, counters: createLoneCounters(clock), hashing: createHashing({ costs: cheapSecrets }) }),
    workers: threads,
    lexicon: noLexicon,
    faults: createFaults({ clock, log: toHear.log, compile: createValidation() }),
    writer: engine,
    feed,
    recordFeed,
    announcer,
    chooseChannels,
  };
  const newRunner = (changed: { recognition?: RecordDeps['recognition'] } = {}) =>
    createJobRunner({ ...foundation, ...changed }, { random: () => 0, ...limits });
  const routesOf = (services: typeof foundation & Pick<RecordDeps, 'jobs'>) => ({
    records: recordRoutes(services),
    reviews: reviewRoutes(services),
    signatures: signatureRoutes(services),
    criticalResults: criticalRoutes(services),
    jobs: jobRoutes(services),
    templates: templateRoutes(services),
    letterheads: letterheadRoutes(services),
    engines: engineRoutes(services),
  });
  let jobs = newRunner();
  await jobs.start();
  let routes = routesOf({ ...foundation, jobs });
  let grace = createGraceWatch(foundation);
  await grace.start();
  const call = (options: CallOptions & { upload?: Upload } = {}) => ({
    ...fakeCall(store, options),
    upload: options.upload,
  });

  return {
    ...foundation,
    engine,
    clock,
    get jobs() {
      return jobs;
    },
    newRunner,
    get routes() {
      return routes;
    },
    /** Moves the clock, and waits for the signatures that end on the way. */
    async pass(ms: number): Promise<void> {
      await grace.idle();
      clock.advance(ms);
      await grace.idle();
    },
    /** Ends nothing more, as a killed server; the function that it gives starts another. */
    halt() {
      const halted = grace.stop();
      return async () => {
        await halted;
        grace = createGraceWatch(foundation);
        await grace.start();
        clock.advance(0);
        await grace.idle();
      };
    },
    /** Stops the jobs and starts them as another server would, with a recogniser for patients or without. */
    async restart(hears = hearsPatients): Promise<void> {
      await jobs.stop();
      const recognition = createRecognition(hears);
      jobs = newRunner({ recognition });
      await jobs.start();
      routes = routesOf({ ...foundation, recognition, jobs });
    },
    /** The events that were written for webhooks, the oldest first. */
    announced: async () =>
      (await store.find('deliveries', {})).map(({ event: { type, data } }) => ({ type, data })).toReversed(),
    log_entries: log,
    changes,
    told,
    call,
    worklist,
    /** A new exam; gives its id. */
    async exam(fields: Record<string, unknown> = {}, options?: CallOptions): Promise<string> {
      return (await worklist.ingest(exam(fields), options)).items[0]!.id!;
    },
    async generate(
      body: GenerateRequest = { text: dictated },
      options: CallOptions & { upload?: Upload } = {},
    ): Promise<MedicalRecord> {
      return (await routes.records.generate({ body }, call(options))).data as MedicalRecord;
    },
    async enqueue(
      body: GenerateRequest = { text: dictated },
      options: CallOptions & { upload?: Upload } = {},
    ): Promise<Job> {
      return (await routes.records.generate({ body: { ...body, mode: 'async' } }, call(options))).data as Job;
    },
    get: async (id: string) => (await routes.records.get({ params: { id } }, call())).data,
    job: async (id: string) => (await routes.jobs.get({ params: { id } }, call())).data,
    logOf: async (id: string) => (await routes.jobs.logs({ params: { id } }, call())).data.items,
    /** Audio as the parsers leave it. */
    async upload(bytes: Buffer = wav(), type: AudioType = 'audio/wav'): Promise<Upload & { readonly kept: boolean }> {
      const blob = ids('blb');
      const written = await blobs.write(
        blob,
        (async function* () {
          yield bytes;
        })(),
        bytes.length,
      );
      let kept = false;
      return {
        audio: { blob, ...written, content_type: type, seconds: 1 },
        keep: () => void (kept = true),
        get kept() {
          return kept;
        },
      };
    },
  };
}

export type RecordService = Awaited<ReturnType<typeof createRecordService>>;
