/** All options of a server, with descriptions and defaults. */
import type { Viewer } from '../src/contract/viewer.ts';
import type { FaultInput } from '../src/contract/fault.ts';
import { isLoopback, normaliseServer } from '../src/client/address.ts';
import { AppError } from '../src/contract/errors.ts';
import { accessTokenSeconds } from '../src/contract/oauth.ts';
import type { Choice } from '../src/domain/choice.ts';
import { isMovable } from '../src/domain/clock.ts';
import type { Clock } from '../src/domain/clock.ts';
import { systemClock } from '../src/node/clock.ts';
import { chooseProvider } from './auth/provider/provider-options.ts';
import type { ChosenProvider, ProviderOptions } from './auth/provider/provider-options.ts';
import type { AlarmChoice } from './delivery/channels/alarms/alarm-choice.ts';
import { defaultWriteLimits } from './http/plugins/stalled-writes.ts';
import type { WriteLimits } from './http/plugins/stalled-writes.ts';
import type { Mount } from './mount.ts';
import type { BackupPlan } from './operations/backups/backups.ts';
import type { Retention } from './operations/maintenance/retention.ts';
import type { Log } from './runtime/log.ts';
import { launchNode } from './runtime/processes/node-process.ts';
import type { LaunchProcess } from './runtime/processes/own-process.ts';
import { secretCosts } from './runtime/secrets.ts';
import type { SecretCosts } from './runtime/secrets.ts';
import type { ModelManagerOptions } from './speech/registry.ts';
import { memoryOfMachine } from './storage/ceiling.ts';
import type { KeyOptions } from './storage/data-directory/encryption.ts';
import type { OtherHub } from './viewers/workplace-hub.ts';

export interface ServerOptions {
  readonly version: string;
  /** The document store; default: `lowdb`, which needs `dataDir`. */
  readonly store?: Choice;
  /** The audio store; default: the one that matches the document store, `files` for `lowdb`. */
  readonly blobs?: Choice;
  /** The data directory, which the server locks. */
  readonly dataDir?: string;
  /**
   * Whether to encrypt the data directory from now on, and the source of its key. Default: a plain directory stays plain, and an
   * encrypted one cannot be opened.
   */
  readonly key?: KeyOptions;
  /** The address to listen on; default: 127.0.0.1. */
  readonly host?: string;
  /** The port; 0 chooses a free one. Without a port the server does not listen: only `inject` and `transport` reach it. */
  readonly port?: number;
  /** Memory in bytes for the program and the stored documents; default: that of the machine or container. */
  readonly memory?: number | undefined;
  /** Maximum of requests per minute and client; default 100, 0: no limit. */
  readonly rateLimit?: number;
  /** Host names by which other computers reach the server, without port. */
  readonly allowedHosts?: readonly string[];
  /** URL for browsers if a proxy terminates TLS: `https://laudio.example.com`. */
  readonly publicUrl?: string;
  /** Addresses and ranges of trusted proxies; the server ignores `X-Forwarded-For` from any other address. */
  readonly trustedProxies?: readonly string[];
  /** The viewers of images. */
  readonly viewers?: readonly Viewer[];
  /** The hub of another system at which the app follows the viewer; default: that of this server. */
  readonly hub?: OtherHub | undefined;
  /** Origins of viewers whose pages may call the hub: `https://viewer.example`. */
  readonly viewerOrigins?: readonly string[];
  /** Letterheads: the name of each institution as in exams, and the lines below it. Default: only the name. */
  readonly letterheads?: readonly (readonly string[])[];
  /** Time zone of exam times without an offset, such as `America/Sao_Paulo`. Default: that of this computer. */
  readonly timeZone?: string | undefined;
  /** Private addresses other than loopback that webhooks may use. */
  readonly webhookTargets?: readonly string[];
  /** How the operator is alerted about silent or stuck channels and unclaimed reports; default: only by the log. */
  readonly alarm?: AlarmChoice;
  /** Whether the built-in test client exists. Default: only if no other computer can reach the server. */
  readonly testClient?: boolean;
  /** The cost of hashing secrets. Default: the recommended cost; tests hash many secrets and set a lower cost. */
  readonly secretCosts?: SecretCosts;
  /** How long finished documents are kept, in ms. Default: forever. */
  readonly retention?: Retention;
  /** Backups by schedule; default: none. */
  readonly backups?: BackupPlan | undefined;
  /** The recogniser for all clients except test clients; `none`: audio waits as jobs. Default: an installed model, else `none`. */
  readonly recogniser?: Choice;
  /** Whether test clients use the same recogniser as all others, instead of the simulation. Default: false. */
  readonly testReal?: boolean;
  /** Maximum of queued dictations that the recogniser gets at once, from 1; default: as many as it supports. */
  readonly hearing?: number | undefined;
  /** Maximum of waiting audio in bytes, half of it per client. Default: 10 GiB. */
  readonly waitingAudio?: number | undefined;
  /** The writer of reports; default: `rules`. */
  readonly writer?: Choice;
  /** Whether dictations are searched for misheard words, by dictionaries of 30 to 50 MB a language. Default: true. */
  readonly lexicon?: boolean;
  /** Default: the system clock. A movable clock (src/domain/movable-clock.ts) simulates a time. */
  readonly clock?: Clock;
  /**
   * Seed for ids, webhook secrets and retry jitter, so that the same calls at the same simulated time give the same answers; never
   * for tokens, codes, client secrets or keys. Only for servers that other computers cannot reach. Default: random.
   */
  readonly seed?: string;
  /** Lifetime of access tokens in ms: whole seconds from 1 s to a day. Default: an hour. */
  readonly accessTokenTtl?: number;
  /** How long a client may take to send its headers, in ms; default 15,000. */
  readonly headersTimeout?: number;
  /** How long a request may take to arrive, in ms, but for the backups and seeds of operators; default 600,000. */
  readonly requestTimeout?: number;
  /** How long a client may leave an answer unread, in ms; default 40,000, and 300,000 for files and event streams. */
  readonly writeLimits?: WriteLimits;
  /** Receives log entries; default: they are discarded. */
  readonly log?: Log;
  /** Receives an entry per call; default: calls are not logged. */
  readonly callLog?: Log;
  /** Whether both logs have the addresses of callers; default: they have none. */
  readonly logAddresses?: boolean;
  /** Token that allows monitoring to read `/metrics`; default: only the operator may. */
  readonly monitorToken?: string;
  /** The operator's token, the same in every process of a server; default: a new one at each start. */
  readonly operatorToken?: string;
  /** URL at which the other processes of the same server reach this one: `http://10.0.0.7:8443`. Default: they don't. */
  readonly memberUrl?: string;
  /** Starts the processes of engines; default: Node processes. */
  readonly launch?: LaunchProcess;
  /** Code by which the operator's browser identifies itself; default: no browser has access to the operator's pages. */
  readonly setupCode?: string;
  /** Who else logs people and operators in, by OpenID Connect; default: nobody. */
  readonly provider?: ProviderOptions | undefined;
  /** Rules for simulated faults from the start, for tests. VALIDATION_FAILED if one is invalid. */
  readonly faults?: readonly FaultInput[];
  /** How the app offers speech models; default: those of the catalogue, to install but not to use. */
  readonly models?: ModelManagerOptions;
  /** Mounts an app at `/`, next to the API; default: a page that describes the server. */
  readonly mount?: Mount;
}

