/** Opens the app of this device and the embedded server in one process. Independent of Electron. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { ServerOptions } from '../../server/index.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { Keychain } from '../../src/node/login/keychain.ts';
import { loggedInPage, loginFailedPage } from '../../src/node/login/login-page.ts';
import { announceServer } from '../../src/node/running-server.ts';
import { ensurePrivateDirectory } from '../../src/node/files/private-file.ts';
import type { App } from '../app/page/app.ts';
import { appKey } from '../app/device/app-key.ts';
import { failureOf } from '../app/page/failure.ts';
import { createHost } from '../app/host.ts';
import type { Host } from '../app/host.ts';
import { createLocalServer } from '../app/device/local-server.ts';
import { isAnswerTo } from '../app/device/logins.ts';
import type { PendingLogin } from '../app/device/visit.ts';
import type { Log } from '../app/service.ts';
import type { Insertion, Updates } from '../app/device/visit.ts';
import { web } from '../bridge/carriers.ts';

export interface AppOptions {
  readonly version: string;
  /** Data directory of the embedded server, which contains the app's own directory. */
  readonly dataDirectory: string;
  /** State directory of this computer, which lists running servers. */
  readonly stateDirectory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** `undefined`: the person opted out; then neither tokens nor data are encrypted. */
  readonly keychain: Keychain | undefined;
  /** The passphrase of a data directory that was encrypted with one. */
  readonly passphrase: string | undefined;
  /**
   * Parts of the embedded server: engines, their processes and models, and stores. The server chooses those that are
   * omitted.
   */
  readonly parts: Pick<ServerOptions, 'recogniser' | 'writer' | 'store' | 'blobs' | 'launch' | 'models'>;
  /** Opens a login page in the person's browser. */
  readonly openBrowser: (url: string) => Promise<void>;
  /** Called when the browser has returned and the person is logged in. */
  readonly onLoggedIn: () => void;
  readonly updates: Updates;
  readonly insertion: Insertion;
}

export interface OpenedApp {
  /** The app for the window. */
  readonly app: App;
  /** Address of the embedded server. */
  readonly url: string;
  readonly isEncrypted: boolean;
  /** Resolves when everything is on disk and the data directory is released. */
  close(): Promise<void>;
}

/** The window has one session, whoever is logged in. No other page can use it. */
const session = 'window';
/** Milliseconds without an answer after which a service counts as silent. */
const patience = 30_000;

export async function openApp(options: AppOptions): Promise<OpenedApp> {
  const { clock, log, dataDirectory } = options;
  // A browser at this server uses the same directory: work started in one is offered in the other.
  const directory = join(dataDirectory, 'app');
  const http = createHttpCall({ timeout: patience });
  const machine = { clock, log, random: Math.random, uuid: randomUUID, directory };
  let host: Host | undefined;
  const begun = createBegunLogins();
  const server = await createServer({
    version: options.version,
    dataDir: dataDirectory,
    key: appKey({ ...options, inWindow: true }),
    ...options.parts,
    port: 0,
    clock,
    log,
    async mount({ fastify, transport, dial, adminToken, sealing, models, adopt }) {
      await ensurePrivateDirectory(directory);
      const local = createLocalServer({
        ...machine,
        sealing,
        transport,
        dial,
        adminToken,
        adopt,
        testClient: builtInTestClient,
        // The person at the window, the only page, is the operator.
        setupCode: undefined,
      });
      const opened = (host = await createHost({
        fillsTestList: true,
        ...machine,
        sealing,
        transport: http.transport,
        keychain: options.keychain,
        local,
        models,
      }));
      receiveLogins(fastify, opened, begun, options.onLoggedIn);
      return { close: () => opened.close() };
    },
  }).catch(async (error: unknown) => {
    await http.close();
    throw error;
  });
  const running = {
    url: server.url,
    pid: process.pid,
    data_dir: dataDirectory,
    admin_token: server.adminToken,
    started_at: new Date(clock.now()).toISOString(),
    test_client: builtInTestClient,
  };
  // Lets the command line on this computer find this server.
  const withdraw = await announceServer(running, {
    stateDirectory: options.stateDirectory,
    clock,
    onTrouble: () => log({ level: 'warn', event: 'server_not_announced' }),
  });
  const close = async (): Promise<void> => {
    await withdraw();
    await server.close();
    await http.close();
  };
  if (!host) throw new Error('the app was not mounted');
  // Not awaited, so that the window opens at the same time.
  void host.resume();
  return {
    app: host.app({
      session,
      nextSession: session,
      origin: server.url,
      open: options.openBrowser,
      keep: begun.add,
      updates: options.updates,
      insertion: options.insertion,
    }),
    url: server.url,
    isEncrypted: server.encryptedBy !== undefined,
    close,
  };
}

interface BegunLogins {
  readonly add: (login: PendingLogin) => void;
  /** Returns the login that this redirect answers; each login is answered once. */
  take(query: URLSearchParams): PendingLogin | undefined;
}

/** A person who presses the button twice can still log in on the first page. */
const maxPending = 10;

/** Only the window starts logins. */
function createBegunLogins(): BegunLogins {
  let begun: readonly PendingLogin[] = [];
  return {
    add: (login) => void (begun = [...begun, login].slice(-maxPending)),
    take(query) {
      const answered = begun.find((login) => isAnswerTo(login, query));
      begun = begun.filter((login) => login !== answered);
      return answered;
    },
  };
}

/**
 * The address at which the browser completes a login (RFC 8252 7.3). Only the person's browser knows the state of the
 * login.
 */
function receiveLogins(fastify: FastifyInstance, host: Host, begun: BegunLogins, onLoggedIn: () => void): void {
  fastify.get(web.callback, async (request, reply) => {
    const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '');
    const page = await host.comeBack(query, begun.take(query)).then(loggedInPage, (error: unknown) => {
      const { message } = failureOf(error);
      return loginFailedPage(message);
    });
    if (page.status === 200) onLoggedIn();
    return reply
      .code(page.status)
      .headers({
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}
