/**
 * The audio of a take between microphone and disk. It stays in memory until it is on disk; late audio is also stored in
 * the browser, where the next page finds it.
 */
import { createBell } from '../../../../src/domain/bell.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { joinBytes } from '../../audio/join-bytes.ts';
import { createDelivery } from './delivery.ts';
import type { Delivery, DeliveryDeps, Piece } from './delivery.ts';

export interface SoundQueue {
  /** Adds Int16 samples; `missing`: samples lost before them. Nothing is sent before `open`. */
  add(samples: ArrayBuffer, missing?: number): void;
  /** The take has started: its audio goes there, first that since the key press. */
  open(store: SoundStore): void;
  /** Resolves when all audio is on disk, or the rest is stored in the browser (`kept`). */
  settled(): Promise<'saved' | 'kept'>;
  /** Stops sending and storing. */
  close(): void;
}

/** Where the audio of a take is stored: on the disk of the app, or in the browser while it is late. */
export interface SoundStore extends Pick<DeliveryDeps, 'send' | 'resume'> {
  /** Stores samples in the browser. */
  keep(piece: Piece): Promise<void>;
  /** Removes the audio before this byte from the browser; without a byte, all audio. */
  forget(before?: number): Promise<void>;
}

export interface SoundQueueDeps extends Pick<DeliveryDeps, 'clock' | 'trouble' | 'refused'> {
  readonly clock: Clock;
  /** Maximum bytes per call. */
  readonly callBytes: number;
  /** Maximum bytes in memory. */
  readonly maxBytes: number;
  /** Called with the number of bytes that have reached the disk. */
  saved(bytes: number): void;
  /** Called when late audio is stored in the browser up to this byte. */
  kept(to: number): void;
  /** Called when more audio waits than memory should hold. */
  full(): void;
}

/** Audio that is not on disk after this many ms is stored in the browser. */
const lateMs = 250;
/** Delay before storing is retried in a browser that refused, in ms. */
const keepAgainMs = 5000;
/** Milliseconds until waiting-sound.ts takes over the rest of an ended take. */
const patienceMs = 5000;

interface BufferedPiece extends Piece {
  readonly at: number;
}

export function createSoundQueue(deps: SoundQueueDeps): SoundQueue {
  const { clock } = deps;
  let heard: BufferedPiece[] = [];
  /** Positions in the take, in bytes: recorded, on disk, and stored in the browser from `forgotten` to `keptTo`. */
  let end = 0;
  let stored = 0;
  let keptTo = 0;
  let forgotten = 0;
  let opened: { readonly store: SoundStore; readonly delivery: Delivery } | undefined;
  let isClosed = false;
  let isFull = false;
  let isKeeping = false;
  let keepAgainAt = 0;
  let lookAt: number | undefined;
  /** Notified when audio was stored. */
  const bell = createBell();

  const piece = (from: number, limit: number): Piece | null => {
    const pieces: Uint8Array[] = [];
    let left = limit;
    let before: Pick<Piece, 'missing'> = {};
    for (const { from: start, samples, missing } of heard) {
      if (left === 0) break;
      if (start + samples.byteLength <= from) continue;
      // A piece has no gap inside.
      if (missing !== undefined && pieces.length > 0) break;
      if (missing !== undefined && start === from) before = { missing };
      const part = new Uint8Array(samples).subarray(Math.max(0, from - start)).subarray(0, left);
      pieces.push(part);
      left -= part.length;
    }
    return pieces.length === 0 ? null : { from, samples: joinBytes(pieces).buffer, ...before };
  };
  const deliverTo = (store: SoundStore): Delivery =>
    createDelivery({
      ...deps,
      ...store,
      next: (from) => (isClosed ? null : piece(from, deps.callBytes)),
      stored(bytes) {
        deps.saved(Math.min(bytes, end) - stored);
        stored = Math.min(bytes, end);
        heard = heard.filter(({ from, samples }) => from + samples.byteLength > stored);
        void keepLate();
        bell.ring();
      },
    });

  const isLate = (): boolean => heard[0] !== undefined && clock.now() - heard[0].at >= lateMs;
  /** Stores late audio, or removes audio that is on disk; `false`: nothing to do. */
  const keepStep = async ({ keep, forget }: SoundStore): Promise<boolean> => {
    const isKept = keptTo > forgotten;
    if (isKept && stored >= keptTo) {
      await forget();
      forgotten = keptTo;
    } else if (isKept && stored > forgotten) {
      const before = stored;
      await forget(before);
      forgotten = before;
    } else if (isLate()) {
      const from = Math.max(keptTo, stored);
      const late = piece(from, deps.callBytes);
      if (!late) return false;
      if (!isKept) forgotten = from;
      await keep(late);
      keptTo = from + late.samples.byteLength;
      deps.kept(keptTo);
    } else return false;
    return true;
  };
  async function keepLate(): Promise<void> {
    if (!opened || isKeeping || clock.now() < keepAgainAt) return;
    isKeeping = true;
    try {
      while (!isClosed && (await keepStep(opened.store))) bell.ring();
    } catch {
      // The reason doesn't help the person; the alarm shows that audio exists only in this page.
      keepAgainAt = clock.now() + keepAgainMs;
      lookLater(keepAgainMs);
    }
    isKeeping = false;
    bell.ring();
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
    add(samples, missing = 0) {
      heard.push({ from: end, samples, at: clock.now(), ...(missing > 0 && { missing }) });
      end += samples.byteLength;
      opened?.delivery.kick();
      void keepLate();
      lookLater(lateMs);
      if (isFull || end - stored <= deps.maxBytes) return;
      isFull = true;
      deps.full();
    },
    open(store) {
      opened = { store, delivery: deliverTo(store) };
      opened.delivery.kick();
    },
    async settled() {
      const until = clock.now() + patienceMs;
      const callOff = clock.schedule(until, () => bell.ring());
      for (;;) {
        const isPatient = clock.now() < until;
        const isClean = keptTo <= forgotten && !isKeeping;
        if (stored >= end && (isClean || !isPatient)) break;
        if (keptTo >= end && !isKeeping && !isPatient) break;
        await bell.rung();
      }
      callOff();
      return stored >= end ? 'saved' : 'kept';
    },
    close() {
      isClosed = true;
      opened?.delivery.stop();
      bell.ring();
    },
  };
}
