/** The embedded server: the only module that code outside the server imports. */
import type { Faults } from './qa/faults/faults.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { isLoopback } from '../src/client/address.ts';
import type { Transport } from '../src/client/transport.ts';
import { accessTokenSeconds } from '../src/contract/oauth.ts';
import { isMovable } from '../src/domain/clock.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Choice } from '../src/domain/choice.ts';
import { cannotListen } from '../src/node/cannot-listen.ts';
import { systemClock } from '../src/node/clock.ts';
import { AppError } from '../src/contract/errors.ts';
import type { FaultInput } from '../src/contract/fault.ts';
import { chosenStores, createApp } from './app.ts';
import type { AlarmChoice } from './delivery/channels/alarms/alarm-choice.ts';
import type { Timekeeper } from './runtime/clock/timekeeper.ts';
import type { ModelOffer, ModelOfferOptions } from './speech/registry.ts';
import type { Retention } from './operations/maintenance/retention.ts';
import { builtInTestClient } from './auth/bootstrap.ts';
import { secretCosts } from './runtime/secrets.ts';
import type { SecretCosts } from './runtime/secrets.ts';
import type { Log } from './runtime/log.ts';
import type { Mount, MountHost } from './mount.ts';
import type { KeyOptions, KeyPlace } from './storage/data-directory/encryption.ts';
import { usualWriteLimits } from './http/plugins/stalled-writes.ts';
import type { WriteLimits } from './http/plugins/stalled-writes.ts';
import { launchNode } from './runtime/processes/node-process.ts';
import { processEnvironment } from './runtime/processes/own-process.ts';
import type { LaunchProcess, ProcessEnd } from './runtime/processes/own-process.ts';
import { memoryOfMachine } from './storage/ceiling.ts';
import type { CheckReport, RepairReport } from './storage/condition.ts';
import type { CareOptions } from './storage/stores.ts';

export { builtInTestClient };
export { processEnvironment };
export type { ContractReport } from './qa/conformance/index.ts';
export type {
  CheckReport,
  KeyOptions,
  LaunchProcess,
  Log,
  ModelOffer,
  ModelOfferOptions,
  Mount,
  MountHost,
  ProcessEnd,
  RepairReport,
};

// What is done where no server runs is loaded when it is done: no start of a server waits for it.
export const engineCare = () => import('./speech/engine-care.ts');
export const sealedBackup = () => import('./storage/sealing/sealed-backup.ts');
export const conformance = () => import('./qa/conformance/index.ts');
export const recording = () => import('./qa/recording/index.ts');
export const rehearsal = () => import('./worklists/ingest/rehearsal.ts');

