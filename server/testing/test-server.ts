/** `startServer` of `laudio/testing`: the whole server in this process, in memory, for a file of tests. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.ts';
import type { Client, ClientOptions } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { MovedClock, ServerClock } from '../../src/contract/clock.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Fault, FaultInput, FaultStrike } from '../../src/contract/fault.ts';
import { rememberedCalls } from '../../src/contract/inspector.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import { parseClockInstant, clockStepForm, parseClockStep } from '../../src/domain/clock-choice.ts';
import { refuseUnknown } from '../../src/client/library/options.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import type { EphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import { logInTestClient } from '../../src/node/login/test-login.ts';
import { keptTokens } from '../../src/node/login/token-source.ts';
import { programVersion } from '../../src/node/program-version.ts';
import { simulatedClock } from '../../src/node/simulated-clock.ts';
import { openTestSpace, testEnvironment } from '../../src/node/test-space.ts';
import type { TestClient } from '../../src/node/test-space.ts';
import { waitingClock } from '../../src/node/waiting-clock.ts';
import { builtInTestClient, createServer } from '../index.ts';
import type { Mount, Server } from '../index.ts';

/** How the server is to be. Everything has a default that suits tests. */
export interface TestServerOptions {
  /** Port on 127.0.0.1. Default: any free one. */
  readonly port?: number;
  /** Requests a minute and client. Default: no limit. */
  readonly rateLimit?: number;
  /** Whether the app is on `/`, for tests in a browser. Default: false, which starts faster. */
  readonly app?: boolean;
  /**
   * A simulated time: `fixed:2026-03-02T09:00:00Z` stands until `server.clock` moves it, `offset:-3d` goes on from there. Default: the
   * time of the machine.
   */
  readonly clock?: string;
  /** A text of which ids and secrets of webhooks are made, so that they repeat in every run. Default: they do not. */
  readonly seed?: string;
  /** What goes wrong from the start on, the test server's own logins included. */
  readonly faults?: readonly FaultInput[];
  /** How long access tokens live, in ms. Default: an hour. */
  readonly accessTokenTtl?: number;
}

const known = [
  'port',
  'rateLimit',
  'app',
  'clock',
  'seed',
  'faults',
  'accessTokenTtl',
] as const satisfies readonly (keyof TestServerOptions)[];

/** A test client and what it sees: exams, documents, jobs and webhooks of its space, and no other's. */
export interface TestSpace {
  /** Address of the server. */
  readonly url: string;
  /** For an application under test that logs in by itself, with whatever grant. */
  readonly testClient: TestClient;
  /** Calls in the name of the test physician, over HTTP. An error is thrown at once: nothing is repeated. */
  readonly client: Client;
  /** An access token in the name of the test physician. `scope`: fewer scopes, separated by spaces. */
  token(scope?: string): Promise<string>;
  /**
   * The environment for a program under test: `LAUDIO_SERVER`, `LAUDIO_TOKEN`, `LAUDIO_CLIENT_ID` and
   * `LAUDIO_CLIENT_SECRET`.
   */
  env(): Promise<Record<string, string>>;
}

/** A space that nobody else sees. Its end removes all that it holds. */
export interface IsolatedSpace extends TestSpace, AsyncDisposable {
  /** Makes calls, jobs and deliveries of this space go wrong, and of no other. Gives the names of the faults. */
  addFaults(...faults: readonly FaultInput[]): Promise<string[]>;
  close(): Promise<void>;
}

/** What reached the server lately, without what was said in it: texts appear as their sizes. */
export interface Requests {
  /** The newest first; 50 unless `limit` says otherwise. */
  list(wish?: {
    /** Only calls after the one with this number. */
    readonly after?: number;
    readonly limit?: number;
    readonly client_id?: string;
    readonly outcome?: 'allowed' | 'refused';
  }): InspectedCall[];
  /** A call with its headers and bodies, redacted; `undefined` where the server does not remember it. */
  show(number: number): InspectedMessages | undefined;
  /** Tells of each call from now on, until the function that is returned is called. */
  follow(listener: (call: InspectedCall) => void): () => void;
}

