/** Keeps all audio during a backup or restore, even if its record is deleted meanwhile, in whichever member. */
import type { Blobs } from '../../storage/blobs/blobs.ts';
import type { Claim, Members } from '../../storage/members.ts';

export interface HeldBlobs extends Blobs {
  /**
   * Keeps all blobs from the moment the promise resolves until the returned function is called. Blobs whose removal was skipped become
   * orphans, which orphans.ts collects. Holds may overlap.
   */
  hold(): Promise<() => Promise<void>>;
  /** Whether a hold is in force. */
  isHeld(): Promise<boolean>;
}

/** The beginning of the names of the leases: one for each member that keeps the blobs. */
const kind = 'hold ';

export function createHeldBlobs(blobs: Blobs, members: Members): HeldBlobs {
  let holds = 0;
  let claim: Claim | undefined;
  const removals = new Set<Promise<void>>();
  const isHeld = async (): Promise<boolean> => holds > 0 || members.isHeld(kind);
  const removeUnheld = async (id: string): Promise<void> => {
    if (!(await isHeld())) await blobs.remove(id);
  };
  return {
    ...blobs,
    isHeld,
    async remove(id) {
      if (holds > 0) return;
      const removal = removeUnheld(id).finally(() => removals.delete(removal));
      removals.add(removal);
      await removal;
    },
    async hold() {
      holds++;
      claim ??= members.claim(`${kind}${members.id}`, { begin() {}, end() {} });
      await claim.answered;
      await Promise.allSettled(removals);
      let over = false;
      return async () => {
        if (over) return;
        over = true;
        if (--holds > 0) return;
        const last = claim;
        claim = undefined;
        await last?.release();
      };
    },
  };
}
