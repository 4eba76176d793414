/**
 * Backups kept by a command of the operator's: `put NAME` reads one from its standard input, `get NAME` writes it to its standard
 * output, `list` writes a name per line, `remove NAME` forgets one. A status other than 0 is a failure.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { startShellCommand } from '../../runtime/processes/shell-command.ts';
import type { ShellCommand } from '../../runtime/processes/shell-command.ts';
import type { RemoteFiles } from './remote-target.ts';

class CommandError extends Error {
  /** `EXIT_3`, or the signal that ended the command. */
  readonly code: string;

  constructor([status, signal]: CommandEnd) {
    super('The command of --backup-to failed.');
    this.code = status === null ? (signal ?? 'EXIT') : `EXIT_${status}`;
  }
}

type CommandEnd = readonly [status: number | null, signal: NodeJS.Signals | null];

export function createCommandFiles(command: string): RemoteFiles {
  const running = new Set<ShellCommand>();

  function begin(words: string, input: 'pipe' | 'ignore', signal?: AbortSignal) {
    const started = startShellCommand(`${command} ${words}`, [input, 'pipe', 'ignore']);
    const { child, kill } = started;
    running.add(started);
    signal?.addEventListener('abort', kill, { once: true });
    const ended = once(child, 'exit') as Promise<unknown> as Promise<CommandEnd>;
    // `finish` reports a command that could not be started.
    ended.catch(() => undefined);
    return {
      stdin: child.stdin,
      stdout: child.stdout ?? Readable.from([]),
      async finish(): Promise<void> {
        const end = await ended;
        signal?.throwIfAborted();
        if (end[0] !== 0) throw new CommandError(end);
      },
      release(): void {
        kill();
        signal?.removeEventListener('abort', kill);
        running.delete(started);
      },
    };
  }

  return {
    // The rest of the command line may hold a secret.
    place: `command:${command.split(/\s/)[0]}`,
    async put(name, content, signal) {
      const { stdin, stdout, finish, release } = begin(`put ${name}`, 'pipe', signal);
      const watched = watchSource(content);
      try {
        stdout.resume();
        // A command that ends before it has read everything says so by its status.
        if (stdin) await pipeline(Readable.from(watched.chunks(), { objectMode: false }), stdin).catch(watched.rethrow);
        await finish();
      } finally {
        release();
      }
    },
    async *get(name, signal) {
      const { stdout, finish, release } = begin(`get ${name}`, 'ignore', signal);
      try {
        for await (const chunk of stdout) yield chunk as Buffer;
        await finish();
      } finally {
        release();
      }
    },
    async list() {
      const { stdout, finish, release } = begin('list', 'ignore');
      try {
        const lines = await text(stdout);
        await finish();
        return lines.split('\n').map((line) => line.trim());
      } finally {
        release();
      }
    },
    async remove(name) {
      const { stdout, finish, release } = begin(`remove ${name}`, 'ignore');
      try {
        stdout.resume();
        await finish();
      } finally {
        release();
      }
    },
    async close() {
      for (const { kill } of running) kill();
    },
  };
}

/** Distinguishes a failure of the source from a failure of the command. */
function watchSource(source: AsyncIterable<Uint8Array>) {
  let failure: { readonly error: unknown } | undefined;
  return {
    async *chunks(): AsyncGenerator<Uint8Array, void> {
      const chunks = source[Symbol.asyncIterator]();
      try {
        for (;;) {
          // A pipe that breaks throws at `yield`.
          const { done, value } = await chunks.next().catch((error: unknown) => {
            failure = { error };
            throw error;
          });
          if (done) return;
          yield value;
        }
      } finally {
        await chunks.return?.();
      }
    },
    rethrow(): void {
      if (failure) throw failure.error;
    },
  };
}
