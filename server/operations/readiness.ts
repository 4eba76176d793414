/** Checks whether the server is ready. Reading works with a full or read-only disk too, so this checks whether writing would work. */
import { machineClockOf } from '../../src/domain/clock.ts';
import { isStorageFailure } from '../../src/contract/errors.ts';
import type { degradableParts } from '../../src/contract/system.ts';
import type { OperationDeps } from './deps.ts';

/** How long shared audio may take to answer, in ms: a balancer waits no longer for this server. */
const patience = 1000;

/** How long an outcome is reused in ms, so that frequent probes do not wear out the disk. */
const reusedMs = { taken: 5000, refused: 1000 } as const;

export type Degradation = (typeof degradableParts)[number];

interface ProbeResult {
  readonly outcome: Promise<readonly Degradation[]>;
  readonly until: number;
  readonly refused: boolean;
  /** Number of writes that the store had refused by then. A new refusal invalidates the outcome. */
  readonly setbacks: number;
}

interface ReadinessDeps extends Pick<OperationDeps, 'store' | 'clock'> {
  readonly blobs: Pick<OperationDeps['blobs'], 'probe'>;
}

/**
 * Creates the check, which rejects with AppError STORAGE_UNAVAILABLE while the document or audio store cannot write. Audio
 * that is shared is only degraded then: otherwise one service that is down would take away all servers at once.
 */
export function createReadiness(
  { store, blobs, clock }: ReadinessDeps,
  hasSharedAudio: boolean,
): () => Promise<readonly Degradation[]> {
  const machine = machineClockOf(clock);
  let probing: Promise<readonly Degradation[]> | undefined;

  async function probeShared(): Promise<readonly Degradation[]> {
    try {
      await blobs.probe();
      return [];
    } catch (error) {
      if (!isStorageFailure(error)) throw error;
      return ['blobs'];
    } finally {
      probing = undefined;
    }
  }

  async function probeBlobs(): Promise<readonly Degradation[]> {
    if (!hasSharedAudio) return blobs.probe().then(() => []);
    const answered = (probing ??= probeShared());
    const late = Promise.withResolvers<readonly Degradation[]>();
    const cancel = machine.schedule(machine.now() + patience, () => late.resolve(['blobs']));
    return Promise.race([answered, late.promise]).finally(cancel);
  }

  let last: ProbeResult | undefined;

  return () => {
    const now = machine.elapsed();
    if (last && now < last.until && (last.refused || store.setbacks() === last.setbacks)) return last.outcome;
    const outcome = Promise.all([probeBlobs(), store.probe()]).then(([degraded]) => degraded);
    const look = { outcome, until: now + reusedMs.taken, refused: false, setbacks: store.setbacks() };
    last = look;
    outcome.catch(() => {
      if (last === look) last = { ...look, until: now + reusedMs.refused, refused: true };
    });
    return outcome;
  };
}
