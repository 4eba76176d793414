/** `startServer` of `laudio/testing`: the whole server in this process, in memory, for test files. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.ts';
import type { Client, ClientOptions } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { MovedClock, ServerClock } from '../../src/contract/clock.ts';
import type { Fault, FaultInput, FaultStrike } from '../../src/contract/fault.ts';
import { rememberedCalls } from '../../src/contract/inspector.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import { refuseUnknown } from '../../src/client/library/options.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import type { EphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import { makeSetupCode } from '../../src/node/login/setup-code.ts';
import { logInTestClient } from '../../src/node/login/test-login.ts';
import { keptTokens } from '../../src/node/login/token-source.ts';
import { programVersion } from '../../src/node/program-version.ts';
import { simulatedClock } from '../../src/node/simulated-clock.ts';
import { builtInSpace, openTestSpace, testEnvironment } from '../../src/node/test-space.ts';
import type { TestClient } from '../../src/node/test-space.ts';
import { systemClock, waitingClock } from '../../src/node/clock.ts';
import { builtInTestClient, createServer } from '../index.ts';
import type { Mount, Server } from '../index.ts';
import { createEventLog } from './events.ts';
import type { TestEvents } from './events.ts';
import { createFixtures, defaultFixtureSeed } from './fixtures.ts';
import type { DrawnNumbers, FixtureOptions, Fixtures } from './fixtures.ts';
import { parseInstant, parseLength } from './parse-time.ts';

/** Options of the test server. All defaults suit tests. */
export interface TestServerOptions {
  /** Port on 127.0.0.1. Default: any free one. */
  readonly port?: number;
  /** Requests per minute and client. Default: no limit. */
  readonly rateLimit?: number;
  /** Whether the app is mounted at `/`, for browser tests. Default: false, which starts faster. */
  readonly app?: boolean;
  /**
   * A simulated time: `fixed:2026-03-02T09:00:00Z` stops until `server.clock` moves it, `offset:-3d` keeps running. Default:
   * the system time.
   */
  readonly clock?: string;
  /** Seed for ids and webhook secrets, which then repeat in every run. Default: random. */
  readonly seed?: string;
  /** Faults from the start, which also affect the test server's own logins. */
  readonly faults?: readonly FaultInput[];
  /** Lifetime of access tokens in ms. Default: an hour. */
  readonly accessTokenTtl?: number;
}

const optionNames = [
  'port',
  'rateLimit',
  'app',
  'clock',
  'seed',
  'faults',
  'accessTokenTtl',
] as const satisfies readonly (keyof TestServerOptions)[];

/** The most recent calls of the server, without content: texts appear as their sizes. */
export interface Requests {
  /** Newest first; `limit` defaults to 50. */
  list(wish?: {
    /** Only calls after the one with this number. */
    readonly after?: number;
    readonly limit?: number;
    readonly client_id?: string;
    readonly outcome?: 'allowed' | 'refused';
  }): InspectedCall[];
  /** A call with its redacted headers and bodies; `undefined`: the server no longer has it. */
  show(number: number): InspectedMessages | undefined;
  /** Calls the listener for each new call, until the returned function is called. */
  follow(listener: (call: InspectedCall) => void): () => void;
}

/** Rules for faults of test clients' calls, jobs and deliveries. */
export interface TestFaults {
  /** In order of precedence. */
  list(): Fault[];
  /** Adds all or none: `add({ path: '/api/v1/jobs', every: 3, status: 503 })`, `add({ profile: 'flaky' })`. VALIDATION_FAILED if one is invalid. */
  add(...faults: readonly FaultInput[]): Fault[];
  /** Removes and returns the fault of that name, or all faults of the profile. */
  remove(name: string): Fault[];
  clear(): Fault[];
  /** Strikes, oldest first. */
  log(): FaultStrike[];
}

/** The server's time. Only a simulated clock can be moved, and only forward. */
export interface TestClock {
  show(): ServerClock;
  /** Moves the clock forward by `2h`, `30min`, or ms; everything due is processed. INVALID_TRANSITION without `clock`. */
  advance(by: string | number): Promise<MovedClock>;
  /** Moves the clock forward to that instant. INVALID_TRANSITION without `clock`, or if it has passed. */
  set(at: string | Date): Promise<MovedClock>;
}

/** A saved state of the server. */
export interface TestSnapshot {
  /** Restores the data and logins, without the requests, the events and the faults since. The clock does not go back. */
  restore(): Promise<void>;
}

