/**
 * The checks of the service, and where words come from, while somebody types. They run in a thread of their own
 * (checks-thread.ts), since no key may wait for them; what goes there and comes back is data.
 */
import type { Section } from '../../../../src/contract/document.ts';
import { prepareChecks } from '../../../../src/reporting/checks/check.ts';
import type { Check, CheckInput } from '../../../../src/reporting/checks/check.ts';
import type { Finding } from '../../../../src/reporting/checks/finding.ts';
import { traceEdit } from '../../../../src/reporting/versions/edits.ts';
import type { TracedReport } from '../../../../src/reporting/versions/edits.ts';
import type { Provenance, Run } from '../../../../src/reporting/versions/provenance.ts';

/** What stays the same from key to key. */
export interface Basis {
  readonly against: CheckInput;
  /** A version, and where its words come from; `null` where that is not known. */
  readonly traced: TracedReport | null;
  /** Who types. */
  readonly by: string;
}

export interface Asked {
  /** Absent: the one that was sent last. */
  readonly basis?: Basis;
  readonly sections: readonly Section[];
}

export interface Answered {
  readonly found: readonly Finding[];
  /** Where the words come from; `null` where that is not known. */
  readonly words: readonly Run[] | null;
}

/** Knows the basis that it was given last. */
export function createChecker(): (asked: Asked) => Answered {
  let basis: Basis | undefined;
  let check: Check = () => [];
  return ({ basis: fresh, sections }) => {
    if (fresh) {
      basis = fresh;
      check = prepareChecks(fresh.against);
    }
    const provenance = basis?.traced ? trace(basis, basis.traced, sections) : undefined;
    return { found: check(sections, provenance), words: provenance?.words ?? null };
  };
}

const trace = ({ by, against }: Basis, traced: TracedReport, sections: readonly Section[]): Provenance =>
  traceEdit(traced, sections, { by, transcript: against.heard?.text ?? '' });
