/** The only door to the embedded server. */
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { isLoopback } from '../src/client/address.ts';
import type { Transport } from '../src/client/transport.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Choice } from '../src/domain/choice.ts';
import { systemClock } from '../src/node/clock.ts';
import { AppError } from '../src/contract/errors.ts';
import { chosenStores, chosenWriter, createApp } from './app.ts';
import type { Mount, MountHost } from './app.ts';
import { tryEngine } from './engine/try-engine.ts';
import type { TriedEngine } from './engine/try-engine.ts';
import type { Retention } from './maintenance/retention.ts';
import { builtInTestClient } from './oauth/bootstrap.ts';
import { secretCosts } from './oauth/secrets.ts';
import type { SecretCosts } from './oauth/secrets.ts';
import type { Log } from './log.ts';
import type { KeyOptions, KeyPlace } from './data-directory/encryption.ts';
import { memoryOfMachine } from './store/ceiling.ts';
import type { CheckReport, RepairReport } from './store/condition.ts';
import type { CareOptions } from './store/stores.ts';
import { createWorkers } from './workers/workers.ts';

export { builtInTestClient };
export { openBackup, sealBackup } from './sealing/sealed-backup.ts';
export { createRehearsal } from './worklists/rehearsal.ts';
export type { CheckReport, KeyOptions, Log, Mount, MountHost, RepairReport };

export interface ServerOptions {
  readonly version: string;
  /** Where documents are kept; default: `lowdb`, which needs `dataDir`. */
  readonly store?: Choice;
  /** Where audio is kept; default: where it goes with the store, `files` with `lowdb`. */
  readonly blobs?: Choice;
  /** The data directory, which the server takes for itself. */
  readonly dataDir?: string;
  /**
   * Whether the data directory is to be encrypted from now on, and how its key is had. Default: one that is plain stays so,
   * and one that is encrypted cannot be opened.
   */
  readonly key?: KeyOptions;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** 0 chooses a free one; without it the server does not listen and is reached by `inject` alone. */
  readonly port?: number;
  /** Bytes that what is stored, and the program, may take; default: the memory of the machine, or of the container. */
  readonly memory?: number | undefined;
  /** Requests a minute and client; default 100, 0: none. */
  readonly rateLimit?: number;
  /** Names by which others reach it, without a port. */
  readonly allowedHosts?: readonly string[];
  /** Where browsers reach it behind a proxy that ends TLS: `https://laudio.example.com`. */
  readonly publicUrl?: string;
  /** Addresses and ranges of such proxies: their `X-Forwarded-For` is believed, and nobody else's. */
  readonly trustedProxies?: readonly string[];
  readonly webhookTargets?: readonly string[];
  /** Default: unless others can reach the server, since its secret is known to all. */
  readonly testClient?: boolean;
  /** What the hashes of secrets cost. Default: as much as they should; tests, which have many, take less. */
  readonly secretCosts?: SecretCosts;
  /** How long what is over is kept, in ms. Default: for ever. */
  readonly retention?: Partial<Retention>;
  /** Hears everybody but test clients; default: `none`, and sound is refused. */
  readonly recogniser?: Choice;
  /** Default: `rules`. */
  readonly writer?: Choice;
  readonly clock?: Clock;
  /** How long a client may take to send its headers, in ms; default 15,000. */
  readonly headersTimeout?: number;
  /** Default: says nothing. */
  readonly log?: Log;
  /** Puts an app on `/`, beside the API; default: a page that says what this is. */
  readonly mount?: Mount;
}

export interface Server {
  /** `http://127.0.0.1:41234`. */
  readonly url: string;
  /** Where browsers reach it behind a proxy; `undefined`: at `url`. */
  readonly publicUrl: string | undefined;
  /** For the operator's calls. It lives as long as the server. */
  readonly adminToken: string;
  /** For this process's own client: without a network, not counted against quotas. */
  readonly transport: Transport;
  /** Who hears real patients; `undefined`: nobody, and only their text is taken. */
  readonly recogniser: string | undefined;
  /** What opens the data directory; `undefined` where it is not encrypted. */
  readonly encryptedBy: KeyPlace | undefined;
  /** What is gone when this server stops. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** Makes a call without a network. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Finishes what is running and releases everything. */
  close(): Promise<void>;
}

const usualStore: Choice = { use: 'lowdb' };

/** The data directory of a server, and the stores whose data it has; defaults are those of `ServerOptions`. */
export type StoresOfDirectory = CareOptions & Pick<ServerOptions, 'store' | 'blobs'>;

/** Looks at all there is, which may be in use, and changes nothing. AppError CONFIGURATION where it cannot be read. */
export const checkStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<CheckReport> =>
  chosenStores({ store, blobs }).check(options);

/** Keeps what can be read of documents that do not open. AppError CONFIGURATION where they are in use, or have no key. */
export const repairStores = ({ store = usualStore, blobs, ...options }: StoresOfDirectory): Promise<RepairReport> =>
  chosenStores({ store, blobs }).repair(options);

/** Tries what the writer can do, with nothing that anybody dictated. AppError CONFIGURATION where there is no such writer. */
export async function tryWriter(choice: Choice, signal: AbortSignal): Promise<TriedEngine> {
  const open = chosenWriter(choice);
  const workers = createWorkers();
  try {
    return await tryEngine(open, { dataDir: undefined, clock: systemClock, log: () => {}, workers }, signal);
  } finally {
    await workers.close();
  }
}

/** Whether others than this computer can reach a server. */
export const isShared = ({ host = 'localhost', publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>): boolean =>
  !isLoopback(host === '::1' ? '[::1]' : host) ||
  (publicUrl !== undefined && !isLoopback(URL.parse(publicUrl)?.hostname ?? ''));

/** Starts the embedded server: the whole API on one port, ready when the promise settles. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const app = await createApp({
    version: options.version,
    store: options.store ?? usualStore,
    blobs: options.blobs,
    dataDir: options.dataDir,
    key: options.key ?? {},
    clock: options.clock ?? systemClock,
    log: options.log ?? (() => {}),
    memory: options.memory ?? memoryOfMachine(),
    rateLimit: options.rateLimit ?? 100,
    allowedHosts: options.allowedHosts ?? [],
    publicUrl: options.publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    webhookTargets: options.webhookTargets ?? [],
    testClient: options.testClient ?? !isShared(options),
    secretCosts: options.secretCosts ?? secretCosts,
    retention: { completed: undefined, audio: undefined, ...options.retention },
    recogniser: options.recogniser ?? { use: 'none' },
    writer: options.writer ?? { use: 'rules' },
    headersTimeout: options.headersTimeout ?? 15_000,
    mount: options.mount,
  });
  const { fastify, adminToken, transport, recogniser, encryptedBy, forgets, publicUrl } = app;
  let url = 'http://localhost';
  if (options.port !== undefined) {
    try {
      url = await fastify.listen({ host: options.host ?? '127.0.0.1', port: options.port });
    } catch (error) {
      await app.close();
      throw cannotListen(error, options.port);
    }
  }
  return {
    url,
    publicUrl,
    adminToken,
    transport,
    recogniser,
    encryptedBy,
    forgets,
    inject: (request) => fastify.inject(request),
    close: () => app.close(),
  };
}

function cannotListen(error: unknown, port: number): AppError {
  const { code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'EADDRINUSE'
      ? 'is in use'
      : code === 'EACCES'
        ? 'needs more rights than you have'
        : `cannot be used (${code})`;
  return new AppError('CONFIGURATION', {
    message: `Port ${port} ${reason}.`,
    hint: 'Choose another one with --port, or 0 for any free one.',
    cause: error,
  });
}
