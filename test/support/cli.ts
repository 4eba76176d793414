/** `laudio` as a person has it, in a home of its own: its own process, or none where the process is not what is tested. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { run as runWords } from '../../cli/run.ts';
import type { Ended, Ready } from './process.ts';
import { runSignalled } from './signalled-run.ts';

export const entry = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
export const samples = fileURLToPath(new URL('../../samples/', import.meta.url));

export interface CallOptions {
  /** What is on stdin; nothing by default. */
  readonly input?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** In `call`: stdout and stderr are a terminal of so many columns. */
  readonly columns?: number;
  /** In `call`: whoever read stdout has closed it. */
  readonly isClosed?: boolean;
}

/** A command that runs. */
export interface Running {
  /** What it prints on stdout up to the first line's end. */
  firstLine(): Promise<string>;
  /** Resolves when its stdout or stderr holds the words; rejects when it ends without. */
  heard(words: string): Promise<void>;
  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
  readonly ended: Promise<Ended>;
}

/** One that has a process of its own. */
export interface RunningProcess extends Running {
  readonly pid: number;
}

export interface Cli {
  /** The home: an empty directory at first. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Everything that any command wrote. */
  readonly written: string[];
  start(words: readonly string[], options?: CallOptions): RunningProcess;
  /** Does what `start` does, without a process of its own: SIGINT, SIGTERM and SIGHUP reach this command alone. */
  startHere(words: readonly string[], options?: CallOptions): Running;
  run(words: readonly string[], options?: CallOptions): Promise<Ended>;
  /** Does what `run` does, without a process of its own where that is possible. */
  call(words: readonly string[], options?: CallOptions): Promise<Ended>;
  /** Calls it with `--json`; throws where it fails. */
  json<T>(words: readonly string[], options?: CallOptions): Promise<T>;
  /** Starts `laudio serve` on a free port and gives its first line. */
  serve(...words: string[]): Promise<{ ready: Ready; server: RunningProcess }>;
  /** Does what `serve` does, without a process of its own. */
  serveHere(...words: string[]): Promise<{ ready: Ready; server: Running }>;
  /** Ends what still runs and removes the home. */
  close(): Promise<void>;
}

