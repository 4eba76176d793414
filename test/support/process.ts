/** A program as its user sees it: what it was given, what it wrote, how it ended. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment; default: that of the tests. */
  readonly env?: NodeJS.ProcessEnv;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it to its end, with nothing on stdin. */
export async function run(program: string, args: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** What a server wrote to standard error, without its remarks that a busy machine held its loop. */
export const withoutHeldLoops = (stderr: string): string => stderr.replaceAll(/^.*"event":"loop_held".*\n?/gm, '');

/** Runs npm. Throws with npm's own words when it fails. */
export async function npm(args: readonly string[], options: ProcessOptions): Promise<string> {
  const script = npmScript();
  const [program, before] = script ? [process.execPath, [script]] : ['npm', []];
  const { code, stdout, stderr } = await run(program, [...before, ...args], options);
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

/** The npm that runs the tests; on Windows, where `npm` is a script of the shell, the one that came with Node. */
function npmScript(): string | undefined {
  const running = process.env['npm_execpath'];
  if (running?.endsWith('.js')) return running;
  return process.platform === 'win32'
    ? join(dirname(process.execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js')
    : undefined;
}

/** What `laudio serve --json` says first. */
export interface Ready {
  readonly event: 'ready';
  readonly url: string;
  readonly pid: number;
  readonly data_dir: string;
  readonly test_client: { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string };
}

export interface Serving extends AsyncDisposable {
  readonly ready: Ready;
  /** As an operator does: SIGTERM, then its exit code. */
  stop(): Promise<number | null>;
}

/** Starts a server by its command line (program, arguments) and waits for its first line. */
export async function startServing(
  program: string,
  args: readonly string[],
  options: ProcessOptions = {},
): Promise<Serving> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const notices = text(child.stderr);
  const stop = () => stopped(child, ended);
  try {
    const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const died = ended.then(async ([code]) => {
      throw new Error(`the server ended with ${code} before it was ready: ${await notices}`);
    });
    died.catch(() => undefined);
    const [line] = await Promise.race([first, died]);
    return { ready: JSON.parse(line) as Ready, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopped(child: ChildProcess, ended: Promise<[number | null]>): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const [code] = await ended;
  return code;
}
