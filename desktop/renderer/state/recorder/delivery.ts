/**
 * Writes the audio of a take to disk: in order, one call at a time, repeating each call until an answer confirms how
 * much is on disk. Answers may be late or lost, and calls may take effect twice: only the number of bytes on disk
 * counts.
 */
import { pageMessage } from '../../../../src/contract/messages/page.ts';
import { createBell } from '../../../../src/domain/bell.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { otherPerson } from '../../../bridge/session.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError, isElsewhere, reasonOf } from '../bridge.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

/** Audio of the take, starting at byte `from`. */
export interface Piece {
  readonly from: number;
  readonly samples: ArrayBuffer;
  /** Number of samples lost before the first of these; absent: none. */
  readonly missing?: number;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  /** Number of bytes of the take that are already on disk. */
  readonly from?: number;
  /** The audio from this byte on, up to the size of one call; `null`: none yet. */
  next(from: number): Promise<Piece | null> | Piece | null;
  /** Resolves to the number of bytes of the take that are on disk. */
  send(piece: Piece, signal: AbortSignal): Promise<number>;
  /** Announces the take again, because the app does not know it (any more). Resolves to the number of bytes on disk. */
  resume(from: number, signal: AbortSignal): Promise<number>;
  /** Called with the number of bytes of the take that are on disk. */
  stored(bytes: number): void;
  /** Called with the reason why delivery is stalled; `null` when it continues. */
  trouble(error: BridgeError | null): void;
  /** Called after a permanent refusal. Delivery still retries, but rarely. */
  refused(error: BridgeError): void;
}

export interface Delivery {
  /** Call when there is more audio or time has passed. */
  kick(): void;
  /** Resolves when no call is under way and nothing is left to send. */
  idle(): Promise<void>;
  /** Stops delivery. */
  stop(): void;
}

/** Delays between retries, in ms; the last one repeats. */
const waits = [200, 500, 1000, 2000];
const waitOfRefused = 10_000;
/** Timeouts in ms: longer after each missing answer, since a slow one may be on its way. */
const patiences = [10_000, 20_000, 40_000, 60_000];
/** Number of consecutive refusals that counts as permanent. */
const refusalsInEarnest = 3;

const passing: ReadonlySet<string> = new Set([
  'NETWORK',
  'BAD_ANSWER',
  'INTERRUPTED',
  'UNAUTHORIZED',
  'LOGIN_REQUIRED',
  'RATE_LIMIT_EXCEEDED',
  'SERVER_BUSY',
  'STORAGE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
]);
/**
 * Failures that resolve by themselves: the app or the disk is unavailable, or another window holds the dictation for a
 * while.
 */
const mayPass = (error: BridgeError): boolean => passing.has(error.code) || isElsewhere(error);

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { clock } = deps;
  let at = deps.from ?? 0;
  let isRunning = false;
  let isStopped = false;
  let isKnown = true;
  let isKicked = false;
  let rest: { readonly until: number; readonly end: () => void } | undefined;
  /** Notified when delivery becomes idle. */
  const bell = createBell();

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const until = clock.now() + ms;
      const callOff = clock.schedule(until, () => rest?.end());
      rest = {
        until,
        end() {
          rest = undefined;
          callOff();
          resolve();
        },
      };
    });
  /** Resolves to the number of bytes on disk then. */
  const advance = (piece: Piece, patience: number): Promise<number> =>
    withTimeout(clock, patience, async (signal) => {
      // The audio in between is lost: the take continues without it.
      if (piece.from > at || !isKnown) return deps.resume(piece.from, signal);
      const stored = await deps.send(piece, signal);
      if (stored <= at) throw { code: 'BAD_ANSWER', message: pageMessage('no_take') } satisfies BridgeError;
      return stored;
    });

  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    let tries = 0;
    let refusals = 0;
    for (;;) {
      try {
        isKicked = false;
        const piece = isStopped ? null : await deps.next(at);
        if (isStopped || (!piece && !isKicked)) break;
        if (!piece) continue;
        const stored = await advance(piece, elementAt(patiences, Math.min(tries, patiences.length - 1)));
        isKnown = true;
        if (stored <= at) continue;
        deps.stored((at = stored));
        if (tries > 0) deps.trouble(null);
        tries = refusals = 0;
      } catch (thrown) {
        const error = asBridgeError(thrown);
        tries += 1;
        refusals = mayPass(error) ? 0 : refusals + 1;
        isKnown &&= mayPass(error);
        const isRefused = refusals >= refusalsInEarnest || reasonOf(error) === otherPerson;
        (isRefused ? deps.refused : deps.trouble)(error);
        await pause(isRefused ? waitOfRefused : elementAt(waits, Math.min(tries, waits.length) - 1));
      }
    }
    isRunning = false;
    bell.ring();
  };

  return {
    kick() {
      // Browsers delay the timers of hidden pages, but sound keeps coming.
      if (rest && clock.now() >= rest.until) rest.end();
      isKicked = true;
      void run();
    },
    async idle() {
      if (isRunning) await bell.rung();
    },
    stop() {
      isStopped = true;
      rest?.end();
    },
  };
}
