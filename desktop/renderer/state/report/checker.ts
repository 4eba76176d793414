/**
 * Runs the service's checks and traces the origin of words while a person types. Runs in a separate thread
 * (checks-thread.ts), since no key may wait for it; requests and answers are plain data.
 */
import type { Section } from '../../../../src/contract/document.ts';
import { prepareChecks } from '../../../../src/reporting/checks/check.ts';
import type { Check, CheckInput } from '../../../../src/reporting/checks/check.ts';
import type { Finding } from '../../../../src/reporting/checks/finding.ts';
import { traceEdit } from '../../../../src/reporting/versions/edits.ts';
import type { TracedReport } from '../../../../src/reporting/versions/edits.ts';
import type { Provenance, Run } from '../../../../src/reporting/versions/provenance.ts';

/** The inputs that stay the same between keystrokes. */
export interface Basis {
  readonly against: CheckInput;
  /** A version with the origin of its words; `null` if unknown. */
  readonly traced: TracedReport | null;
  /** The person who types. */
  readonly by: string;
}

export interface CheckRequest {
  /** Absent: the previous one. */
  readonly basis?: Basis;
  readonly sections: readonly Section[];
}

export interface CheckAnswer {
  readonly found: readonly Finding[];
  /** The origin of the words; `null` if unknown. */
  readonly words: readonly Run[] | null;
}

/** Remembers the last basis. */
export function createChecker(): (asked: CheckRequest) => CheckAnswer {
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
