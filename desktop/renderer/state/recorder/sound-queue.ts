/**
 * The sound of a take on its way from the microphone to the disk. It is in memory until it is there, and what is late is
 * kept in the browser as well, where the next page finds it.
 */
import type { Clock } from '../../../../src/domain/clock.ts';
import { joined } from '../../audio/joined.ts';
import { createDelivery } from './delivery.ts';
import type { DeliveryDeps, Piece } from './delivery.ts';

export interface SoundQueue {
  /** Takes Int16 samples. Nothing is sent before `open`. */
  add(samples: ArrayBuffer): void;
  /** The take has begun: what was heard since the key was pressed goes first. */
  open(): void;
  /** All of it is on disk; or, where that does not come about, all that is not is kept in the browser (`kept`). */
  settled(): Promise<'saved' | 'kept'>;
  /** Nothing more is sent or kept from here. */
  close(): void;
}

export interface SoundQueueDeps extends Pick<DeliveryDeps, 'clock' | 'send' | 'resume' | 'trouble' | 'refused'> {
  readonly clock: Clock;
  /** Bytes that go in one call, at most. */
  readonly callBytes: number;
  /** Bytes that may wait in memory. */
  readonly mostBytes: number;
  /** Keeps samples in the browser; `from`: bytes of the take before them. */
  keep(from: number, samples: ArrayBuffer): Promise<void>;
  /** What is before this byte need not be kept in the browser any more; without it, nothing need be. */
  forget(before?: number): Promise<void>;
  /** So many bytes more are on disk. */
  saved(bytes: number): void;
  /** What is late is kept in the browser up to this byte. */
  kept(to: number): void;
  /** More waits than memory should hold. */
  full(): void;
}

/** Sound that is not on disk so long after it was heard, in ms, is kept in the browser. */
const lateMs = 250;
/** Milliseconds until a browser that keeps nothing is asked again. */
const keepAgainMs = 5000;
/** Milliseconds after which a take that has ended is left to whoever sends what is kept. */
const patienceMs = 5000;

interface Heard extends Piece {
  readonly at: number;
}

export function createSoundQueue(deps: SoundQueueDeps): SoundQueue {
  const { clock } = deps;
  let heard: Heard[] = [];
  /** Bytes of the take: heard, on disk, kept in the browser from `forgotten` to `keptTo`. */
  let end = 0;
  let stored = 0;
  let keptTo = 0;
  let forgotten = 0;
  let isOpen = false;
  let isClosed = false;
  let isFull = false;
  let isKeeping = false;
  let keepAgainAt = 0;
  let lookAt: number | undefined;
  let watching: (() => void)[] = [];
  const happened = (): void => {
    for (const look of watching.splice(0)) look();
  };
  const next = (): Promise<void> => new Promise((resolve) => (watching = [...watching, resolve]));

  const piece = (from: number, most: number): Piece | null => {
    const pieces: Uint8Array[] = [];
    let left = most;
    for (const { from: start, samples } of heard) {
      if (left === 0) break;
      if (start + samples.byteLength <= from) continue;
      const part = new Uint8Array(samples).subarray(Math.max(0, from - start)).subarray(0, left);
      pieces.push(part);
      left -= part.length;
    }
    return pieces.length === 0 ? null : { from, samples: joined(pieces).buffer };
  };
  const delivery = createDelivery({
    ...deps,
    next: (from) => (isOpen && !isClosed ? piece(from, deps.callBytes) : null),
    stored(bytes) {
      deps.saved(Math.min(bytes, end) - stored);
      stored = Math.min(bytes, end);
      heard = heard.filter(({ from, samples }) => from + samples.byteLength > stored);
      void keepLate();
      happened();
    },
  });

  const isLate = (): boolean => heard[0] !== undefined && clock.now() - heard[0].at >= lateMs;
  /** One step of keeping, or of forgetting what is on disk; `false`: nothing is to be done. */
  const keepStep = async (): Promise<boolean> => {
    const isKept = keptTo > forgotten;
    if (isKept && stored >= keptTo) {
      await deps.forget();
      forgotten = keptTo;
    } else if (isKept && stored > forgotten) {
      const before = stored;
      await deps.forget(before);
      forgotten = before;
    } else if (isOpen && isLate()) {
      const from = Math.max(keptTo, stored);
      const late = piece(from, deps.callBytes);
      if (!late) return false;
      if (!isKept) forgotten = from;
      await deps.keep(from, late.samples);
      keptTo = from + late.samples.byteLength;
      deps.kept(keptTo);
    } else return false;
    return true;
  };
  async function keepLate(): Promise<void> {
    if (isKeeping || clock.now() < keepAgainAt) return;
    isKeeping = true;
    try {
      while (!isClosed && (await keepStep())) happened();
    } catch {
      // Why is of no use to the person: that it is in this page alone is told by what is not kept.
      keepAgainAt = clock.now() + keepAgainMs;
      lookLater(keepAgainMs);
    }
    isKeeping = false;
    happened();
  }
  const lookLater = (ms: number): void => {
    const at = clock.now() + ms;
    if (lookAt !== undefined && lookAt <= at) return;
    lookAt = at;
    clock.schedule(at, () => {
      lookAt = undefined;
      void keepLate();
    });
  };

  return {
    add(samples) {
      heard.push({ from: end, samples, at: clock.now() });
      end += samples.byteLength;
      delivery.kick();
      void keepLate();
      lookLater(lateMs);
      if (isFull || end - stored <= deps.mostBytes) return;
      isFull = true;
      deps.full();
    },
    open() {
      isOpen = true;
      delivery.kick();
    },
    async settled() {
      const until = clock.now() + patienceMs;
      const callOff = clock.schedule(until, happened);
      for (;;) {
        const isPatient = clock.now() < until;
        const isClean = keptTo <= forgotten && !isKeeping;
        if (stored >= end && (isClean || !isPatient)) break;
        if (keptTo >= end && !isKeeping && !isPatient) break;
        await next();
      }
      callOff();
      return stored >= end ? 'saved' : 'kept';
    },
    close() {
      isClosed = true;
      delivery.stop();
      happened();
    },
  };
}
