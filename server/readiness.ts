/** Whether the server takes requests. Reads work on a full or read-only disk too, so readiness asks whether a write would work. */
import type { Services } from './services.ts';

/** Milliseconds for which an outcome holds, so that frequent questions do not wear the disk. */
const stands = { taken: 5000, refused: 1000 } as const;

interface Look {
  readonly outcome: Promise<void>;
  readonly until: number;
  readonly refused: boolean;
  /** How many changes the store had refused by then. After a further refusal the outcome no longer holds. */
  readonly setbacks: number;
}

/** The function returned rejects with AppError STORAGE_UNAVAILABLE while the store of documents or of audio takes no changes. */
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
