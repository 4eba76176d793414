/** Keeps all audio during a backup or restore, even if its record is deleted meanwhile. */
import type { Blobs } from '../../storage/blobs/blobs.ts';

export interface HeldBlobs extends Blobs {
  /**
   * Keeps all blobs from the moment the promise resolves until the returned function is called. Blobs whose removal was skipped become
   * orphans, which orphans.ts collects. Holds may overlap.
   */
  hold(): Promise<() => void>;
  /** Whether a hold is in force. */
  readonly held: boolean;
}

export function createHeldBlobs(blobs: Blobs): HeldBlobs {
  let holds = 0;
  const removals = new Set<Promise<void>>();
  return {
    ...blobs,
    get held() {
      return holds > 0;
    },
    async remove(id) {
      if (holds > 0) return;
      const removal = blobs.remove(id).finally(() => removals.delete(removal));
      removals.add(removal);
      await removal;
    },
    async hold() {
      holds++;
      await Promise.allSettled(removals);
      let over = false;
      return () => {
        if (!over) holds--;
        over = true;
      };
    },
  };
}
