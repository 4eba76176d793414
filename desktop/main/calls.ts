/** Answers the page's calls over IPC, without trusting the sender's claims. Independent of Electron. */
import { AppError } from '../../src/contract/errors.ts';
import { describeError } from '../../src/domain/describe-error.ts';
import type { App } from '../app/page/app.ts';
import { bridgeErrorOf, failureOf } from '../app/page/failure.ts';
import type { Log } from '../app/service.ts';
import type { IpcAnswer } from '../bridge/carriers.ts';
import { isOwnFrame } from './guards.ts';
import type { Frame } from './guards.ts';

export interface Calls {
  /** Never throws: an error of IPC itself would lose its code. */
  answer(sender: Frame | undefined, ...call: readonly unknown[]): Promise<IpcAnswer>;
  /** Resolves once every call so far has been answered. */
  settled(): Promise<void>;
}

export function createCalls({ app, log }: { readonly app: App; readonly log: Log }): Calls {
  const running = new Set<Promise<unknown>>();
  const answer = async (
    sender: Frame | undefined,
    [name, input, bytes, desk]: readonly unknown[],
  ): Promise<IpcAnswer> => {
    try {
      if (!isOwnFrame(sender))
        throw new AppError('FORBIDDEN', { message: 'Only the app’s own page may ask for this.' });
      if (typeof name !== 'string') throw new AppError('NOT_FOUND', { message: 'There is no such call.' });
      return { output: await app.call(name, plain(input), parseBytes(bytes), parseDesk(desk)) };
    } catch (error) {
      const known = failureOf(error);
      if (known.code === 'INTERNAL_ERROR') log({ level: 'error', event: 'app_call_failed', ...describeError(error) });
      return { error: bridgeErrorOf(known) };
    }
  };
  return {
    answer(sender, ...call) {
      const work = answer(sender, call).finally(() => running.delete(work));
      running.add(work);
      return work;
    },
    settled: async () => void (await Promise.all(running)),
  };
}

const invalid = (message: string): AppError => new AppError('VALIDATION_FAILED', { message });

/** IPC also carries maps, dates and cycles; the bridge allows only JSON, as over HTTP. */
function plain(input: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(input) ?? 'null') as unknown;
  } catch {
    throw invalid('The input is not JSON.');
  }
}

function parseDesk(desk: unknown): string | undefined {
  if (desk === undefined || desk === null) return undefined;
  if (typeof desk === 'string') return desk;
  throw invalid('The desk is none.');
}

function parseBytes(bytes: unknown): Uint8Array | undefined {
  if (bytes === undefined || bytes === null) return undefined;
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  throw invalid('The bytes are none.');
}
