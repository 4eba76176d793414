/**
 * Brings the sound of a take to the disk: in order, one call at a time, each tried again until an answer says how much is
 * there. Answers may be late or lost, and calls may take effect twice: what counts is the number of bytes on disk.
 */
import type { Clock } from '../../../../src/domain/clock.ts';
import { otherPerson } from '../../../bridge/session.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError, isElsewhere, reasonOf } from '../bridge.ts';
import { within } from '../time/within.ts';

/** Sound of the take; `from`: its bytes before it. */
export interface Piece {
  readonly from: number;
  readonly samples: ArrayBuffer;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  /** Bytes of the take that are on disk already. */
  readonly from?: number;
  /** The sound from this byte on, as much as goes in one call; `null`: there is none now. */
  next(from: number): Promise<Piece | null> | Piece | null;
  /** Gives the bytes of the take that are on disk. */
  send(piece: Piece, signal: AbortSignal): Promise<number>;
  /** The app does not know the take, or not any more: announces it again, and gives the bytes that are on disk. */
  resume(from: number, signal: AbortSignal): Promise<number>;
  /** So many bytes of the take are on disk. */
  stored(bytes: number): void;
  /** Why it waits, or `null` when it goes on. */
  trouble(error: BridgeError | null): void;
  /** Refused for a reason that does not pass by itself. It is tried again all the same, seldom. */
  refused(error: BridgeError): void;
}

export interface Delivery {
  /** There is more, or time has passed. */
  kick(): void;
  /** Nothing is under way and nothing was left to send. */
  idle(): Promise<void>;
  /** Nothing more is sent. */
  stop(): void;
}

/** Waits between two tries, in ms; the last one repeats. */
const waits = [200, 500, 1000, 2000];
const waitOfRefused = 10_000;
/** How long an answer is waited for, in ms: longer after each that did not come, since a slow one may be on its way. */
const patiences = [10_000, 20_000, 40_000, 60_000];
/** So many refusals in a row are no accident. */
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
]);
/** Passes by itself: the app or the disk is away, or another window has the dictation for a while. */
const mayPass = (error: BridgeError): boolean => passing.has(error.code) || isElsewhere(error);

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { clock } = deps;
  let at = deps.from ?? 0;
  let isRunning = false;
  let isStopped = false;
  let isKnown = true;
  let isKicked = false;
  let rest: { readonly until: number; readonly end: () => void } | undefined;
  let waiting: (() => void)[] = [];

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
  /** Gives the bytes that are on disk then. */
  const advance = (piece: Piece, patience: number): Promise<number> =>
    within(clock, patience, async (signal) => {
      // What lies between is nowhere any more: the take goes on without it.
      if (piece.from > at || !isKnown) return deps.resume(piece.from, signal);
      const stored = await deps.send(piece, signal);
      if (stored <= at) throw { code: 'BAD_ANSWER', message: 'Laudio did not take the sound.' } satisfies BridgeError;
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
        const stored = await advance(piece, patiences[Math.min(tries, patiences.length - 1)]!);
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
        await pause(isRefused ? waitOfRefused : waits[Math.min(tries, waits.length) - 1]!);
      }
    }
    isRunning = false;
    for (const resolve of waiting.splice(0)) resolve();
  };

  return {
    kick() {
      // Browsers let the timers of hidden pages wait; sound comes all the same.
      if (rest && clock.now() >= rest.until) rest.end();
      isKicked = true;
      void run();
    },
    async idle() {
      if (isRunning) await new Promise<void>((resolve) => (waiting = [...waiting, resolve]));
    },
    stop() {
      isStopped = true;
      rest?.end();
    },
  };
}
