/**
 * Sends several batches at once, if their order cannot change the result.
 *
 * A stored exam has at most one accession number and one study UID, and is reached by either. Two batches whose items
 * are all identified by one and the same kind of identifier, and which share none, can therefore not reach the same
 * exam, whatever is stored: they may overtake each other. In every other case (items with both identifiers: one batch
 * could reach an exam by its accession number and the other the same exam by its study UID) the later batch waits until
 * the earlier one was answered.
 */
import type { Batch } from './batches.ts';

/** The identifiers by which a batch can reach exams. */
interface Reach {
  readonly accessions: ReadonlySet<string>;
  readonly studies: ReadonlySet<string>;
}

const findReach = ({ items }: Batch): Reach => {
  const accessions = new Set<string>();
  const studies = new Set<string>();
  for (const { accession, study } of items) {
    if (accession !== null) accessions.add(accession);
    if (study !== null) studies.add(study);
  }
  return { accessions, studies };
};

function isApart(one: Reach, other: Reach): boolean {
  const isByStudy = one.studies.size + other.studies.size > 0;
  const isByAccession = one.accessions.size + other.accessions.size > 0;
  if (isByStudy && isByAccession) return false;
  const [mine, others] = isByStudy ? [one.studies, other.studies] : [one.accessions, other.accessions];
  for (const value of mine) if (others.has(value)) return false;
  return true;
}

/** The largest number of batches that may finish before an earlier batch does. */
const farthestAhead = 64;

/**
 * Does `work` on every batch, at most `lanes` at a time, beginning in order. After a failure no other batch begins; the
 * first failure is thrown once the running batches end. `work` returns `false` to stop without a failure.
 */
export async function inLanes(
  batches: AsyncIterable<Batch>,
  lanes: number,
  work: (batch: Batch) => Promise<boolean>,
): Promise<void> {
  const underWay = new Map<number, { over: Promise<void>; reach: Reach }>();
  let failure: { error: unknown } | undefined;
  let isEnded = false;
  const oneOver = () => Promise.race(Array.from(underWay.values(), ({ over }) => over));
  try {
    for await (const batch of batches) {
      const reach = findReach(batch);
      const mustWait = (): boolean => {
        const [oldest] = underWay.keys();
        return (
          underWay.size >= lanes ||
          (oldest !== undefined && batch.number - oldest > farthestAhead) ||
          Array.from(underWay.values()).some((other) => !isApart(reach, other.reach))
        );
      };
      while (mustWait()) await oneOver();
      if (failure || isEnded) break;
      const over = work(batch)
        .then((goOn) => void (isEnded ||= !goOn))
        .catch((error: unknown) => void (failure ??= { error }))
        .then(() => void underWay.delete(batch.number));
      underWay.set(batch.number, { over, reach });
    }
  } finally {
    while (underWay.size > 0) await oneOver();
  }
  if (failure) throw failure.error;
}
