/** Counts all that is held of a patient, by the matcher of exports and erasures. */
import type { PatientHoldings } from '../../../src/contract/patient.ts';
import { noteAudio } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import type { Store, StoredDocument } from '../../storage/store.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import type { Subject } from './person.ts';

export async function countHoldings(
  store: Pick<Store, 'dump'>,
  subject: Subject,
  signal: AbortSignal,
): Promise<PatientHoldings> {
  const { id, space, person } = subject;
  const documents: Record<string, number> = {};
  const audio: NamedAudio = new Map();
  let isRestricted = false;
  for (const stored of await collectDocuments(store, createMatcher(recognise(subject), [id]), signal)) {
    noteAudio(audio, stored);
    if (stored.collection === 'trash' && stored.document.kind === 'patient') isRestricted ||= stored.document.id === id;
    for (const { collection } of listContents(stored)) documents[collection] = (documents[collection] ?? 0) + 1;
  }
  return {
    id,
    space,
    patient_id: person?.patient_id ?? null,
    patient_name: person?.patient_name ?? null,
    patient_birth_date: person?.patient_birth_date ?? null,
    restricted: isRestricted,
    documents,
    audio_files: audio.size,
  };
}

/** An entry of the trash is its documents. */
const listContents = (stored: StoredDocument): readonly StoredDocument[] =>
  stored.collection === 'trash' ? (stored.document.documents as unknown as StoredDocument[]) : [stored];
