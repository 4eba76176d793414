/**
 * Somebody at a terminal who types what the documentation shows: a shell in a fresh home, with `laudio` in its PATH. In the clone
 * `laudio` hands its call to this process, so that a line costs a few milliseconds; an installed `laudio` runs as it is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { run } from '../../cli/run.ts';
import { samples } from '../support/cli.ts';
import { runSignalled } from '../support/signalled-run.ts';

export interface Typed {
  readonly code: number;
  /** stdout and stderr, as they appear one after the other. */
  readonly output: string;
}

/** A command that runs until somebody ends it. */
export interface Started {
  /** What it wrote so far. */
  output(): Promise<string>;
  readonly isOver: () => boolean;
  /** Ends it as Ctrl-C does, or by another signal, and gives its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Desk extends AsyncDisposable {
  /** The directory in which the lines are typed. */
  readonly directory: string;
  /** Whether laudio can be made to take its output for a terminal. */
  readonly hasTerminal: boolean;
  /** Types a statement of the shell and waits for its end. `atTerminal`: laudio takes its output for a terminal of 120 columns. */
  type(statement: string, atTerminal?: boolean): Promise<Typed>;
  /** Starts a statement in another terminal, where `variables` are set besides. */
  start(statement: string, variables?: Readonly<Record<string, string>>): Promise<Started>;
}

