/** A service, a recorder before it and a replay of what was recorded, each at an address of its own. */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { Server } from '../../server/index.ts';
import { createRecorder, createReplay } from '../../server/qa/recording/index.ts';
import { createClient } from '../../src/client/client.ts';
import type { Client } from '../../src/client/client.ts';
import type { Har } from '../../src/client/har.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import { logIn } from '../../src/node/login/oauth-login.ts';
import { cheapSecrets } from './cheap-secrets.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** The embedded server in memory, listening. */
export async function startService(): Promise<Server> {
  const server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    rateLimit: 0,
    port: 0,
    secretCosts: cheapSecrets,
    lexicon: false,
  });
  onTestFinished(() => server.close());
  return server;
}

/** A service that answers as it is told. */
export async function startStub(answer: RequestListener): Promise<string> {
  const server = createHttpServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Recording {
  readonly url: string;
  readonly file: string;
  /** What the file has now. */
  har(): Promise<Har>;
  text(): Promise<string>;
  close(): Promise<void>;
  readonly troubles: unknown[];
}

export async function record(upstream: string): Promise<Recording> {
  const file = join(await temporaryDirectory(), 'out.har');
  const troubles: unknown[] = [];
  const { url, close } = await createRecorder({
    file,
    replaces: false,
    upstream,
    port: 0,
    version: '0.0.0-test',
    clock: systemClock,
    env: {},
    onTrouble: (error) => troubles.push(error),
  });
  let isOpen = true;
  const closeOnce = async (): Promise<void> => {
    if (isOpen) await close();
    isOpen = false;
  };
  onTestFinished(closeOnce);
  const text = () => readFile(file, 'utf8');
  return { url, file, text, har: async () => JSON.parse(await text()) as Har, close: closeOnce, troubles };
}

export async function replay(file: string, timing = false) {
  const running = await createReplay({ file, port: 0, clock: systemClock, timing });
  onTestFinished(() => running.close());
  return running;
}

/** A test client that is logged in at that address. */
export async function clientAt(server: string): Promise<Client> {
  const { transport, close } = createHttpCall({ timeout: 10_000, env: {} });
  onTestFinished(close);
  const options = { transport, server, clock: systemClock, random: Math.random, uuid: randomUUID };
  const { access_token: token } = await logIn({
    http: options,
    client: { client_id: builtInTestClient.client_id, client_secret: builtInTestClient.client_secret },
    scope: allScopes.join(' '),
    userAgent: { kind: 'http' },
    notify: () => undefined,
  });
  return createClient({ ...options, token: async () => token, retry: { limit: 0 } });
}
