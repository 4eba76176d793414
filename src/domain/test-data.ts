/** The patient names that test mode accepts (specification, section 1). */
import { foldLetters } from './search-text.ts';

/** As people write them. */
export const testPatientNames = [
  'Test Patient',
  'Paciente Teste',
  'Sample Patient',
  'Demo Patient',
  'Anonymous Patient',
  'Paciente Anônimo',
] as const;

/** A name as written, or with its words as DICOM family and given name: senders disagree about which is which. */
const anyName = testPatientNames
  .map((name) => foldLetters(name).split(' '))
  .flatMap(([first, second]) => [
    `${first}\\s+${second}`,
    `${first}\\s*\\^\\s*${second}`,
    `${second}\\s*\\^\\s*${first}`,
  ])
  .join('|');
const asWritten = new Set<string>(testPatientNames);
const wholeName = new RegExp(`^[\\s^]*(?:${anyName})[\\s^]*$`);
/**
 * Not `Test Patientson`, `Test Patient-Smith` or `TESTE^PACIENTE^MARIA`; but `Test Patient's chest`. Of a text whose
 * runs of white space are single spaces: the search for a longer run would not be linear.
 */
const wholeWords = new RegExp(
  `(?<![\\p{L}\\p{N}_^]|\\^ |\\p{L}[-'’])(?:${anyName})(?:['’]s(?!\\p{L})|(?![\\p{L}\\p{N}_]| ?\\^|[-'’]\\p{L}))`,
  'u',
);

/**
 * Whether the whole name is that of a test patient, without regard to case and accents, also as DICOM `FAMILY^GIVEN`.
 * Each group of writing must be such a name, so that no other name travels along.
 */
export function isTestPatientName(name: string): boolean {
  if (asWritten.has(name)) return true;
  const groups = name.split('=').filter((group) => /[^\s^]/.test(group));
  return groups.length > 0 && groups.every((group) => group.length <= 200 && wholeName.test(foldLetters(group)));
}

/** Whether the text contains the name of a test patient, as whole words at any place. */
export const containsTestPatientName = (text: string): boolean =>
  wholeWords.test(foldLetters(text).replace(/\s+/g, ' '));
