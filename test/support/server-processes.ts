/** Processes of one server, `laudio serve` as an operator starts it, over one PostgreSQL; and a client that goes to any of them. */
import { writeFile } from 'node:fs/promises';
import type { Choice } from '../../src/domain/choice.ts';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { databaseName } from './postgres.ts';
import type { Postgres } from './postgres.ts';
import { startServing } from './process.ts';
import type { Serving } from './process.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { testToken } from './test-token.ts';

const program = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
export const operatorToken = 'operator-token-of-the-tests';

export interface ServerProcess {
  readonly url: string;
  /** Ends it as a crash does, then starts it again at the same address. */
  restart(): Promise<void>;
  /** Stops it as an operator does, then starts it again at the same address. Resolves to its exit code. */
  update(): Promise<number | null>;
  stop(): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
}

export interface Answer {
  readonly status: number;
  readonly url: string;
  readonly replayed: boolean;
  readonly retryAfter: string | null;
  readonly body: { readonly data?: unknown; readonly error?: { readonly code: string } };
}

export interface Ask {
  readonly method?: string;
  /** Bytes are sound; anything else is sent as JSON. */
  readonly body?: unknown;
  readonly key?: string;
  /** Default: the test client's. */
  readonly token?: string;
  /** Which process is asked first; default: any. */
  readonly first?: number;
  /** Gets each answer after which the next process is asked. */
  readonly onBusy?: (answer: Answer) => void;
}

export interface ServerProcesses extends AsyncDisposable {
  readonly processes: readonly ServerProcess[];
  /** The test client's token. */
  readonly token: string;
  /** Asks one process after the other until one answers, other than by 503 and `REQUEST_IN_PROGRESS`. */
  ask(path: string, ask?: Ask): Promise<Answer>;
}

interface ServerProcessOptions {
  /** Where they keep audio; default: each in its memory. */
  readonly blobs?: Choice;
  /** How far the clock of each computer is ahead; default: all are right. */
  readonly minutesAhead?: readonly number[];
  /** The program of each; default: this one. */
  readonly programs?: readonly string[];
}

/** A module that Node loads first, after which the clock of the process is another one. */
const shiftClock = (minutes: number): string => {
  const script = `const Own = Date; globalThis.Date = class extends Own {
    constructor(...given) { given.length > 0 ? super(...given) : super(Own.now() + ${minutes} * 60000); }
    static now() { return Own.now() + ${minutes} * 60000; }
  };`;
  return `--import=data:text/javascript,${encodeURIComponent(script)}`;
};

export async function startServerProcesses(
  count: number,
  postgres: Postgres,
  { blobs = { use: 'memory' }, minutesAhead = [], programs = [] }: ServerProcessOptions = {},
): Promise<ServerProcesses> {
  const home = await temporaryDirectory();
  const tokenFile = join(home, 'operator');
  await writeFile(tokenFile, operatorToken);
  const store = `postgres://${databaseName}@localhost:${postgres.port}/${databaseName}?host=${postgres.socket}`;
  const start = async (nth: number, port: number) => {
    const options = [
      '--port',
      port,
      '--member-url',
      `http://127.0.0.1:${port}`,
      '--data-dir',
      join(home, `data-${nth}`),
    ];
    const shared = ['--store', store, '--blobs', blobs.use, '--operator-token-file', tokenFile, '--rate-limit', '0'];
    return startServing(
      process.execPath,
      [programs[nth] ?? program, 'serve', '--json', ...options.map(String), ...shared],
      {
        env: {
          ...process.env,
          HOME: home,
          XDG_CONFIG_HOME: home,
          XDG_STATE_HOME: join(home, `state-${nth}`),
          ...(minutesAhead[nth] !== undefined && { NODE_OPTIONS: shiftClock(minutesAhead[nth]) }),
          ...(blobs.key !== undefined && { LAUDIO_BLOBS_KEY: blobs.key }),
        },
      },
    );
  };
  const open = async (nth: number) => {
    const port = await freePort();
    let serving: Serving = await start(nth, port);
    const signal = (name: NodeJS.Signals): void => void process.kill(serving.ready.pid, name);
    return {
      ready: serving.ready,
      url: serving.ready.url,
      signal,
      stop: () => serving.stop(),
      async update() {
        const code = await serving.stop();
        serving = await start(nth, port);
        return code;
      },
      async restart() {
        signal('SIGKILL');
        await serving.stop();
        serving = await start(nth, port);
      },
    };
  };
  // The first one makes the tables.
  const first = await open(0);
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, nth) => open(nth + 1)));
  const processes = [first, ...others];
  const token = await testToken(first.ready);

  const askAt = async (url: string, path: string, { method = 'GET', body, key, token: other }: Ask) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${other ?? token}`,
        ...(body !== undefined && {
          'content-type': body instanceof Uint8Array ? 'application/octet-stream' : 'application/json',
        }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const parsed = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {};
    const replayed = response.headers.get('idempotency-replayed') === 'true';
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, url, replayed, retryAfter, body: parsed };
  };
  return {
    processes,
    token,
    async ask(path, ask = {}) {
      let at = ask.first ?? Math.floor(Math.random() * processes.length);
      for (;;) {
        const { url } = processes[at++ % processes.length] ?? first;
        const answer = await askAt(url, path, ask).catch(() => undefined);
        const isBusy = answer?.status === 503 || answer?.body.error?.code === 'REQUEST_IN_PROGRESS';
        if (answer && !isBusy) return answer;
        if (answer) ask.onBusy?.(answer);
        await wait(50);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        processes.map(async (each) => {
          each.signal('SIGCONT');
          await each.stop();
        }),
      );
    },
  };
}
