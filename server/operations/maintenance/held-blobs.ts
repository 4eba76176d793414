/** Keeps all audio while a backup or a restore is under way, even audio whose record is deleted meanwhile. */
import type { Blobs } from '../../storage/blobs/blobs.ts';

export interface HeldBlobs extends Blobs {
  /**
   * Keeps every blob from the moment the promise resolves until the caller calls the function that it gives. Blobs whose
   * removal was skipped become orphans, which orphans.ts collects. Several holds may overlap.
   */
  hold(): Promise<() => void>;
  /** Whether any hold is in force. */
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