/** The rules by which calls, jobs and deliveries of test clients go wrong. */
export interface TestFaults {
  /** In the order in which they apply. */
  list(): Fault[];
  /** Adds all or none: `add({ path: '/api/v1/jobs', every: 3, status: 503 })`, `add({ profile: 'flaky' })`. VALIDATION_FAILED with what is wrong. */
  add(...faults: readonly FaultInput[]): Fault[];
  /** Removes the fault, or the faults of the profile, of that name, and gives them. */
  remove(name: string): Fault[];
  clear(): Fault[];
  /** What was struck, the oldest first. */
  log(): FaultStrike[];
}

/** The time of the server. Only one that simulates a time can be moved, and only forward. */
export interface TestClock {
  show(): ServerClock;
  /** Moves forward by `2h`, `30min`, or so many ms; all that is due on the way is done. INVALID_TRANSITION without `clock`. */
  advance(by: string | number): Promise<MovedClock>;
  /** Moves forward to that instant. INVALID_TRANSITION without `clock`, or where it has passed. */
  set(at: string | Date): Promise<MovedClock>;
}

/** A state of the server. */
export interface TestSnapshot {
  /** Makes everything as it was. */
  restore(): Promise<void>;
}

export interface TestServer extends TestSpace, AsyncDisposable {
  /** The calls of the operator: clients, users, backup, seed. They are among no requests and no quota. */
  readonly operator: Client;
  readonly requests: Requests;
  readonly faults: TestFaults;
  readonly clock: TestClock;
  /** Keeps the present state, logins included, to go back to it as often as a test likes. */
  snapshot(): Promise<TestSnapshot>;
  /** Removes everything but the built-in test client: the server is as after its start. */
  reset(): Promise<void>;
  /** Opens a space for tests that run at the same time as others. */
  isolate(name?: string): Promise<IsolatedSpace>;
  /** Ends the server, and all that it holds. */
  close(): Promise<void>;
}

/** So cheap that a test may have as many logins as it likes: all the secrets end with the process. */
const cheap = { N: 16, r: 8, p: 1 };

/**
 * Starts a server in memory, which listens on 127.0.0.1 and has the built-in test client. Several may run at once.
 *
 * ```ts
 * await using server = await startServer();
 * await server.client.worklists.ingest({ body: exam });
 * ```
 */
export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  refuseUnknown('startServer', options, known);
  const { port = 0, rateLimit = 0, app = false, clock, ...simulated } = options;
  const time = clock === undefined ? {} : { clock: simulatedClock(clock) };
  const directory = app ? await makeEphemeralDirectory() : undefined;
  const http = overHttp();
  try {
    const server = await createServer({
      version: programVersion(),
      store: { use: 'memory' },
      secretCosts: { password: cheap, client: cheap },
      port,
      rateLimit,
      ...time,
      ...simulated,
      ...(directory && { mount: await appIn(directory, http) }),
    });
    return testServerOf(server, http, directory);
  } catch (error) {
    await http.close();
    await directory?.[Symbol.asyncDispose]();
    throw error;
  }
}