export const defaultStore: Choice = { use: 'lowdb' };

/** Options without an entry have no default. */
const defaults = {
  store: () => defaultStore,
  writer: () => ({ use: 'rules' }),
  lexicon: () => true,
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
  viewers: () => [],
  viewerOrigins: () => [],
  headersTimeout: () => 15_000,
  requestTimeout: () => 600_000,
  writeLimits: () => defaultWriteLimits,
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
export type ChosenOptions = Omit<ServerOptions, DefaultName | 'provider'> & {
  readonly [K in DefaultName]: NonNullable<ServerOptions[K]>;
} & {
  readonly isShared: boolean;
  readonly provider: ChosenProvider | undefined;
  /** Lifetime of access tokens in seconds. */
  readonly accessTokenSeconds: number;
};

/** AppError CONFIGURATION if options are invalid or contradict each other. */
export function readOptions(options: ServerOptions): ChosenOptions {
  checkSimulation(options);
  checkMemberUrl(options);
  const chosen = Object.entries(defaults).map(([name, byDefault]) => [
    name,
    options[name as DefaultName] ?? byDefault(options),
  ]);
  return {
    ...options,
    ...Object.fromEntries(chosen),
    isShared: isShared(options),
    provider: options.provider && chooseProvider(options.provider),
    accessTokenSeconds: readAccessTokenSeconds(options),
  } as ChosenOptions;
}

/** Whether other computers can reach the server. */
export const isShared = ({ host = 'localhost', publicUrl }: Pick<ServerOptions, 'host' | 'publicUrl'>): boolean =>
  !isLoopback(host === '::1' ? '[::1]' : host) ||
  (publicUrl !== undefined && !isLoopback(URL.parse(publicUrl)?.hostname ?? ''));

/** Simulations are only for this computer: other people's patients must not get simulated times. */
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

function checkMemberUrl({ memberUrl, operatorToken }: ServerOptions): void {
  if (memberUrl === undefined) return;
  if (operatorToken === undefined)
    throw new AppError('CONFIGURATION', {
      message:
        'Processes of a server recognise each other by the operator’s token: --member-url needs --operator-token-file.',
      hint: 'Give each process the same file.',
    });
  try {
    normaliseServer(memberUrl);
  } catch (cause) {
    throw new AppError('CONFIGURATION', {
      message: 'The address of --member-url must look like http://10.0.0.7:8443.',
      hint: 'Give the address at which the other processes reach this one.',
      cause,
    });
  }
}

const maxAccessSeconds = 24 * 3600;

function readAccessTokenSeconds({ accessTokenTtl }: ServerOptions): number {
  if (accessTokenTtl === undefined) return accessTokenSeconds;
  const seconds = accessTokenTtl / 1000;
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= maxAccessSeconds) return seconds;
  throw new AppError('CONFIGURATION', {
    message: 'Access tokens can last from 1 second to 24 hours, in whole seconds.',
    hint: 'Choose a length such as --access-token-ttl 30s.',
  });
}