export interface TestServer extends AsyncDisposable {
  /** URL of the server. */
  readonly url: string;
  /** Credentials for an application under test that logs in by itself, with any grant. */
  readonly testClient: TestClient;
  /** Client that calls as the test physician, over HTTP. Errors are thrown at once, without retries. */
  readonly client: Client;
  /** An access token of the test physician. `scope`: fewer scopes, separated by spaces. */
  token(scope?: string): Promise<string>;
  /**
   * The environment for a program under test: `LAUDIO_SERVER`, `LAUDIO_TOKEN`, `LAUDIO_CLIENT_ID` and
   * `LAUDIO_CLIENT_SECRET`.
   */
  env(): Promise<Record<string, string>>;
  /** The events of the test client's space. */
  readonly events: TestEvents;
  /** Exams and reports in the test client's space, in English, seeded by the server's seed. */
  readonly given: Fixtures;
  /** Fixtures with another seed, or in another language. */
  fixtures(options: FixtureOptions): Fixtures;
  /** The operator's calls: clients, users, backup, seed. They count neither as requests nor against quotas. */
  readonly operator: Client;
  readonly requests: Requests;
  readonly faults: TestFaults;
  readonly clock: TestClock;
  /** Saves the current state, logins included; it can be restored any number of times. */
  snapshot(): Promise<TestSnapshot>;
  /**
   * Removes everything except the built-in test client: the state after the start, with its faults, and without requests and
   * events. The clock does not go back.
   */
  reset(): Promise<void>;
  /**
   * Starts a server for one of several concurrent tests: with the options of this one, except for those given here, on
   * another port and with other fixtures. It shares nothing with this server, and closes with it.
   */
  isolate(options?: TestServerOptions): Promise<TestServer>;
  /** Stops the server and discards its data. */
  close(): Promise<void>;
}

/** Cheap hashing for many logins: the secrets do not outlive the process. */
const cheapCosts = { N: 16, r: 8, p: 1 };