export interface ServerOptions {
  readonly version: string;
  /** The store of documents; default: `lowdb`, which needs `dataDir`. */
  readonly store?: Choice;
  /** The store of audio; default: the one that belongs to the store of documents, `files` with `lowdb`. */
  readonly blobs?: Choice;
  /** The data directory, which the server locks. */
  readonly dataDir?: string;
  /**
   * Whether the data directory is to be encrypted from now on, and where its key comes from. Default: a plain directory stays
   * plain, and an encrypted directory cannot be opened.
   */
  readonly key?: KeyOptions;
  /** The address on which the server listens; default: 127.0.0.1. */
  readonly host?: string;
  /**
   * The port; 0 chooses a free port. Without a port the server does not listen, and only `inject` and `transport` reach
   * it.
   */
  readonly port?: number;
  /**
   * Bytes of memory that the program and the stored documents may take; default: the memory of the machine or
   * container.
   */
  readonly memory?: number | undefined;
  /** Requests that each client may make in a minute; default 100, 0: no limit. */
  readonly rateLimit?: number;
  /** Names by which other computers reach the server, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Where browsers reach the server behind a proxy that ends TLS: `https://laudio.example.com`. */
  readonly publicUrl?: string;
  /** Addresses and ranges of trusted proxies; the server ignores `X-Forwarded-For` from any other address. */
  readonly trustedProxies?: readonly string[];
  /** What stands above documents: of each institution its name, as exams name it, and the lines below it. Default: the name alone. */
  readonly letterheads?: readonly (readonly string[])[];
  /** Zone of the times of exams that come without one, such as `America/Sao_Paulo`. Default: that of this computer. */
  readonly timeZone?: string | undefined;
  /** Private addresses, besides loopback, that webhooks may have. */
  readonly webhookTargets?: readonly string[];
  /** How the operator is called when a channel is silent or stuck, or when no channel takes a report; default: by the log alone. */
  readonly alarm?: AlarmChoice;
  /**
   * Whether the built-in test client exists. Default: only while no other computer can reach the server, since its
   * secret is public.
   */
  readonly testClient?: boolean;
  /** The cost of hashing secrets. Default: the recommended cost; tests hash many secrets and set a lower cost. */
  readonly secretCosts?: SecretCosts;
  /** How long finished documents are kept, in ms. Default: for ever. */
  readonly retention?: Partial<Retention>;
  /**
   * The recogniser for all clients but test clients; `none`: audio waits as jobs. Default: a speech model that is installed,
   * else `none`.
   */
  readonly recogniser?: Choice;
  /** Whether test clients have the same recogniser as all others, instead of the simulation. Default: false. */
  readonly testReal?: boolean;
  /** Queued dictations that the recogniser is given at once, from 1; default: as many as it takes. */
  readonly hearing?: number | undefined;
  /** Bytes of audio that may wait to be heard; one client may fill half of them. Default: 10 GiB. */
  readonly waitingAudio?: number | undefined;
  /** The writer of reports; default: `rules`. */
  readonly writer?: Choice;
  /** Default: the machine's own. A movable clock (src/domain/movable-clock.ts) simulates a time. */
  readonly clock?: Clock;
  /**
   * A text of which ids, the secrets of webhooks and the jitter of retries are made, so that the same calls at the same time of
   * a clock that stands give the same answers. Tokens, codes, secrets of clients and keys are never made of it. Only for a
   * server that other computers cannot reach. Default: of chance.
   */
  readonly seed?: string;
  /** How long access tokens live, in ms: whole seconds from 1 s to a day. Default: an hour. */
  readonly accessTokenTtl?: number;
  /** How long a client may take to send its headers, in ms; default 15,000. */
  readonly headersTimeout?: number;
  /** How long a client may leave an answer unread, in ms; default 40,000, and 300,000 for files and event streams. */
  readonly writeLimits?: WriteLimits;
  /** Takes the entries of the log; default: discards them. */
  readonly log?: Log;
  /** Takes an entry for each call; default: calls are not logged. */
  readonly callLog?: Log;
  /** The token by which a monitor may read `/metrics`; default: only the operator may. */
  readonly monitorToken?: string;
  /** Starts the processes of engines; default: processes of Node. */
  readonly launch?: LaunchProcess;
  /** The code by which a browser shows that whoever uses it runs this server; default: no browser may look at its calls. */
  readonly setupCode?: string;
  /** Rules by which calls go wrong from the start on, for tests. VALIDATION_FAILED for one that makes no sense. */
  readonly faults?: readonly FaultInput[];
  /** How the app offers speech models; default: those of the catalogue, to install but not to use. */
  readonly models?: ModelOfferOptions;
  /** Mounts an app on `/`, beside the API; default: a page that describes the server. */
  readonly mount?: Mount;
}

export interface Server {
  /** The URL of the server: `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Where browsers reach the server behind a proxy; `undefined`: at `url`. */
  readonly publicUrl: string | undefined;
  /** The token for the operator's calls. It is valid as long as the server runs. */
  readonly adminToken: string;
  /** The transport for a client in this process: without a network, not counted against quotas. */
  readonly transport: Transport;
  /** The calls that reached the server lately, without what was said in them. */
  readonly inspector: Inspector;
  /** The rules by which calls go wrong: add some, remove them, and see what they struck. */
  readonly faults: Faults;
  /** Shows the time of the server, and moves a simulated one. */
  readonly clock: Timekeeper;
  /** Whether ids and secrets of webhooks are made of a seed. */
  readonly isSeeded: boolean;
  /** Name of the recogniser for real patients at the start; `undefined`: none, and audio waits as jobs. */
  readonly recogniser: string | undefined;
  /** The host to which the recogniser sends sound; `undefined`: to none. */
  readonly sendsTo: string | undefined;
  /** Why a speech model that is installed is not used, and what to do. */
  readonly engineProblems: readonly { readonly message: string; readonly hint: string }[];
  /** Whether test clients have that recogniser as well, instead of the simulation. */
  readonly testReal: boolean;
  /** Where the key of the data directory is; `undefined` where the directory is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** The kinds of data that are lost when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** Makes a call without a network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Finishes running work and releases everything. */
  close(): Promise<void>;
}

