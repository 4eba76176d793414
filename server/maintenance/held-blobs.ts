/** Audio stays while a backup or a restore is under way, even if its record is deleted meanwhile. */
import type { Blobs } from '../store/blobs.ts';

export interface HeldBlobs extends Blobs {
  /**
   * From when this resolves until the function it gives is called nothing is removed. What should have been is an orphan
   * then, and collected as such (orphans.ts). Holds add up.
   */
  hold(): Promise<() => void>;
  /** Whether somebody holds. */
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
