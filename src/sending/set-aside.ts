/**
 * Batches at which the service keeps failing. The rest continues, except for later batches of the same exams: those
 * must not overtake.
 */
import { AppError } from '../contract/errors.ts';
import type { Batch } from './batches.ts';
import type { Outcome } from './outcomes.ts';

/** After this many consecutive batches without a success, the service fails at everything. */
const maxFailuresInARow = 3;

export function createSetAside(sets: (error: AppError) => boolean = () => false) {
  const names = new Set<string>();
  let inARow = 0;
  const namesIn = ({ items }: Batch): string[] =>
    items.flatMap(({ accession, study }) => [
      ...(accession === null ? [] : [`accession ${accession}`]),
      ...(study === null ? [] : [`study ${study}`]),
    ]);
  const refuseAll = (batch: Batch, message: string): Outcome[] => {
    for (const name of namesIn(batch)) names.add(name);
    return batch.items.map(() => ({ outcome: 'refused', message, isSetAside: true }));
  };
  return {
    /** The outcomes of a batch that is not sent, since one of the same exam was set aside. */
    held(batch: Batch): Outcome[] | undefined {
      const isHeld = names.size > 0 && namesIn(batch).some((name) => names.has(name));
      return isHeld ? refuseAll(batch, behind) : undefined;
    },
    /** The outcomes of a sent batch. Throws if the service fails at one batch after the other. */
    async orOutcomes(batch: Batch, send: () => Promise<Outcome[]>): Promise<Outcome[]> {
      try {
        const outcomes = await send();
        inARow = 0;
        return outcomes;
      } catch (error) {
        if (!(error instanceof AppError) || !sets(error) || ++inARow > maxFailuresInARow) throw error;
        return refuseAll(batch, `Set aside: the server failed at it each time (${error.code}).`);
      }
    },
  };
}

const behind = 'Set aside: an earlier batch with the same exam was, and goes before it.';
