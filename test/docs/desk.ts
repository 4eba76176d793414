/**
 * Somebody at a terminal who types what the documentation shows: a shell in a fresh home, with `laudio` in its PATH. In the clone
 * `laudio` hands its call to this process, so that a line costs a few milliseconds; an installed `laudio` runs as it is.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough, Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { run } from '../../cli/run.ts';
import { entry, samples } from '../support/cli.ts';

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
      const set = Object.entries({ ...variables, LAUDIO_TYPED_ALONE: '1' }).map(
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
          if (!isOver()) process.kill(pid, signal);
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

/** The `laudio` that hands its words, directory, environment and input to this process, and ends as the call ended there. */
const handOver = (calls: string): string => `#!/bin/sh
if [ -n "$LAUDIO_TYPED_ALONE" ]; then
  unset LAUDIO_TYPED_ALONE
  NODE_COMPILE_CACHE="${process.env['NODE_COMPILE_CACHE'] ?? ''}" exec "${process.execPath}" "${entry}" "$@"
fi
call=$(mktemp -d "${calls}/XXXXXX")
env -0 >"$call/env"
[ $# -eq 0 ] || printf '%s\\0' "$@" >"$call/words"
cat >"$call/stdin"
curl -s --unix-socket "${calls}/socket" "http://laudio/$(basename "$call")"
cat "$call/stdout"
cat "$call/stderr" >&2
exit "$(cat "$call/code")"
`;

/** Runs the calls that are handed over. */
async function takeCalls(calls: string): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    const call = join(calls, basename(request.url!));
    void runCall(call).finally(() => response.end());
  });
  server.listen(join(calls, 'socket'));
  await once(server, 'listening');
  return server;
}

async function runCall(call: string): Promise<void> {
  const list = async (name: string) =>
    (await readFile(join(call, name), 'utf8').catch(() => '')).split('\0').slice(0, -1);
  const words = await list('words');
  const env = Object.fromEntries(
    (await list('env')).map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );
  const columns = env['LAUDIO_TYPED_COLUMNS'];
  const terminal = columns === undefined ? {} : { isTTY: true, columns: Number(columns), rows: 40 };
  const stdout = sink();
  // At a terminal both appear in one place.
  const stderr = columns === undefined ? sink() : stdout;
  const stdin = new PassThrough();
  stdin.end(await readFile(join(call, 'stdin')));
  const code = await run(words, {
    stdin,
    stdout: Object.assign(stdout.stream, terminal),
    stderr: Object.assign(stderr.stream, terminal),
    // A terminal on which nothing moves.
    env: columns === undefined ? env : { ...env, CI: 'true' },
  });
  await writeFile(join(call, 'stdout'), stdout.bytes());
  await writeFile(join(call, 'stderr'), stderr === stdout ? '' : stderr.bytes());
  await writeFile(join(call, 'code'), String(code));
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
