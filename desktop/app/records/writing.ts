/** A report typed before a record existed, stored until the service has made the record. */
import type { GenerateRequest } from '../../../src/contract/record.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { textOf } from '../../../src/domain/record-state.ts';
import { sectionTitle } from '../../../src/reporting/sections/section-titles.ts';
import { containsTestPatientName, isTestPatientName } from '../../../src/domain/test-data.ts';
import type { CallInput } from '../../bridge/calls.ts';

export type Writing = Pick<CallInput<'record.write'>, 'sections' | 'language' | 'template_id'> &
  Pick<GenerateRequest, 'brought'>;
/** An earlier version of the app stored the sections as one text. */
export type KeptWriting = Writing | (Omit<Writing, 'sections'> & { readonly text: string });

/** The request that makes the record. */
export function bodyOfWriting({ template_id, ...written }: KeptWriting): GenerateRequest {
  const words = 'sections' in written ? written : { ...written, verbatim: true };
  return { ...words, ...(template_id !== null && { template_id }) };
}

/** As one text, to read. */
export const textOfWriting = (writing: KeptWriting): string =>
  'sections' in writing ? textOf(writing.sections.filter(({ text }) => text.trim() !== '')) : writing.text;

/** In test mode a text must contain the name of its patient (specification, section 1). */
export function withPatient(writing: Writing, exam: WorklistItem): Writing {
  const { sections, language } = writing;
  if (sections.some((section) => containsTestPatientName(section.text))) return writing;
  const { display_name: shown, patient_name: sent } = exam;
  const text = `${isTestPatientName(shown) ? shown : sent}.`;
  return { ...writing, sections: [{ key: 'patient', title: sectionTitle(language, 'patient'), text }, ...sections] };
}
