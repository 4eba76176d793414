/** All options of a server, with their meaning and their defaults. */
import type { FaultInput } from '../src/contract/fault.ts';
import { isLoopback } from '../src/client/address.ts';
import { AppError } from '../src/contract/errors.ts';
import { accessTokenSeconds } from '../src/contract/oauth.ts';
import type { Choice } from '../src/domain/choice.ts';
import { isMovable } from '../src/domain/clock.ts';
import type { Clock } from '../src/domain/clock.ts';
import { systemClock } from '../src/node/clock.ts';
import type { AlarmChoice } from './delivery/channels/alarms/alarm-choice.ts';
import { usualWriteLimits } from './http/plugins/stalled-writes.ts';
import type { WriteLimits } from './http/plugins/stalled-writes.ts';
import type { Mount } from './mount.ts';
import type { Retention } from './operations/maintenance/retention.ts';
import type { Log } from './runtime/log.ts';
import { launchNode } from './runtime/processes/node-process.ts';
import type { LaunchProcess } from './runtime/processes/own-process.ts';
import { secretCosts } from './runtime/secrets.ts';
import type { SecretCosts } from './runtime/secrets.ts';
import type { ModelOfferOptions } from './speech/registry.ts';
import { memoryOfMachine } from './storage/ceiling.ts';
import type { KeyOptions } from './storage/data-directory/encryption.ts';

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
  /** The heads of documents: the name of each institution, as exams name it, and the lines below it. Default: the name alone. */
  readonly letterheads?: readonly (readonly string[])[];
  /** Zone of the times of exams that come without one, such as `America/Sao_Paulo`. Default: that of this computer. */
  readonly timeZone?: string | undefined;
  /** Private addresses other than loopback that webhooks may have. */
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
  readonly retention?: Retention;
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
   * a stopped clock give the same answers. Tokens, codes, secrets of clients and keys are never made of it. Only for a
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
  /** Mounts an app on `/`, next to the API; default: a page that describes the server. */
  readonly mount?: Mount;
}

export const usualStore: Choice = { use: 'lowdb' };

/** Options that are not listed have no default. */
const defaults = {
  store: () => usualStore,
  writer: () => ({ use: 'rules' }),
  testReal: () => false,
  models: () => ({}),
  launch: () => launchNode,
  key: () => ({}),
  clock: () => systemClock,
  log: () => () => {},
  memory: () => memoryOfMachine(),
  rateLimit: () => 100,
  allowedHosts: () => [],
  trustedProxies: () => [],
  headersTimeout: () => 15_000,
  writeLimits: () => usualWriteLimits,
  letterheads: () => [],
  timeZone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  webhookTargets: () => [],
  alarm: () => ({}),
  testClient: (options) => !isShared(options),
  secretCosts: () => secretCosts,
  retention: () => ({}),
  faults: () => [],
} satisfies { [K in keyof ServerOptions]?: (options: ServerOptions) => NonNullable<ServerOptions[K]> };
type DefaultName = keyof typeof defaults;

/** The options with their defaults. */
export type ChosenOptions = Omit<ServerOptions, DefaultName> & {
  readonly [K in DefaultName]: NonNullable<ServerOptions[K]>;
} & {
  readonly isShared: boolean;
  /** Seconds that access tokens live. */
  readonly accessTokenSeconds: number;
};

/** AppError CONFIGURATION for options that do not go together, or that no server takes. */
export function readOptions(options: ServerOptions): ChosenOptions {
  checkSimulation(options);
  const chosen = Object.entries(defaults).map(([name, byDefault]) => [
    name,
    options[name as DefaultName] ?? byDefault(options),
  ]);
  return {
    ...options,
    ...Object.fromEntries(chosen),
    isShared: isShared(options),
    accessTokenSeconds: readAccessTokenSeconds(options),
  } as ChosenOptions;
}

/** Whether other computers can reach the server. */
export const isShared = ({ host = 'localhost', publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>): boolean =>
  !isLoopback(host === '::1' ? '[::1]' : host) ||
  (publicUrl !== undefined && !isLoopback(URL.parse(publicUrl)?.hostname ?? ''));

/** A simulation is for this computer alone: patients of others must not live in another time. */
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

function readAccessTokenSeconds({ accessTokenTtl }: ServerOptions): number {
  if (accessTokenTtl === undefined) return accessTokenSeconds;
  const seconds = accessTokenTtl / 1000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= longestAccess) return seconds;
  throw new AppError('CONFIGURATION', {
    message: 'Access tokens live from 1 second to 24 hours, in whole seconds.',
    hint: 'Choose a length such as --access-token-ttl 30s.',
  });
}
