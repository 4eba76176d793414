/** The system's keychain: small secrets by account, each call limited in time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../domain/clock.ts';

export interface KeychainRequest {
  readonly action: 'get' | 'set' | 'delete';
  readonly service: string;
  readonly account: string;
  readonly secret?: string;
}

export type KeychainAnswer = { readonly secret: string | null } | { readonly error: string };

/**
 * Every call throws CREDENTIAL_STORE when the keychain is missing, locked or silent; then nothing was changed by us.
 */
export interface Keychain {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const service = 'laudio';

/** Milliseconds. */
export const keychainLimit = 3000;

/** The keychain's own process (keychain-process.ts), for a single request. */
export interface KeychainProcess {
  /** JSON of a KeychainAnswer; rejects when the process ended without one. */
  readonly answer: Promise<string>;
  kill(): void;
}

/** Runs `program` and passes `request`, JSON, by a way that no other process can read. */
export type LaunchKeychain = (program: string, request: string) => KeychainProcess;

/** `clock` only measures the limit. */
export function createKeychain(clock: Clock, launch: LaunchKeychain = launchNode): Keychain {
  const call = async (request: Omit<KeychainRequest, 'service'>): Promise<string | undefined> => {
    const answer = await ask({ ...request, service }, clock, launch);
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

/** In development this file is TypeScript, in a build JavaScript; its neighbour is whatever it is. */
const programPath = (): string =>
  fileURLToPath(new URL(import.meta.url.replace(/keychain(\.\w+)$/, 'keychain-process$1')));

async function ask(request: KeychainRequest, clock: Clock, launch: LaunchKeychain): Promise<KeychainAnswer> {
  const child = launch(programPath(), JSON.stringify(request));
  let late = false;
  const callOff = clock.schedule(clock.now() + keychainLimit, () => {
    late = true;
    child.kill();
  });
  try {
    return JSON.parse(await child.answer) as KeychainAnswer;
  } catch {
    throw unavailable(
      late
        ? `The keychain of this system did not answer within ${keychainLimit / 1000} seconds.`
        : 'The keychain could not be asked.',
    );
  } finally {
    callOff();
  }
}

const launchNode: LaunchKeychain = (program, request) => {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(request);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  return { answer: Promise.race([text(child.stdout), failed]), kill: () => void child.kill('SIGKILL') };
};
