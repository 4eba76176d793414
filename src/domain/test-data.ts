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
/** Not `Test Patientson`, `Test Patient-Smith` or `TESTE^PACIENTE^MARIA`; but `Test Patient's chest`. */
const opening = new RegExp(`^(?:${anyName})(?:['’]s(?!\\p{L})|(?![\\p{L}\\p{N}_]|\\s*\\^|[-'’]\\p{L}))`, 'u');

/**
 * Whether the whole name is that of a test patient, without regard to case and accents, also as DICOM `FAMILY^GIVEN`.
 * Each group of writing must be such a name, so that no other name travels along.
 */
export function isTestPatientName(name: string): boolean {
  if (asWritten.has(name)) return true;
  const groups = name.split('=').filter((group) => /[^\s^]/.test(group));
  return groups.length > 0 && groups.every((group) => group.length <= 200 && wholeName.test(foldLetters(group)));
}

/** Whether the text opens with the name of a test patient, as whole words. */
export const startsWithTestPatientName = (text: string): boolean =>
  opening.test(foldLetters(text.trimStart().slice(0, 200)));
