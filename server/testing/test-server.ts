/** `startServer` of `laudio/testing`: the whole server in this process, in memory, for a file of tests. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '../../src/client/client.ts';
import type { Client, ClientOptions } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { rememberedCalls } from '../../src/contract/inspector.ts';
import type { InspectedCall, InspectedMessages } from '../../src/contract/inspector.ts';
import { refuseUnknown } from '../../src/library/options.ts';
import { makeEphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import type { EphemeralDirectory } from '../../src/node/files/ephemeral-directory.ts';
import { logInTestClient } from '../../src/node/login/test-login.ts';
import { keptTokens } from '../../src/node/login/token-source.ts';
import { programVersion } from '../../src/node/program-version.ts';
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
}

const known = ['port', 'rateLimit', 'app'] as const satisfies readonly (keyof TestServerOptions)[];

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

export interface TestServer extends TestSpace, AsyncDisposable {
  /** The calls of the operator: clients, users, backup, seed. They are among no requests and no quota. */
  readonly operator: Client;
  readonly requests: Requests;
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
  const { port = 0, rateLimit = 0, app = false } = options;
  const directory = app ? await makeEphemeralDirectory() : undefined;
  try {
    const server = await createServer({
      version: programVersion(),
      store: { use: 'memory' },
      secretCosts: { password: cheap, client: cheap },
      port,
      rateLimit,
      ...(directory && { mount: await appIn(directory) }),
    });
    return testServerOf(server, directory);
  } catch (error) {
    await directory?.[Symbol.asyncDispose]();
    throw error;
  }
}

function testServerOf(server: Server, directory: EphemeralDirectory | undefined): TestServer {
  const { url, inspector } = server;
  const http = overHttp(url);
  const inside: ClientOptions = { ...http.options, transport: unlisted(server.transport) };
  const operator = createClient({ ...inside, adminToken: async () => server.adminToken });
  const spaceOf = (testClient: TestClient, clientOfEnv: () => Promise<TestClient>): TestSpace => {
    const logIn = (scope?: string) => logInTestClient(inside, testClient, scope);
    return {
      url,
      testClient,
      client: createClient({ ...http.options, retry: { limit: 0 }, ...keptTokens(waitingClock, () => logIn()) }),
      token: async (scope) => (await logIn(scope)).access_token,
      env: async () => testEnvironment(inside, await clientOfEnv()),
    };
  };
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
    async reset() {
      await operator.maintenance.reset({ body: {} });
    },
    async isolate(name = 'isolated') {
      const space = await openTestSpace(operator, { name, isolated: true });
      let ending: Promise<void> | undefined;
      const end = () => (ending ??= space.close());
      return {
        ...spaceOf(space.testClient, async () => space.testClient),
        close: end,
        [Symbol.asyncDispose]: end,
      };
    },
    close: () => (closing ??= close()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}

/** The id of requests that the test server makes for itself: only those of the application under test are of interest. */
const ownRequest = 'laudio-testing';

const unlisted =
  (transport: Transport): Transport =>
  (request) =>
    transport({ ...request, headers: { ...request.headers, 'x-request-id': ownRequest } });

const isListed = ({ request_id: id }: InspectedCall): boolean => id !== ownRequest;

/** Options of clients that go over the network as any other does; what makes the calls is loaded by the first one. */
function overHttp(url: string): { readonly options: ClientOptions; close(): Promise<void> } {
  const load = async () =>
    (await import('../../src/node/http/http-call.ts')).createHttpCall({ timeout: 60_000, env: {} });
  let loading: ReturnType<typeof load> | undefined;
  const transport: Transport = async (request) => (await (loading ??= load())).transport(request);
  return {
    options: { transport, server: url, clock: waitingClock, random: Math.random, uuid: randomUUID },
    close: async () => (await loading)?.close(),
  };
}

/** The app, with its files in the directory. */
async function appIn({ path }: EphemeralDirectory): Promise<Mount> {
  const [{ builtPage, mountWeb }, { makeSetupCode }, { systemClock }, { createHttpCall }] = await Promise.all([
    import('../../desktop/web/index.ts'),
    import('../../src/node/login/setup-code.ts'),
    import('../../src/node/clock.ts'),
    import('../../src/node/http/http-call.ts'),
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
    transport: async (request) => createHttpCall({ timeout: 60_000 }).transport(request),
    keychain: undefined,
  });
}
