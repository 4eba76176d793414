/** The app beside a server in memory, as a window of Electron has it and as a browser has it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Bridge } from '../../desktop/bridge/bridge.ts';
import type { EventName } from '../../desktop/bridge/events.ts';
import type { App } from '../../desktop/app/page/app.ts';
import { createHost } from '../../desktop/app/host.ts';
import type { Host, HostDeps } from '../../desktop/app/host.ts';
import { createLocalServer } from '../../desktop/app/device/local-server.ts';
import type { Visit } from '../../desktop/app/device/visit.ts';
import { mountWeb } from '../../desktop/web/index.ts';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { Server, ServerOptions } from '../../server/index.ts';
import { createSealing } from '../../server/storage/sealing/sealing.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { Client } from '../../src/client/client.ts';
import { createClient } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/node/clock.ts';
import { logInTestClient } from '../../src/node/login/test-login.ts';
import { cheapSecrets } from './cheap-secrets.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { examFields } from './api.ts';

export interface Logged {
  readonly level: string;
  readonly event: string;
}

/** Calls to services elsewhere go nowhere. */
const nowhere: Transport = async () => {
  throw new AppError('NETWORK');
};

export const machine = (logged: Logged[] = [], transport: Transport = nowhere) => ({
  clock: systemClock,
  random: Math.random,
  uuid: randomUUID,
  log: (entry: Logged) => void logged.push(entry),
  transport,
  keychain: undefined,
});

/** A cord between the app and its server, which can be cut. */
export interface Network {
  readonly transport: Transport;
  isUp: boolean;
}

/** A cord to the server, whole at first. */
export function networkTo(server: Pick<Server, 'transport'>): Network {
  const network: Network = {
    isUp: true,
    transport: async (request) => {
      if (!network.isUp) throw new AppError('NETWORK');
      const answer = await server.transport(request);
      return { ...answer, body: whileUp(answer.body) };
    },
  };
  async function* whileUp(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      if (!network.isUp) throw new AppError('NETWORK');
      yield chunk;
    }
  }
  return network;
}

export interface Workplace {
  readonly server: Server;
  readonly directory: string;
  readonly logged: Logged[];
  readonly network: Network;
  readonly host: Host;
  /** What it keeps is encrypted. */
  readonly sealing: Sealing;
  visit(visit?: Partial<Visit>): App;
  /** The app is gone without a word, and comes back. */
  restart(): Promise<Workplace>;
  close(): Promise<void>;
}

export async function startWorkplace(
  former?: Pick<Workplace, 'server' | 'directory' | 'network' | 'sealing'>,
): Promise<Workplace> {
  const server =
    former?.server ??
    (await createServer({
      version: '0.0.0-test',
      store: { use: 'memory' },
      rateLimit: 0,
      secretCosts: cheapSecrets,
      lexicon: false,
    }));
  const directory = former?.directory ?? (await temporaryDirectory());
  const network = former?.network ?? networkTo(server);
  const logged: Logged[] = [];
  const sealing = former?.sealing ?? createSealing(randomBytes(32));
  const deps: Omit<HostDeps, 'local' | 'models'> = { ...machine(logged), directory, sealing };
  const local = createLocalServer({
    ...deps,
    transport: network.transport,
    dial: server.dial,
    adminToken: server.adminToken,
    adopt: () => undefined,
    testClient: builtInTestClient,
    setupCode: undefined,
  });
  const host = await createHost({ ...deps, local, models: undefined });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= host.close());
  onTestFinished(async () => {
    await close();
    if (!former) await server.close();
  });
  return {
    server,
    directory,
    logged,
    network,
    host,
    sealing,
    close,
    visit: (visit) =>
      host.app({
        session: 'window',
        nextSession: 'window',
        origin: 'http://localhost',
        keep: () => undefined,
        ...visit,
      }),
    async restart() {
      await close();
      return startWorkplace({ server, directory, network, sealing });
    },
  };
}

/** The app as a page has it, with nothing in between. */
export const bridgeTo = (app: App): Bridge => ({
  call: (name, input, bytes, _signal, desk) => app.call(name, input, bytes && new Uint8Array(bytes), desk) as never,
  on: (name, listener) =>
    app.on((event) => {
      if (event.name === (name as EventName)) listener(event.data as never);
    }),
  onGap: () => () => undefined,
  address: (file) => file,
});

/** A file as a page hands it over. */
export const fileOf = (content: string | Uint8Array): ArrayBuffer => new Uint8Array(Buffer.from(content)).buffer;

/** Another application with access to the same test patients, such as a RIS. */
export async function outsider(server: Pick<Server, 'transport'>): Promise<Client> {
  const http = {
    transport: server.transport,
    server: 'http://localhost',
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
  };
  const { access_token } = await logInTestClient(http, builtInTestClient);
  return createClient({ ...http, token: async () => access_token });
}

/** Ingests one exam of a test patient and gives its id. */
export async function sendExam(ris: Client, fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { data } = await ris.worklists.ingest({ body: { ...examFields(fields) } });
  return data.items[0]?.id ?? '';
}

/** A page that stands for the built one. */
export async function emptyPage(): Promise<string> {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'assets'));
  await writeFile(join(directory, 'index.html'), '<!doctype html><title>Laudio</title>');
  await writeFile(join(directory, 'assets', 'main-1.js'), 'export {};');
  return directory;
}

/** In the terminal of the servers of the tests. */
export const setupCode = '4F7K9-2QDXM';

export interface WebServer {
  readonly server: Server;
  readonly directory: string;
  readonly logged: Logged[];
  close(): Promise<void>;
}

/** A server that listens and has the app on `/`. */
export async function startWebServer(
  options: {
    directory?: string;
    dataDir?: string;
    port?: number;
    page?: string;
    transport?: Transport;
    publicUrl?: string;
    testClient?: boolean;
    provider?: ServerOptions['provider'];
  } = {},
): Promise<WebServer> {
  const directory = options.directory ?? (await temporaryDirectory());
  const logged: Logged[] = [];
  const page = options.page ?? (await emptyPage());
  const server = await createServer({
    version: '0.0.0-test',
    ...(options.dataDir === undefined ? { store: { use: 'memory' } } : { dataDir: options.dataDir }),
    rateLimit: 0,
    port: options.port ?? 0,
    secretCosts: cheapSecrets,
    lexicon: false,
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    provider: options.provider,
    mount: mountWeb({
      ...machine(logged, options.transport),
      directory,
      page,
      testClient: options.testClient === false ? undefined : builtInTestClient,
      setupCode,
    }),
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= server.close());
  onTestFinished(close);
  return { server, directory, logged, close };
}
