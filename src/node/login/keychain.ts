/** The system's keychain: small secrets by account, each call limited in time. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../domain/clock.ts';
import { holdLock } from '../files/file-lock.ts';

export interface KeychainRequest {
  readonly action: 'get' | 'set' | 'delete';
  readonly service: string;
  readonly account: string;
  readonly secret?: string;
}

export type KeychainAnswer = { readonly secret: string | null } | { readonly error: string };

/** Every call throws CREDENTIAL_STORE when the keychain is missing, locked or silent; then we changed nothing. */
export interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const service = 'laudio';

/** Milliseconds for an answer of the keychain itself. */
export const keychainLimit = 3000;
/** Milliseconds for the process to start: on a busy computer that takes longer than any answer. */
const startLimit = 60_000;
/** Milliseconds to queue behind other processes; after that, the call proceeds without its turn. */
const queueLimit = 60_000;

/** The keychain's own process (keychain-process.ts), for a single request. */
export interface KeychainProcess {
  /** Resolves once the process can be asked; rejects when it ended before. */
  readonly ready: Promise<unknown>;
  /** Passes `request`, JSON, in a way that no other process can read. JSON of a KeychainAnswer; rejects without one. */
  ask(request: string): Promise<string>;
  kill(): void;
}

export type LaunchKeychain = (program: string) => KeychainProcess;

export interface KeychainOptions {
  /** Only measures the limits. */
  readonly clock: Clock;
  /** Holds the lock at which this user's processes queue: keychains lose simultaneous requests. */
  readonly stateDirectory: string;
  readonly launch?: LaunchKeychain;
}

export function createKeychain(options: KeychainOptions): Keychain {
  const call = async (request: Omit<KeychainRequest, 'service'>): Promise<string | undefined> => {
    const answer = await ask({ ...request, service }, options);
    if ('error' in answer) throw unavailable(`The keychain of this system did not work: ${answer.error}.`);
    return answer.secret ?? undefined;
  };
  return {
    get: (account) => call({ action: 'get', account }),
    set: async (account, secret) => {
      await call({ action: 'set', account, secret });
    },
    delete: async (account) => {
      await call({ action: 'delete', account });
    },
  };
}

const unavailable = (message: string): AppError =>
  new AppError('CREDENTIAL_STORE', {
    message,
    hint: 'Unlock it and try again; or keep tokens in a file that only you can read, with LAUDIO_CREDENTIAL_STORE=file.',
  });

/** This file is TypeScript in development and JavaScript in a build; its neighbour has the same extension. */
const programPath = (): string =>
  fileURLToPath(new URL(import.meta.url.replace(/keychain(\.\w+)$/, 'keychain-process$1')));

async function ask(
  request: KeychainRequest,
  { clock, stateDirectory, launch = launchNode }: KeychainOptions,
): Promise<KeychainAnswer> {
  const child = launch(programPath());
  /** Kills the process if it takes too long. */
  const within = async <T>(limit: number, late: string, work: () => Promise<T>): Promise<T> => {
    let isLate = false;
    const callOff = clock.schedule(clock.now() + limit, () => {
      isLate = true;
      child.kill();
    });
    try {
      return await work();
    } catch {
      throw unavailable(isLate ? late : 'The keychain could not be asked.');
    } finally {
      callOff();
    }
  };
  const inSeconds = (limit: number): string => `within ${limit / 1000} seconds`;
  await within(startLimit, `The keychain could not be asked ${inSeconds(startLimit)}.`, () => child.ready);
  const release = await turn(clock, stateDirectory);
  try {
    return await within(
      keychainLimit,
      `The keychain of this system did not answer ${inSeconds(keychainLimit)}.`,
      async () => JSON.parse(await child.ask(JSON.stringify(request))) as KeychainAnswer,
    );
  } finally {
    await release();
  }
}

/**
 * No profile has a dot in its name, and so no profile's lock has this name. Without a lock, for example on a read-only
 * disk, callers do not queue.
 */
const turn = (clock: Clock, stateDirectory: string): Promise<() => Promise<void>> =>
  holdLock(join(stateDirectory, 'locks', 'keychain.queue.lock'), { clock, timeout: queueLimit }).catch(
    () => async () => undefined,
  );

const launchNode: LaunchKeychain = (program) => {
  const child = spawn(process.execPath, [program], {
    // The signal would open a debugger to everybody on this computer.
    env: { ...process.env, NODE_OPTIONS: '--disable-sigusr1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const next = await Promise.race([lines.next(), failed]);
    if (next.done === true) throw new Error('The keychain’s process ended without an answer.');
    return next.value;
  };
  const ready = line();
  return {
    ready,
    async ask(request) {
      child.stdin.end(request);
      return line();
    },
    kill: () => void child.kill('SIGKILL'),
  };
};
