/**
 * Checks whether the server is ready. Reads work on a full or read-only disk too, so readiness checks whether a write
 * would work.
 */
import { machineClockOf } from '../../src/domain/clock.ts';
import type { OperationDeps } from './deps.ts';

/** Milliseconds for which an outcome is reused, so that frequent probes do not wear the disk. */
const reusedMs = { taken: 5000, refused: 1000 } as const;

interface Look {
  readonly outcome: Promise<void>;
  readonly until: number;
  readonly refused: boolean;
  /** Number of changes that the store had refused at that time. A further refusal invalidates the outcome. */
  readonly setbacks: number;
}

interface ReadinessDeps extends Pick<OperationDeps, 'store' | 'clock'> {
  readonly blobs: Pick<OperationDeps['blobs'], 'probe'>;
}

/**
 * Makes the check. It rejects with AppError STORAGE_UNAVAILABLE while the store of documents or of audio takes no
 * writes.
 */
export function createReadiness({ store, blobs, clock }: ReadinessDeps): () => Promise<void> {
  let last: Look | undefined;

  return () => {
    const now = machineClockOf(clock).elapsed();
    if (last && now < last.until && (last.refused || store.setbacks() === last.setbacks)) return last.outcome;
    const outcome = Promise.all([store.probe(), blobs.probe()]).then(() => undefined);
    const look = { outcome, until: now + reusedMs.taken, refused: false, setbacks: store.setbacks() };
    last = look;
    outcome.catch(() => {
      if (last === look) last = { ...look, until: now + reusedMs.refused, refused: true };
    });
    return outcome;
  };
}
