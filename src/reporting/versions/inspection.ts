/**
 * The inspection of each version of a report: the origins of its words, and the findings to review before the
 * signature.
 */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { prepareChecks } from '../checks/check.ts';
import type { CheckInput } from '../checks/check.ts';
import { checkFields } from '../checks/completeness.ts';
import { toFindings } from '../checks/finding.ts';
import type { Finding } from '../checks/finding.ts';
import { traceEdit, withRestoredSections } from './edits.ts';
import type { Edit, TracedReport } from './edits.ts';
import type { Provenance } from './provenance.ts';

/** A version to inspect. */
export interface InspectedVersion {
  readonly sections: readonly Section[];
  readonly against: CheckInput;
  /** The origins of its words, if known. */
  readonly provenance?: Provenance | undefined;
  /** Its source and editor, if somebody changed the report; `former`: versions from which sections were restored. */
  readonly edited?: { readonly before: TracedReport; readonly previous?: readonly TracedReport[] } & Omit<
    Edit,
    'transcript'
  >;
}

export interface Inspection {
  readonly provenance: Provenance | undefined;
  /** `undefined`: the report is too long to check. */
  readonly found: readonly Finding[] | undefined;
}

/** Longer than any report; checking a longer text would take too long. */
export const maxCheckedLength = 200_000;

/** Characters of the report and the transcript. */
export const measureLength = ({ sections, against }: InspectedVersion): number =>
  sections.reduce((sum, { text }) => sum + text.length, against.heard?.text.length ?? 0);

export function inspection(document: InspectedVersion): Inspection {
  const { sections, against, edited } = document;
  const transcript = against.heard?.text ?? '';
  const provenance = edited ? traced(edited, sections, transcript) : document.provenance;
  const found = measureLength(document) <= maxCheckedLength ? prepareChecks(against)(sections, provenance) : undefined;
  return { provenance, found };
}

function traced(
  { before, previous = [], ...edit }: NonNullable<InspectedVersion['edited']>,
  sections: readonly Section[],
  transcript: string,
): Provenance {
  const known = previous.reduce(
    (present, version) => withRestoredSections(present, version, sections, transcript),
    before,
  );
  return traceEdit(known, sections, { ...edit, transcript });
}

/** More fields than people read about. */
const maxOpenFields = 200;

/** The unfilled fields of a report, even if it is too long to check. */
export const openFields = (sections: readonly Section[], language: Language): Finding[] =>
  toFindings(
    checkFields(sections).slice(0, maxOpenFields),
    language,
    sections.map(({ key }) => key),
  );