/** `installed`: path of a program to type for `laudio`; otherwise that of the sources. */
export async function openDesk(installed?: string): Promise<Desk> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'laudio-typed-')));
  const directory = join(home, 'here');
  const programs = join(home, 'programs');
  const calls = join(home, 'calls');
  for (const folder of [directory, programs, calls]) await mkdir(folder);
  await cp(samples, join(directory, 'samples'), { recursive: true });
  const program = join(programs, 'laudio');
  await writeFile(program, installed === undefined ? handOver(calls) : `#!/bin/sh\nexec "${installed}" "$@"\n`);
  await chmod(program, 0o755);
  const server = installed === undefined ? await takeCalls(calls) : undefined;

  const env = environment(home, programs);
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: directory,
    env,
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
  });
  const answers = createInterface({ input: shell.stdio[3] as Readable })[Symbol.asyncIterator]();
  const ask = async (text: string): Promise<string> => {
    shell.stdin!.write(`${text}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`the shell ended at: ${text}`);
    return value as string;
  };
  // In a process there is one directory, and one time zone.
  const before = process.cwd();
  process.chdir(directory);
  process.env['TZ'] = 'UTC';
  const started = new Set<Started>();
  let count = 0;

  return {
    directory,
    hasTerminal: installed === undefined,
    async type(statement, atTerminal = false) {
      const out = join(home, 'out');
      const terminal = atTerminal
        ? 'LAUDIO_TYPED_COLUMNS=120; export LAUDIO_TYPED_COLUMNS'
        : 'unset LAUDIO_TYPED_COLUMNS';
      const code = await ask(`${terminal}\n{ ${statement}\n} >"${out}" 2>&1 </dev/null\nprintf '%s\\n' "$?" >&3`);
      return { code: Number(code), output: await readFile(out, 'utf8') };
    },
    async start(statement, variables = {}) {
      count += 1;
      const out = join(home, `out-${count}`);
      const number = String(count);
      const set = Object.entries({ ...variables, LAUDIO_TYPED_START: number }).map(
        ([name, value]) => `${name}="${value}"`,
      );
      // In the place of its shell, so that a signal reaches the program.
      const replaced = statement.replace(/ &$/, '').replace(/^((?:[A-Z_]+=(?:\$\([^)]*\)|"[^"]*"|\S)+ )*)/, '$1exec ');
      const begun = `( export ${set.join(' ')}; ${replaced} ) >"${out}" 2>&1 </dev/null 3>&- &`;
      const pid = Number(await ask(`${begun}\nprintf '%s\\n' "$!" >&3`));
      const isOver = () => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      };
      const command: Started = {
        output: () => readFile(out, 'utf8').catch(() => ''),
        isOver,
        async end(signal = 'SIGINT') {
          started.delete(command);
          if (!isOver()) (server?.signalOf(number) ?? ((name) => process.kill(pid, name)))(signal);
          return Number(await ask(`wait ${pid}; printf '%s\\n' "$?" >&3`));
        },
      };
      started.add(command);
      return command;
    },
    async [Symbol.asyncDispose]() {
      for (const command of started) await command.end('SIGTERM');
      shell.stdin!.end();
      await once(shell, 'close');
      server?.close();
      process.chdir(before);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** What the tests' environment has of Laudio, of Node and of the terminal stays out. */
function environment(home: string, programs: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(LAUDIO_|XDG_|VITEST|NODE_|npm_|FORCE_COLOR|NO_COLOR|CI$|TERM$|COLUMNS$)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: [programs, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: home,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    NO_COLOR: '1',
    // A keychain is a matter of the machine.
    LAUDIO_CREDENTIAL_STORE: 'file',
    // The home of this process is another: where its places are is said besides.
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
  };
}

/**
 * The `laudio` that hands its words, directory, environment and input to this process, and ends as the call ended there.
 * What is started is heard while it runs.
 */
const handOver = (calls: string): string => `#!/bin/sh
call=$(mktemp -d "${calls}/XXXXXX")
env -0 >"$call/env"
[ $# -eq 0 ] || printf '%s\\0' "$@" >"$call/words"
cat >"$call/stdin"
address="http://laudio/\${call##*/}"
if [ -n "$LAUDIO_TYPED_START" ]; then
  curl -sN --unix-socket "${calls}/socket" "$address/stderr" >&2 &
  curl -sN --unix-socket "${calls}/socket" "$address/start"
  wait
else
  curl -s --unix-socket "${calls}/socket" "$address"
  cat "$call/stdout"
  cat "$call/stderr" >&2
fi
read -r code <"$call/code"
exit "$code"
`;

interface Calls {
  /** Sends a signal to what was started with that number, where it has begun. */
  signalOf(number: string): ((signal: NodeJS.Signals) => void) | undefined;
  close(): void;
}

/** Runs the calls that are handed over. */
async function takeCalls(calls: string): Promise<Calls> {
  const started = new Map<string, (signal: NodeJS.Signals) => void>();
  const complaints = new Map<string, PassThrough>();
  /** The stderr of a call that was started; whoever comes first makes it. */
  const complaintsOf = (name: string): PassThrough => {
    const stream = complaints.get(name) ?? new PassThrough();
    complaints.set(name, stream);
    return stream;
  };
  const server = createServer((request, response) => {
    const [, name = '', part] = request.url!.split('/');
    const call = join(calls, name);
    if (part === 'stderr') complaintsOf(name).pipe(response);
    else if (part === 'start') void startCall(call, response, complaintsOf(name), started);
    else void runCall(call).finally(() => response.end());
  });
  server.listen(join(calls, 'socket'));
  await once(server, 'listening');
  return { signalOf: (number) => started.get(number), close: () => server.close() };
}

async function startCall(
  call: string,
  stdout: Writable,
  stderr: Writable,
  started: Map<string, (signal: NodeJS.Signals) => void>,
): Promise<void> {
  const { words, env, stdin } = await readCall(call);
  const { LAUDIO_TYPED_START: number, ...others } = env;
  const { code, signal } = runSignalled(words, { stdin, stdout, stderr, env: others });
  started.set(number!, signal);
  await writeFile(join(call, 'code'), `${await code}\n`);
  stdout.end();
  stderr.end();
}

/** What was typed, and where. */
async function readCall(call: string) {
  const list = async (name: string) =>
    (await readFile(join(call, name), 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const stdin = new PassThrough();
  stdin.end(await readFile(join(call, 'stdin')));
  const env: NodeJS.ProcessEnv = Object.fromEntries(
    (await list('env')).map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
  return { words: await list('words'), env, stdin };
}

async function runCall(call: string): Promise<void> {
  const { words, env, stdin } = await readCall(call);
  const columns = env['LAUDIO_TYPED_COLUMNS'];
  const terminal = columns === undefined ? {} : { isTTY: true, columns: Number(columns), rows: 40 };
  const stdout = sink();
  // At a terminal both appear in one place.
  const stderr = columns === undefined ? sink() : stdout;
  const code = await run(words, {
    stdin,
    stdout: Object.assign(stdout.stream, terminal),
    stderr: Object.assign(stderr.stream, terminal),
    // A terminal on which nothing moves.
    env: columns === undefined ? env : { ...env, CI: 'true' },
  });
  await writeFile(join(call, 'stdout'), stdout.bytes());
  await writeFile(join(call, 'stderr'), stderr === stdout ? '' : stderr.bytes());
  await writeFile(join(call, 'code'), `${code}\n`);
}

function sink(): { stream: Writable; bytes(): Buffer } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}
