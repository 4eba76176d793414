/** Restricts the data of a patient: it is kept, and nobody reads, changes, sends or removes it until it is released. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Restriction } from '../../../src/contract/patient.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Actor } from '../../storage/actor.ts';
import type { CollectionName } from '../../storage/collections.ts';
import type { StoredDocument } from '../../storage/store.ts';
import type { OperationDeps } from '../deps.ts';
import { moveToTrash, restoreEntry } from '../maintenance/trash.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import { noSuchPatient } from './person.ts';
import type { Subject } from './person.ts';

/** Answers to repeated requests are removed; what is in the trash stays there. */
const apart: ReadonlySet<CollectionName> = new Set<CollectionName>(['idempotency', 'trash']);

/** One transaction: no other request sees a part of it. */
export async function restrictPatient(
  { store, clock }: Pick<OperationDeps, 'store' | 'clock'>,
  subject: Subject,
  actor: Actor,
): Promise<Restriction> {
  const matcher = createMatcher(recognise(subject), [subject.id]);
  const found = await collectDocuments(store, matcher);
  return store.transact(
    async (tx) => {
      const documents: StoredDocument[] = [];
      for (const { collection, document } of found) {
        const present = collection === 'trash' ? undefined : await tx.get(collection, document.id);
        if (!present) continue;
        if (collection === 'idempotency') tx.remove(collection, document.id);
        else documents.push({ collection, document: present } as StoredDocument);
      }
      // The entry has the id by which the operator named the patient.
      documents.sort((one, other) => Number(other.document.id === subject.id) - Number(one.document.id === subject.id));
      const moved = documents.filter(({ collection }) => !apart.has(collection));
      if (moved[0]?.document.id !== subject.id) throw noSuchPatient();
      moveToTrash(tx, clock, 'patient', moved);
      return { id: subject.id, restricted: true, at: isoNow(clock), documents: moved.length };
    },
    () => actor,
  );
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
