/** Restricts the data of a patient: it is kept, and nobody reads, changes, sends or removes it until it is released. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Restriction } from '../../../src/contract/patient.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Actor } from '../../storage/actor.ts';
import type { StoredDocument, Transaction } from '../../storage/store.ts';
import type { OperationDeps } from '../deps.ts';
import { addToTrash, moveToTrash, restoreEntry } from '../maintenance/trash.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import { noSuchPatient } from './person.ts';
import type { Subject } from './person.ts';

/** The exams with what belongs to them go in one transaction; what others store of it meanwhile goes in further ones. */
export async function restrictPatient(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  subject: Subject,
  actor: Actor,
): Promise<Restriction> {
  const matcher = createMatcher(recognise(subject), [subject.id]);
  let count = 0;
  for (;;) {
    const found = (await collectDocuments(store, matcher)).filter(({ collection }) => collection !== 'trash');
    if (found.length === 0 && count > 0)
      return { id: subject.id, restricted: true, at: isoNow(clock), documents: count };
    const isFirst = count === 0;
    count += await store.transact(
      async (tx) => {
        const documents = await takeDocuments(tx, found);
        if (!isFirst) await addToTrash(tx, subject.id, documents);
        else if (documents.some(({ document }) => document.id === subject.id)) {
          // The entry has the id by which the operator named the patient.
          documents.sort(
            (one, other) => Number(other.document.id === subject.id) - Number(one.document.id === subject.id),
          );
          moveToTrash(tx, clock, 'patient', documents);
        } else throw noSuchPatient();
        return documents.length;
      },
      () => actor,
    );
  }
}

/** The documents as they are now. Answers to repeated requests are only removed. */
async function takeDocuments(tx: Transaction, found: readonly StoredDocument[]): Promise<StoredDocument[]> {
  const documents: StoredDocument[] = [];
  for (const { collection, document } of found) {
    const present = await tx.get(collection, document.id);
    if (present && collection === 'idempotency') tx.remove(collection, document.id);
    else if (present) documents.push({ collection, document: present } as StoredDocument);
  }
  return documents;
}

/** Brings everything back. NOT_FOUND if it is not restricted, IDENTIFIER_CONFLICT if a new exam has its place. */
export async function releasePatient(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  id: string,
  actor: Actor,
): Promise<Restriction> {
  return store.transact(
    async (tx) => {
      const entry = await tx.get('trash', id);
      if (entry?.kind !== 'patient') {
        throw new AppError('NOT_FOUND', { message: 'No patient is restricted under this id.' });
      }
      const { documents } = await restoreEntry(tx, { clock }, id);
      return { id, restricted: false, at: isoNow(clock), documents: documents.length };
    },
    () => actor,
  );
}
