/** Whether the server takes requests. A full or read-only disk still gives what it holds, so only a write can tell. */
import { isoNow } from '../src/domain/clock.ts';
import type { Services } from './services.ts';

/** For how long an outcome stands, in ms: whoever asks, and how often, the disk is not worn by it. */
const stands = { taken: 5000, refused: 1000 } as const;

/** The function returned rejects with AppError STORAGE_UNAVAILABLE while the store takes no commit. */
export function createReadiness({ store, clock }: Pick<Services, 'store' | 'clock'>): () => Promise<void> {
  let last: { readonly outcome: Promise<void>; readonly from: number; readonly until: number } | undefined;

  const writeOnce = (): Promise<void> =>
    store.transact(async (tx) => tx.put('settings', { id: 'last_readiness_check', value: isoNow(clock) }));

  return () => {
    const now = clock.now();
    // A clock that was set back makes nothing stand longer.
    if (last && now >= last.from && now < last.until) return last.outcome;
    const outcome = writeOnce();
    const begun = { outcome, from: now, until: now + stands.taken };
    last = begun;
    outcome.catch(() => {
      if (last === begun) last = { ...begun, until: now + stands.refused };
    });
    return outcome;
  };
}
