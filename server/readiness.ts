/** Whether the server takes requests. A full or read-only disk still gives what it holds, so only a write can tell. */
import type { Services } from './services.ts';

/** For how long an outcome stands, in ms: whoever asks, and how often, the disk is not worn by it. */
const stands = { taken: 5000, refused: 1000 } as const;

interface Look {
  readonly outcome: Promise<void>;
  readonly until: number;
  readonly refused: boolean;
  /** So many changes had been refused before. If there were more since, it does not stand any longer. */
  readonly setbacks: number;
}

/** The function returned rejects with AppError STORAGE_UNAVAILABLE while the store, or that of audio, takes nothing. */
export function createReadiness({
  store,
  blobs,
  clock,
}: Pick<Services, 'store' | 'blobs' | 'clock'>): () => Promise<void> {
  let last: Look | undefined;

  return () => {
    const now = clock.elapsed();
    if (last && now < last.until && (last.refused || store.setbacks() === last.setbacks)) return last.outcome;
    const outcome = Promise.all([store.probe(), blobs.probe()]).then(() => undefined);
    const look = { outcome, until: now + stands.taken, refused: false, setbacks: store.setbacks() };
    last = look;
    outcome.catch(() => {
      if (last === look) last = { ...look, until: now + stands.refused, refused: true };
    });
    return outcome;
  };
}