/**
 * Starts an in-memory server that listens on 127.0.0.1 and has the built-in test client. Several can run at once.
 *
 * ```ts
 * await using server = await startServer();
 * await server.client.worklists.ingest({ body: exam });
 * ```
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  refuseUnknown('startServer', options, optionNames);
  const { port = 0, rateLimit = 0, app = false, clock, ...simulated } = options;
  const time = clock === undefined ? {} : { clock: simulatedClock(clock) };
  const directory = app ? await makeEphemeralDirectory() : undefined;
  const http = createHttpTransport();
  try {
    const server = await createServer({
      version: programVersion(),
      store: { use: 'memory' },
      secretCosts: { password: cheapCosts, client: cheapCosts },
      port,
      rateLimit,
      ...time,
      ...simulated,
      ...(directory && { mount: await createAppMount(directory, http) }),
    });
    return createTestServer(server, http, { directory, options });
  } catch (error) {
    await http.close();
    await directory?.[Symbol.asyncDispose]();
    throw error;
  }
}

interface TestServerParts {
  readonly directory: EphemeralDirectory | undefined;
  readonly options: TestServerOptions;
}

function createTestServer(server: Server, http: HttpTransport, { directory, options }: TestServerParts): TestServer {
  const { url, inspector, faults, clock } = server;
  const { seed = defaultFixtureSeed } = options;
  const outside: ClientOptions = {
    transport: http.transport,
    server: url,
    clock: waitingClock,
    random: Math.random,
    uuid: randomUUID,
  };
  const inside: ClientOptions = { ...outside, transport: hideRequests(server.transport) };
  const operator = createClient({ ...inside, adminToken: async () => server.adminToken });
  const eventLog = createEventLog(server, { space: builtInSpace, clock: waitingClock });
  const logIn = (scope?: string) => logInTestClient(inside, builtInTestClient, scope);
  const tokens = keptTokens(waitingClock, () => logIn());
  /** Those of each fixtures, so that a test gets the same ones alone and among others. */
  const draws: DrawnNumbers[] = [];
  const fixtures = (wish: FixtureOptions = {}): Fixtures => {
    const drawn = { count: 0 };
    draws.push(drawn);
    return createFixtures(
      { client: createClient({ ...inside, ...tokens }), now: () => Date.parse(clock.show().now), drawn },
      { seed, ...wish },
    );
  };
  /** Calls that were undone: those after the number `from`, up to `to`. */
  let undone: readonly { readonly from: number; readonly to: number }[] = [];
  const lastCall = (): number => inspector.list({ limit: 1 })[0]?.number ?? 0;
  const undoCalls = (from: number): void => {
    undone = [...undone.filter((each) => each.from < from), { from, to: lastCall() }];
  };
  const isListed = ({ number, request_id: id }: InspectedCall): boolean =>
    id !== ownRequest && !undone.some(({ from, to }) => number > from && number <= to);
  const requests: Requests = {
    list: ({ limit = 50, ...wish } = {}) =>
      inspector
        .list({ ...wish, limit: rememberedCalls })
        .filter(isListed)
        .slice(0, limit),
    show: (number) => inspector.get(number),
    follow: (listener) => inspector.follow((call) => isListed(call) && listener(call)),
  };
  const isolated: Promise<TestServer>[] = [];
  let snapshots = 0;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    eventLog.close();
    for (const started of await Promise.allSettled(isolated))
      if (started.status === 'fulfilled') await started.value.close();
    await http.close();
    await server.close();
    await directory?.[Symbol.asyncDispose]();
  };

  return {
    url,
    testClient: builtInTestClient,
    client: createClient({ ...outside, retry: { limit: 0 }, ...tokens }),
    token: async (scope) => (await logIn(scope)).access_token,
    async env() {
      // Only clients of type server can log in by themselves, unlike the built-in one.
      const { testClient } = await openTestSpace(operator, { name: 'env', isolated: false });
      return testEnvironment(inside, testClient);
    },
    events: eventLog.events,
    given: fixtures(),
    fixtures,
    operator,
    requests,
    faults: {
      list: () => faults.list(),
      add: (...asked) => faults.add(...asked),
      remove: (name) => faults.remove(name),
      clear: () => faults.clear(),
      log: () => faults.log(),
    },
    clock: {
      show: () => clock.show(),
      advance: async (by) => clock.advance(parseLength(by)),
      set: async (at) => clock.set(parseInstant(at)),
    },
    async snapshot() {
      const name = `test-${++snapshots}`;
      await operator.maintenance.saveSnapshot({ params: { name } });
      const [call, event, kept] = [lastCall(), eventLog.count(), faults.list().map((fault) => fault.name)];
      const counts = draws.map(({ count }) => count);
      return {
        async restore() {
          for (const fault of faults.list()) if (!kept.includes(fault.name)) faults.remove(fault.name);
          await operator.maintenance.loadSnapshot({ params: { name } });
          undoCalls(call);
          eventLog.forget(event);
          draws.forEach((drawn, at) => (drawn.count = counts[at] ?? 0));
        },
      };
    },
    async reset() {
      faults.clear();
      await operator.maintenance.reset({ body: {} });
      if (options.faults) faults.add(...options.faults);
      undoCalls(0);
      eventLog.forget(0);
      for (const drawn of draws) drawn.count = 0;
    },
    async isolate(wish = {}) {
      if (closing) {
        throw new AppError('USAGE', {
          message: 'This test server is closed, so nothing would close a server that it isolates.',
          hint: 'Call isolate() before close().',
        });
      }
      // Fixtures differ between this server and all that it isolates: an exam that appears in another one is noticed.
      const started = startServer({ ...options, seed: `${seed} isolated ${isolated.length + 1}`, port: 0, ...wish });
      isolated.push(started);
      return started;
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** Request id of the test server's own calls, which are not listed. */
const ownRequest = 'laudio-testing';

const hideRequests =
  (transport: Transport): Transport =>
  (request) =>
    transport({ ...request, headers: { ...request.headers, 'x-request-id': ownRequest } });

/** A transport over the network. */
interface HttpTransport {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** Loads the HTTP client with the first call. */
function createHttpTransport(): HttpTransport {
  const load = async () =>
    (await import('../../src/node/http/http-call.ts')).createHttpCall({ timeout: 60_000, env: {} });
  let loading: ReturnType<typeof load> | undefined;
  let isClosed = false;
  return {
    async transport(request) {
      if (isClosed) throw new AppError('NETWORK', { message: 'The test server is closed.' });
      return (await (loading ??= load())).transport(request);
    },
    async close() {
      isClosed = true;
      await (await loading)?.close();
    },
  };
}

/** Mounts the app, with its files in the directory; `transport` is for other services. */
async function createAppMount(
  { path }: EphemeralDirectory,
  { transport }: Pick<HttpTransport, 'transport'>,
): Promise<Mount> {
  const { builtPage, mountWeb } = await import('../../desktop/web/index.ts');
  return mountWeb({
    directory: join(path, 'app'),
    page: builtPage,
    testClient: builtInTestClient,
    setupCode: makeSetupCode(),
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    log: () => {},
    transport,
    keychain: undefined,
  });
}
