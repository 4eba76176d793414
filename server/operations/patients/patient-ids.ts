import type { Store } from '../../storage/store.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import { findSubject } from './person.ts';

/** The ids under which the trail has a patient, or an erased one by the id of the erasure. NOT_FOUND if there is neither. */
export async function findPatientIds(store: Store, id: string): Promise<ReadonlySet<string>> {
  const erasure = await store.get('erasures', id);
  if (erasure) return new Set([...erasure.documents, erasure.id]);
  const subject = await findSubject(store, id);
  const matcher = createMatcher(recognise(subject), [id]);
  await collectDocuments(store, matcher);
  return matcher.ids;
}