const usualStore: Choice = { use: 'lowdb' };

/** A data directory and the stores whose data it holds. Defaults are as in `ServerOptions`. */
export type StoresOfDirectory = CareOptions & Pick<ServerOptions, 'store' | 'blobs'>;

/**
 * Checks all stored data without changing any, also while in use. AppError CONFIGURATION where the data cannot be read.
 */
export const checkStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<CheckReport> =>
  chosenStores({ store, blobs }).check(options);

/**
 * Rescues the readable documents of a store that does not open. AppError CONFIGURATION where it is in use or lacks its
 * key.
 */
export const repairStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<RepairReport> =>
  chosenStores({ store, blobs }).repair(options);

/** Whether other computers can reach the server. */
export const isShared = ({ host = 'localhost', publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>): boolean =>
  !isLoopback(host === '::1' ? '[::1]' : host) ||
  (publicUrl !== undefined && !isLoopback(URL.parse(publicUrl)?.hostname ?? ''));

/** Starts the embedded server: the whole API on one port, ready when the promise settles. */
export async function createServer(options: ServerOptions): Promise<Server> {
  checkSimulation(options);
  const app = await createApp({
    version: options.version,
    store: options.store ?? usualStore,
    blobs: options.blobs,
    dataDir: options.dataDir,
    key: options.key ?? {},
    clock: options.clock ?? systemClock,
    seed: options.seed,
    isShared: isShared(options),
    accessTokenSeconds: accessTokenSecondsOf(options),
    log: options.log ?? (() => {}),
    callLog: options.callLog,
    monitorToken: options.monitorToken,
    memory: options.memory ?? memoryOfMachine(),
    rateLimit: options.rateLimit ?? 100,
    allowedHosts: options.allowedHosts ?? [],
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    letterheads: options.letterheads ?? [],
    timeZone: options.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    webhookTargets: options.webhookTargets ?? [],
    alarm: options.alarm ?? {},
    testClient: options.testClient ?? !isShared(options),
    secretCosts: options.secretCosts ?? secretCosts,
    retention: { completed: undefined, audio: undefined, audit: undefined, ...options.retention },
    recogniser: options.recogniser,
    testReal: options.testReal ?? false,
    writer: options.writer ?? { use: 'rules' },
    hearing: options.hearing,
    waitingAudio: options.waitingAudio,
    headersTimeout: options.headersTimeout ?? 15_000,
    writeLimits: options.writeLimits ?? usualWriteLimits,
    launch: options.launch ?? launchNode,
    setupCode: options.setupCode,
    faults: options.faults ?? [],
    models: options.models ?? {},
    mount: options.mount,
  });
  const { fastify, ...told } = app;
  let url = 'http://localhost';
  if (options.port !== undefined) {
    const { host = '127.0.0.1', port } = options;
    try {
      url = await fastify.listen({ host, port });
    } catch (error) {
      await app.close();
      throw cannotListen(error, host, port);
    }
  }
  app.warmUp();
  return {
    url,
    ...told,
    testReal: options.testReal ?? false,
    isSeeded: options.seed !== undefined,
    inject: (request) => fastify.inject(request),
    close: () => app.close(),
  };
}

/** What is simulated is simulated for this computer alone: patients of others must not live in another time. */
function checkSimulation(options: ServerOptions): void {
  if (!isShared(options)) return;
  const simulated =
    options.seed !== undefined ? 'seed' : options.clock && isMovable(options.clock) ? 'clock' : undefined;
  if (simulated === undefined) return;
  throw new AppError('CONFIGURATION', {
    message: `A server that other computers can reach takes no --${simulated}.`,
    hint: `Leave out --host and --public-url, or --${simulated}.`,
  });
}

const longestAccess = 24 * 3600;

function accessTokenSecondsOf({ accessTokenTtl }: ServerOptions): number {
  if (accessTokenTtl === undefined) return accessTokenSeconds;
  const seconds = accessTokenTtl / 1000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestAccess) return seconds;
  throw new AppError('CONFIGURATION', {
    message: 'Access tokens live from 1 second to 24 hours, in whole seconds.',
    hint: 'Choose a length such as --access-token-ttl 30s.',
  });
}
