/** Finds patients by what an operator knows of them, restricted ones too. */
import { maxPatients } from '../../../src/contract/patient.ts';
import type { PatientQuery, PatientSummary } from '../../../src/contract/patient.ts';
import { wordsSought, foldText } from '../../../src/domain/search-text.ts';
import type { Store, StoredDocument } from '../../storage/store.ts';
import { readEverything } from './matcher.ts';
import { isSamePerson, readPerson } from './person.ts';
import type { Person } from './person.ts';

/** A patient while documents are counted. */
interface Candidate {
  readonly person: Person;
  readonly summary: { -readonly [F in keyof PatientSummary]: PatientSummary[F] };
}

export async function findPatients(
  store: Pick<Store, 'dump'>,
  query: PatientQuery,
  signal: AbortSignal,
): Promise<PatientSummary[]> {
  const isSought = createTest(query);
  const found: Candidate[] = [];
  const note = (stored: StoredDocument, restrictedAs?: string): void => {
    const person = readPerson(stored);
    const { id, space } = stored.document as { id: string; space: string };
    if (!person || (query.space !== undefined && query.space !== space) || !isSought(person, stored)) return;
    let candidate = found.find((each) => each.summary.space === space && isSamePerson(each.person, person));
    if (!candidate) {
      if (found.length > maxPatients) return;
      const { patient_id, patient_name, patient_birth_date } = person;
      const counts = { exams: 0, priors: 0, restricted: false };
      candidate = { person, summary: { id, space, patient_id, patient_name, patient_birth_date, ...counts } };
      found.push(candidate);
    }
    const { summary } = candidate;
    if (stored.collection === 'items') summary.exams += 1;
    if (stored.collection === 'priors') summary.priors += 1;
    // The id of what is restricted is that under which it can be released.
    if (restrictedAs === undefined) return;
    summary.restricted = true;
    summary.id = restrictedAs;
  };
  for await (const stored of readEverything(store, signal)) {
    if (stored.collection === 'trash') {
      const { id, kind, documents } = stored.document;
      for (const each of documents as unknown as StoredDocument[]) note(each, kind === 'patient' ? id : undefined);
    } else note(stored);
  }
  return found.map(({ summary }) => summary);
}

/** Every given field has to fit; the words of a name in any order, by their beginnings. */
function createTest({ patient_id: id, patient_name: name, accession_number: number }: PatientQuery) {
  const words = name === undefined ? [] : wordsSought(name);
  return (person: Person, { document }: StoredDocument): boolean => {
    if (id !== undefined && person.patient_id !== id) return false;
    if (number !== undefined && (document as { accession_number?: unknown }).accession_number !== number) return false;
    const parts = words.length === 0 ? [] : foldText(person.patient_name).split(' ');
    return words.every((word) => parts.some((part) => part.startsWith(word)));
  };
}