export async function createCli(env: NodeJS.ProcessEnv = {}): Promise<Cli> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'laudio-test-')));
  const own = { ...ownEnvironment(directory), ...compiled, ...env };
  const children = new Set<ChildProcess>();
  const here = new Set<Running>();
  const written: string[] = [];
  const start: Cli['start'] = (words, options = {}) => {
    const child = spawn(process.execPath, [entry, ...words], {
      cwd: options.cwd ?? directory,
      env: { ...own, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('close', () => children.delete(child));
    child.stdin.on('error', () => undefined).end(options.input);
    const running = observe(
      {
        stdout: child.stdout,
        stderr: child.stderr,
        ended: once(child, 'close').then(([code]) => code as number | null),
        signal: (signal) => void child.kill(signal),
      },
      written,
    );
    return { ...running, pid: child.pid! };
  };
  const run: Cli['run'] = (words, options) => start(words, options).ended;
  const call: Cli['call'] = async (words, options = {}) => {
    // Node itself goes by some variables, once, when a process starts.
    const leave = Object.keys({ ...env, ...options.env }).some((name) => name.startsWith('NODE_'))
      ? undefined
      : enter(options.cwd ?? directory);
    if (leave === undefined) return run(words, options);
    const stdout = createSink(written, options);
    const stderr = createSink(written, { ...options, isClosed: false });
    const stdin = new PassThrough();
    stdin.end(options.input);
    try {
      const code = await runWords(words, { stdin, stdout, stderr, env: { ...own, ...options.env } });
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      leave();
    }
  };
  const startHere: Cli['startHere'] = (words, options = {}) => {
    const leave = enter(options.cwd ?? directory);
    if (leave === undefined) throw new Error('A command from another directory runs here.');
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end(options.input);
    const { code, signal } = runSignalled(words, { stdin, stdout, stderr, env: { ...own, ...options.env } });
    const over = code.finally(() => {
      stdout.end();
      stderr.end();
    });
    // What it prints first it says once it has found everything.
    stdout.once('data', leave);
    const running = observe(
      {
        stdout,
        stderr,
        ended: Promise.all([over, finished(stdout), finished(stderr)]).then(([ended]) => ended),
        signal,
      },
      written,
    );
    here.add(running);
    void running.ended.then(() => {
      here.delete(running);
      leave();
    });
    return running;
  };
  return {
    directory,
    env: own,
    written,
    start,
    startHere,
    run,
    call,
    async json<T>(words: readonly string[], options?: CallOptions) {
      const { code, stdout, stderr } = await call([...words, '--json'], options);
      if (code !== 0) throw new Error(`laudio ${words.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async serve(...words) {
      const server = start(['serve', '--port', '0', '--json', ...words]);
      return { ready: JSON.parse(await server.firstLine()) as Ready, server };
    },
    async serveHere(...words) {
      const server = startHere(['serve', '--port', '0', '--json', ...words]);
      return { ready: JSON.parse(await server.firstLine()) as Ready, server };
    },
    async close() {
      await Promise.all([
        ...Array.from(here, (running) => running.end('SIGTERM')),
        ...Array.from(children, (child) => stop(child)),
      ]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The same with a server that limits nobody, at which the person is logged in as the test client. */
export async function createServedCli(): Promise<Cli> {
  const cli = await createCli();
  await cli.serveHere('--rate-limit', '0');
  await cli.json(['login']);
  return cli;
}

const project = process.cwd();
let calls = 0;

/**
 * Makes it the directory of this process until the function returned is called; `undefined` while a call from another
 * directory is under way, since a process has but one.
 */
function enter(directory: string): (() => void) | undefined {
  if (calls > 0 && process.cwd() !== directory) return undefined;
  calls += 1;
  process.chdir(directory);
  // As in the environment of a process of its own.
  process.env['TZ'] = 'UTC';
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    calls -= 1;
    if (calls === 0) process.chdir(project);
  };
}

/** Keeps what is written to it, and notes it in `written` as well. */
function createSink(
  written: string[],
  { columns, isClosed = false }: Pick<CallOptions, 'columns' | 'isClosed'> = {},
): Writable & { text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isClosed) return done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      chunks.push(chunk);
      written.push(chunk.toString());
      done();
    },
  });
  const ignore = (): boolean => true;
  const cursor = { cursorTo: ignore, moveCursor: ignore, clearLine: ignore };
  const terminal = columns === undefined ? {} : { isTTY: true, columns, rows: 24, ...cursor };
  return Object.assign(stream, { ...terminal, text: () => Buffer.concat(chunks).toString() });
}

/** What a process of an earlier home has compiled: to do it again takes longer than most commands. */
const compiled = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/** The tests' environment without what Laudio or its output go by. */
export function ownEnvironment(home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LAUDIO_|XDG_|VITEST|NODE_|FORCE_COLOR|NO_COLOR|CI$|TERM$|COLUMNS$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    USERPROFILE: home,
    TZ: 'UTC',
    TERM: 'xterm-256color',
    LAUDIO_CONFIG_DIR: join(home, 'config'),
    LAUDIO_STATE_DIR: join(home, 'state'),
    LAUDIO_DATA_DIR: join(home, 'data'),
    LAUDIO_CREDENTIAL_STORE: 'file',
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const over = once(child, 'close');
  child.kill('SIGKILL');
  await over;
}

interface Observed {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code, when all is read. */
  readonly ended: Promise<number | null>;
  readonly signal: (signal: NodeJS.Signals) => void;
}

function observe({ stdout: out, stderr: err, ended: over, signal }: Observed, written: string[]): Running {
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  out.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    written.push(text);
    for (const listener of listeners) listener();
  });
  err.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    written.push(text);
    for (const listener of listeners) listener();
  });
  const ended = over.then((code) => ({ code, stdout, stderr }));
  const until = (isSaid: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!isSaid()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then(({ code }) => reject(new Error(`It ended too early, with ${code}: ${stderr}`)));
    });
  return {
    ended,
    async firstLine() {
      await until(() => stdout.includes('\n'));
      return stdout.slice(0, stdout.indexOf('\n'));
    },
    heard: (words) => until(() => stdout.includes(words) || stderr.includes(words)),
    signal,
    end: (name) => {
      signal(name);
      return ended;
    },
  };
}
