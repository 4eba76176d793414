/**
 * Sound on its way from the microphone to the disk: in order, one call at a time, tried again as long as the page lives.
 * What waits while a call is under way goes with the next, so that a slow disk costs fewer calls and not a longer queue.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import { otherWindow } from '../../bridge.ts';
import type { BridgeError } from '../../bridge.ts';
import { asBridgeError } from './bridge.ts';

export interface BlockQueue {
  /** Takes Int16 samples. Nothing is sent before `open`. */
  add(samples: ArrayBuffer): void;
  /** The take has begun: what was heard since the key was pressed goes first. */
  open(): void;
  /** Everything given until now is on disk. */
  drained(): Promise<void>;
  /** Bytes that are not on disk yet. */
  waiting(): number;
  /** Nothing more is sent. */
  close(): void;
}

export interface BlockQueueDeps {
  readonly clock: Clock;
  /** Longest piece that goes in one call, in bytes. */
  readonly maxBytes: number;
  send(samples: ArrayBuffer, sequence: number): Promise<void>;
  /** The service knows nothing of the take (it was started again): begins another where this one ended. Gives the bytes that are on disk of those that waited. */
  reopen(savedBytes: number): Promise<number>;
  saved(bytes: number): void;
  /** Another window records it now: nothing more is sent. */
  elsewhere(): void;
  /** Why saving waits, or `null` when it goes on. */
  trouble(error: BridgeError | null): void;
}

/** Waits between two tries, in ms; the last one repeats. */
const waits = [200, 500, 1000, 2000];

/** The take itself is gone; anything else may pass. */
const takeIsGone = (error: BridgeError): boolean => error.code === 'INVALID_TRANSITION' || error.code === 'NOT_FOUND';

/** Refused because another window of the same person records the dictation. */
export const isElsewhere = (error: BridgeError): boolean => error.details?.['reason'] === otherWindow;

function joined(pieces: readonly ArrayBuffer[]): ArrayBuffer {
  const [first] = pieces;
  if (pieces.length === 1 && first) return first;
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(new Uint8Array(piece), at);
    at += piece.byteLength;
  }
  return all.buffer;
}

export function createBlockQueue(deps: BlockQueueDeps): BlockQueue {
  let blocks: ArrayBuffer[] = [];
  /** What is being sent: tried again as it is, so that a repeated sequence carries the same sound. */
  let piece: ArrayBuffer | null = null;
  let sequence = 0;
  let savedBytes = 0;
  let isOpen = false;
  let isClosed = false;
  let isRunning = false;
  let idle: (() => void)[] = [];

  const waiting = (): number => (piece?.byteLength ?? 0) + blocks.reduce((sum, block) => sum + block.byteLength, 0);
  const pause = (tries: number): Promise<void> =>
    new Promise((resolve) => {
      deps.clock.schedule(deps.clock.now() + (waits[Math.min(tries, waits.length) - 1] ?? 0), resolve);
    });
  const nextPiece = (): ArrayBuffer | null => {
    let bytes = 0;
    const rest = blocks.findIndex((block) => (bytes += block.byteLength) > deps.maxBytes);
    const taken = blocks.splice(0, rest < 0 ? blocks.length : Math.max(1, rest));
    return taken.length === 0 ? null : joined(taken);
  };
  const dropSaved = (bytes: number): void => {
    const rest = joined([...(piece ? [piece] : []), ...blocks]).slice(bytes);
    piece = null;
    blocks = rest.byteLength > 0 ? [rest] : [];
    savedBytes += bytes;
    deps.saved(bytes);
  };
  const reopen = async (): Promise<void> => {
    const stored = Math.min(waiting(), await deps.reopen(savedBytes));
    dropSaved(stored);
    savedBytes = 0;
    sequence = 0;
  };
  const sendOne = async (): Promise<void> => {
    piece ??= nextPiece();
    if (!piece) return;
    await deps.send(piece, sequence);
    sequence += 1;
    savedBytes += piece.byteLength;
    deps.saved(piece.byteLength);
    piece = null;
  };

  const run = async (): Promise<void> => {
    if (isRunning || !isOpen) return;
    isRunning = true;
    let tries = 0;
    let wasGone = false;
    while (!isClosed && waiting() > 0) {
      try {
        if (wasGone) await reopen();
        wasGone = false;
        await sendOne();
        if (tries > 0) deps.trouble(null);
        tries = 0;
      } catch (thrown) {
        const error = asBridgeError(thrown);
        if (isElsewhere(error)) {
          isClosed = true;
          deps.elsewhere();
          break;
        }
        wasGone ||= takeIsGone(error);
        tries += 1;
        deps.trouble(error);
        await pause(tries);
      }
    }
    isRunning = false;
    for (const resolve of idle.splice(0)) resolve();
  };

  return {
    add(samples) {
      blocks.push(samples);
      void run();
    },
    open() {
      isOpen = true;
      void run();
    },
    drained: () =>
      waiting() === 0 || isClosed ? Promise.resolve() : new Promise((resolve) => void (idle = [...idle, resolve])),
    waiting,
    close() {
      isClosed = true;
    },
  };
}
