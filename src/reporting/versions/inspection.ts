/** What is found out about each version of a document: where its words come from, and what to look at before it is signed. */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { prepareChecks } from '../checks/check.ts';
import type { CheckInput } from '../checks/check.ts';
import { checkFields } from '../checks/completeness.ts';
import { toFindings } from '../checks/finding.ts';
import type { Finding } from '../checks/finding.ts';
import { traceEdit, withReturned } from './edits.ts';
import type { Edit, Traced } from './edits.ts';
import type { Provenance } from './provenance.ts';

/** A version to be looked at. */
export interface Inspected {
  readonly sections: readonly Section[];
  readonly against: CheckInput;
  /** Where its words come from, as far as that is known. */
  readonly provenance?: Provenance | undefined;
  /** What it was made of, and by whom, where somebody changed the document; `former`: versions from which sections came back. */
  readonly edited?: { readonly before: Traced; readonly former?: readonly Traced[] } & Omit<Edit, 'transcript'>;
}

export interface Inspection {
  readonly provenance: Provenance | undefined;
  /** `undefined`: the document is too long to be checked. */
  readonly found: readonly Finding[] | undefined;
}

/** No report is longer; a text that is would be looked at for too long. */
const longest = 200_000;

/** Characters of the document and of what was said. */
export const lengthOf = ({ sections, against }: Inspected): number =>
  sections.reduce((sum, { text }) => sum + text.length, against.heard?.text.length ?? 0);

export function inspection(document: Inspected): Inspection {
  const { sections, against, edited } = document;
  const transcript = against.heard?.text ?? '';
  const provenance = edited ? traced(edited, sections, transcript) : document.provenance;
  const found = lengthOf(document) <= longest ? prepareChecks(against)(sections, provenance) : undefined;
  return { provenance, found };
}

function traced(
  { before, former = [], ...edit }: NonNullable<Inspected['edited']>,
  sections: readonly Section[],
  transcript: string,
): Provenance {
  const known = former.reduce((present, version) => withReturned(present, version, sections, transcript), before);
  return traceEdit(known, sections, { ...edit, transcript });
}

/** Nobody reads of more fields. */
const mostTold = 200;

/** The fields of a document that nobody has filled in: of a document too long to be checked as well. */
export const openFields = (sections: readonly Section[], language: Language): Finding[] =>
  toFindings(
    checkFields(sections).slice(0, mostTold),
    language,
    sections.map(({ key }) => key),
  );
