import { AppError } from '../../src/contract/errors.ts';
import type { Io } from '../shell/io.ts';

/** Tried first, so that the address stays the same from day to day. */
export const defaultPort = 8742;

/** Opens a server on the port; without one on the default port, or on any free one if that is taken. */
export async function onPort<T>(io: Io, port: number | undefined, open: (port: number) => Promise<T>): Promise<T> {
  try {
    return await open(port ?? defaultPort);
  } catch (error) {
    const isTaken =
      error instanceof AppError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE';
    if (!isTaken || port !== undefined) throw error;
    io.notice(`Port ${defaultPort} is taken; using another.`, 'faint');
    return open(0);
  }
}

/** Settles when the signal is aborted: keeps the process of an idle server alive. */
export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const alive = setInterval(() => {}, 2 ** 30);
    const end = () => {
      clearInterval(alive);
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