function testServerOf(server: Server, http: OverHttp, directory: EphemeralDirectory | undefined): TestServer {
  const { url, inspector, faults, clock } = server;
  const outside: ClientOptions = {
    transport: http.transport,
    server: url,
    clock: waitingClock,
    random: Math.random,
    uuid: randomUUID,
  };
  const inside: ClientOptions = { ...outside, transport: unlisted(server.transport) };
  const operator = createClient({ ...inside, adminToken: async () => server.adminToken });
  const spaceOf = (testClient: TestClient, clientOfEnv: () => Promise<TestClient>): TestSpace => {
    const logIn = (scope?: string) => logInTestClient(inside, testClient, scope);
    return {
      url,
      testClient,
      client: createClient({ ...outside, retry: { limit: 0 }, ...keptTokens(waitingClock, () => logIn()) }),
      token: async (scope) => (await logIn(scope)).access_token,
      env: async () => testEnvironment(inside, await clientOfEnv()),
    };
  };
  let snapshots = 0;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await http.close();
    await server.close();
    await directory?.[Symbol.asyncDispose]();
  };

  return {
    // Only a client of type server logs in by itself, and the built-in one is none.
    ...spaceOf(
      builtInTestClient,
      async () => (await openTestSpace(operator, { name: 'env', isolated: false })).testClient,
    ),
    operator,
    requests: {
      list: ({ limit = 50, ...wish } = {}) =>
        inspector
          .list({ ...wish, limit: rememberedCalls })
          .filter(isListed)
          .slice(0, limit),
      show: (number) => inspector.get(number),
      follow: (listener) => inspector.follow((call) => isListed(call) && listener(call)),
    },
    faults: {
      list: () => faults.list(),
      add: (...asked) => faults.add(...asked),
      remove: (name) => faults.remove(name),
      clear: () => faults.clear(),
      log: () => faults.log(),
    },
    clock: {
      show: () => clock.show(),
      advance: async (by) => clock.advance(stepOf(by)),
      set: async (at) => clock.set(instantIn(at)),
    },
    async snapshot() {
      const name = `test-${++snapshots}`;
      await operator.maintenance.saveSnapshot({ params: { name } });
      return { restore: async () => void (await operator.maintenance.loadSnapshot({ params: { name } })) };
    },
    async reset() {
      await operator.maintenance.reset({ body: {} });
    },
    async isolate(name = 'isolated') {
      const space = await openTestSpace(operator, { name, isolated: true });
      let ending: Promise<void> | undefined;
      const end = () => (ending ??= space.close());
      return {
        ...spaceOf(space.testClient, async () => space.testClient),
        addFaults: (...asked) => space.addFaults(asked),
        close: end,
        [Symbol.asyncDispose]: end,
      };
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** In ms. USAGE for what is no length of time. */
function stepOf(by: string | number): number {
  const ms = typeof by === 'number' ? by : parseClockStep(by);
  if (ms !== undefined) return ms;
  throw new AppError('USAGE', { message: `${by} is no length of time.`, hint: `Use ${clockStepForm}.` });
}

/** In ms since 1970. USAGE for what is no instant. */
function instantIn(at: string | Date): number {
  const ms = typeof at === 'string' ? parseClockInstant(at) : at.getTime();
  if (ms !== undefined) return ms;
  throw new AppError('USAGE', {
    message: `${String(at)} is no instant.`,
    hint: 'Use one with its offset, such as 2026-03-02T09:00:00Z.',
  });
}

/** The id of requests that the test server makes for itself: only those of the application under test are of interest. */
const ownRequest = 'laudio-testing';

const unlisted =
  (transport: Transport): Transport =>
  (request) =>
    transport({ ...request, headers: { ...request.headers, 'x-request-id': ownRequest } });

const isListed = ({ request_id: id }: InspectedCall): boolean => id !== ownRequest;

/** Calls that go over the network as any other does. */
interface OverHttp {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** What makes the calls is loaded by the first one. */
function overHttp(): OverHttp {
  const load = async () =>
    (await import('../../src/node/http/http-call.ts')).createHttpCall({ timeout: 60_000, env: {} });
  let loading: ReturnType<typeof load> | undefined;
  return {
    transport: async (request) => (await (loading ??= load())).transport(request),
    close: async () => (await loading)?.close(),
  };
}

/** The app, with its files in the directory; `transport` takes it to other services. */
async function appIn({ path }: EphemeralDirectory, { transport }: Pick<OverHttp, 'transport'>): Promise<Mount> {
  const [{ builtPage, mountWeb }, { makeSetupCode }, { systemClock }] = await Promise.all([
    import('../../desktop/web/index.ts'),
    import('../../src/node/login/setup-code.ts'),
    import('../../src/node/clock.ts'),
  ]);
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
