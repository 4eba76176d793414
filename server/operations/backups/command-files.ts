/**
 * Backups kept by a command of the operator's: `put NAME` reads one from its standard input, `get NAME` writes it to its standard
 * output, `list` writes a name per line, `remove NAME` forgets one. A status other than 0 is a failure, and so is a command that
 * takes or gives no byte for too long, or does not end.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../../src/domain/clock.ts';
import { startShellCommand } from '../../runtime/processes/shell-command.ts';
import type { RemoteFiles } from './remote-target.ts';

class CommandError extends Error {
  /** `EXIT_3`, the signal that ended the command, or `TIMEOUT`. */
  readonly code: string;

  constructor(code: string) {
    super('The command of --backup-to failed.');
    this.code = code;
  }
}

type CommandEnd = readonly [status: number | null, signal: NodeJS.Signals | null];

/** In ms of the machine's clock: without a byte in either direction while bytes are due, and until the end. */
interface CommandLimits {
  readonly idle: number;
  readonly whole: number;
}

const minute = 60_000;
const transfer: CommandLimits = { idle: 10 * minute, whole: 24 * 60 * minute };
/** People and other work wait for these. */
const answer: CommandLimits = { idle: minute, whole: minute };

/** `machine`: the machine's clock. */
export function createCommandFiles(command: string, machine: Clock): RemoteFiles {
  function begin(words: string, input: 'pipe' | 'ignore', limits: CommandLimits, signal: AbortSignal) {
    const started = startShellCommand(`${command} ${words}`, [input, 'pipe', 'ignore']);
    const { child } = started;
    const stdout = child.stdout ?? Readable.from([]);
    const failed = Promise.withResolvers<never>();
    const ended = once(child, 'exit') as Promise<unknown> as Promise<CommandEnd>;
    stdout.on('error', () => undefined);
    // `finish` reports a failure, and a command that could not be started.
    for (const each of [failed.promise, ended]) each.catch(() => undefined);
    let ending: Promise<void> | undefined;
    let hasEnded = false;
    child.once('exit', () => (hasEnded = true));

    function end(error: unknown): void {
      failed.reject(error);
      ending ??= started.end(machine);
      // Processes that the command has started may hold the other ends open.
      child.stdin?.destroy();
      stdout.destroy(error as Error);
    }
    const watch = createWatch(machine, limits, () => end(new CommandError('TIMEOUT')));
    const abort = (): void => end(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    return {
      stdin: child.stdin,
      stdout,
      /** Call it for every piece that goes in or out. */
      touch: watch.touch,
      /** Call it once the command owes nothing but its end, before which it may pass on for hours what it has read. */
      expectEnd: watch.expectEnd,
      async finish(): Promise<void> {
        const [status, by] = await Promise.race([ended, failed.promise]);
        if (status !== 0) throw new CommandError(status === null ? (by ?? 'EXIT') : `EXIT_${status}`);
      },
      /** Rejects with why the command was ended, if it was. */
      async rethrow(): Promise<void> {
        if (ending) await failed.promise;
      },
      async release(): Promise<void> {
        watch.stop();
        signal.removeEventListener('abort', abort);
        await (ending ?? (hasEnded ? undefined : started.end(machine)));
      },
    };
  }

  return {
    // The rest of the command line may hold a secret.
    place: `command:${command.split(/\s/)[0]}`,
    async put(name, content, signal) {
      const { stdin, stdout, touch, expectEnd, ...started } = begin(`put ${name}`, 'pipe', transfer, signal);
      const watched = watchSource(content, touch);
      try {
        stdout.resume();
        // A command that ends before it has read everything says so by its status.
        if (stdin) await pipeline(Readable.from(watched.chunks(), { objectMode: false }), stdin).catch(watched.rethrow);
        expectEnd();
        await started.rethrow();
        await started.finish();
      } finally {
        await started.release();
      }
    },
    async *get(name, signal) {
      const { stdout, touch, finish, release } = begin(`get ${name}`, 'ignore', transfer, signal);
      try {
        for await (const chunk of stdout) {
          touch();
          yield chunk as Buffer;
        }
        await finish();
      } finally {
        await release();
      }
    },
    async list(signal) {
      const { stdout, finish, release } = begin('list', 'ignore', answer, signal);
      try {
        const lines = await text(stdout);
        await finish();
        return lines.split('\n').map((line) => line.trim());
      } finally {
        await release();
      }
    },
    async remove(name, signal) {
      const { stdout, finish, release } = begin(`remove ${name}`, 'ignore', answer, signal);
      try {
        stdout.resume();
        await finish();
      } finally {
        await release();
      }
    },
    close: async () => {},
  };
}

/** Calls `late` once, when a limit is over. */
function createWatch(machine: Clock, { idle, whole }: CommandLimits, late: () => void) {
  const begun = machine.elapsed();
  let moved = begun;
  let callOff = (): void => {};
  function look(): void {
    const left = Math.min(moved + idle, begun + whole) - machine.elapsed();
    if (left <= 0) late();
    else callOff = machine.schedule(machine.now() + left, look);
  }
  look();
  return {
    touch: () => void (moved = machine.elapsed()),
    expectEnd: () => void (moved = Infinity),
    stop: () => callOff(),
  };
}

/** Distinguishes a failure of the source from a failure of the command. */
function watchSource(source: AsyncIterable<Uint8Array>, touch: () => void) {
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
          touch();
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
