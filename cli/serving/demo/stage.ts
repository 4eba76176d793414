/**
 * The environment of the demo: a temporary directory for all of Laudio's files, and a new process of this program for
 * each command, as if started from a terminal.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../src/contract/errors.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import { makeTemporaryDirectory } from '../../../src/node/files/ephemeral-directory.ts';
import type { Context } from '../../context.ts';
import { programEntry } from '../../shell/program-entry.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface Stage {
  /** Prints a heading for the next step. */
  scene(title: string): Promise<void>;
  /** Runs `laudio WORDS…`, shows the command line and its output, and fails if it fails. */
  run(...words: string[]): Promise<void>;
  /**
   * Runs a command without showing it, with `--json`, and returns its document: the demo gets ids this way that a
   * person would copy.
   */
  ask<T>(...words: string[]): Promise<T>;
  /** Starts `laudio WORDS…` and shows the command line; its output arrives line by line. */
  start(...words: string[]): Background;
  /** Prints data from a background command. */
  say(line: string): Promise<void>;
  /** Writes a file to the working directory of the commands; returns its name. */
  write(name: string, content: string): Promise<string>;
  /** Path of a sample file. */
  sample(name: string): string;
  /** Stops the running commands and removes the directory. */
  clear(): Promise<void>;
}

export interface Background {
  /** The command's stdout, until its end. Iterable once; leaving early keeps the command running. */
  readonly lines: AsyncIterable<string>;
  /** The command's stderr so far. */
  said(): string;
  /** Resolves once a line on its stderr contains the word. */
  heard(word: string): Promise<void>;
  /** Interrupts the command like Ctrl-C, and waits for its end. */
  stop(): Promise<void>;
}

/** The first line of the command's stdout. INTERNAL_ERROR if the command ended without a line. */
export async function firstLine({ lines, said }: Background): Promise<string> {
  for await (const line of lines) return line;
  throw new AppError('INTERNAL_ERROR', { message: `A command ended too early: ${said().trim()}` });
}

/** The directory with this program's samples, above the sources or above dist. */
function samplesRoot(): string {
  const root = [new URL('../../../', import.meta.url), new URL('../../../../', import.meta.url)]
    .map((url) => fileURLToPath(url))
    .find((directory) => existsSync(join(directory, 'samples')));
  if (root === undefined)
    throw new AppError('CONFIGURATION', { message: 'The samples of laudio are missing.', hint: 'Install it again.' });
  return root;
}

export async function startStage(context: Context, keep: boolean): Promise<Stage> {
  const [entry, root] = [programEntry(), samplesRoot()];
  const directory = await makeTemporaryDirectory('laudio-demo-');
  const env: NodeJS.ProcessEnv = {
    ...context.env,
    LAUDIO_CONFIG_DIR: join(directory, 'config'),
    LAUDIO_STATE_DIR: join(directory, 'state'),
    LAUDIO_DATA_DIR: join(directory, 'data'),
    // A demo's tokens don't belong in a person's keychain.
    LAUDIO_CREDENTIAL_STORE: 'file',
    // The commands' notices are for people, wherever the output goes.
    LAUDIO_OUTPUT: 'table',
    LAUDIO_COLOR: context.io.paint('x', 'good') === 'x' ? 'never' : 'always',
    COLUMNS: String(context.io.width),
  };
  for (const name of ['LAUDIO_TOKEN', 'LAUDIO_PROFILE', 'LAUDIO_SERVER', 'LAUDIO_CLIENT_ID', 'LAUDIO_CLIENT_SECRET'])
    delete env[name];
  const running = new Set<Command>();
  const { io, signal } = context;

  const launch = (words: readonly string[]): Command => {
    const child = spawn(process.execPath, [entry, ...words], {
      env,
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return child;
  };
  const show = (words: readonly string[]) =>
    io.out(`\n${io.paint('$', 'faint')} ${io.paint(`laudio ${words.map(shown).join(' ')}`, 'strong')}\n`);
  /** As a person in the project's directory would type it. */
  const shown = (word: string): string => {
    const plain = word.startsWith(root) ? join('samples', basename(word)) : word;
    return /^[\w./:=@-]+$/.test(plain) ? plain : `"${plain}"`;
  };
  const finish = async (words: readonly string[]): Promise<{ out: string; err: string }> => {
    if (signal.aborted) throw new AppError('INTERRUPTED');
    const child = launch(words);
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
    if (code !== 0) {
      throw new AppError('INTERNAL_ERROR', {
        message: `laudio ${words.map(shown).join(' ')} ended with ${code}: ${err.trim()}`,
      });
    }
    return { out, err };
  };

  return {
    scene: (title) => io.out(`\n${io.paint(`── ${title} ${'─'.repeat(Math.max(0, 70 - title.length))}`, 'good')}\n`),
    async run(...words) {
      await show(words);
      const { out, err } = await finish(words);
      await io.out(out);
      const notices = err.trim();
      if (notices !== '') await io.out(`${io.paint(notices, 'faint')}\n`);
    },
    ask: async (...words) => JSON.parse((await finish([...words, '--json'])).out) as never,
    start(...words) {
      void show(words);
      return background(launch(words), elementAt(words, 0));
    },
    say: (line) => io.out(`${line}\n`),
    async write(name, content) {
      await writeFile(join(directory, name), content);
      return name;
    },
    sample: (name) => join(root, 'samples', name),
    async clear() {
      await Promise.all([...running].map((child) => stop(child)));
      if (keep) io.notice(`Kept ${directory}.`);
      else await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A process that runs a command and is heard. */
type Command = ChildProcessByStdio<null, Readable, Readable>;

const ended = (child: Command): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });

async function stop(child: Command): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = ended(child);
  child.kill('SIGTERM');
  await over;
}

function background(child: Command, name: string): Background {
  // Starts reading at once: lines printed before the first iteration would be lost.
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let said = '';
  const listeners = createListeners();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    listeners.notify();
  });
  child.once('close', () => listeners.notify());
  return {
    lines: { [Symbol.asyncIterator]: () => iterator },
    said: () => said,
    heard: (word) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isOver = child.exitCode !== null;
          if (!said.includes(word) && !isOver) return;
          forget();
          if (said.includes(word)) resolve();
          else reject(new AppError('INTERNAL_ERROR', { message: `laudio ${name} ended too early: ${said.trim()}` }));
        };
        const forget = listeners.add(look);
        look();
      }),
    stop: () => stop(child),
  };
}
