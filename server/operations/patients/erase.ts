/**
 * Erases a patient for good: documents, audio, the trash and saved snapshots; then the store's own files are written afresh. What
 * stays is a note without patient data, so that a restored backup is erased again.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Erasure } from '../../../src/contract/patient.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { foldText } from '../../../src/domain/search-text.ts';
import { findLongestWord } from '../../../src/domain/same-name.ts';
import { readArchive, documentsPart } from '../../../src/node/files/backup-archive.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import { removeBlob } from '../../records/uploads/remove-blob.ts';
import { serviceActor } from '../../storage/actor.ts';
import type { Actor } from '../../storage/actor.ts';
import { noteAudio } from '../../storage/blobs/named-audio.ts';
import type { NamedAudio } from '../../storage/blobs/named-audio.ts';
import type { Documents } from '../../storage/collections.ts';
import { madeAt } from '../../storage/ids.ts';
import type { StoredDocument, Transaction } from '../../storage/store.ts';
import type { Backups } from '../backups/backups.ts';
import type { Care } from '../maintenance/care.ts';
import { removeDocument } from '../maintenance/trash.ts';
import { collectDocuments, createMatcher, recognise } from './matcher.ts';
import type { PatientMatcher } from './matcher.ts';
import type { Person, Subject } from './person.ts';

type ErasureNote = Documents['erasures'];
/** `backups`: those by schedule; `undefined`: there are none. */
type EraseDeps = Pick<Care, 'store' | 'blobs' | 'clock' | 'ids' | 'log' | 'snapshots' | 'readLines'> & {
  readonly backups?: Pick<Backups, 'listSince'> | undefined;
};

/** Documents per transaction: few, so that other transactions do not wait long. */
const batch = 100;

/** The counts of a removal. */
interface Removal {
  readonly documents: Record<string, number>;
  readonly audio: number;
  /** When the first removed document was made, in ms since 1970. */
  readonly since: number;
}

/** Erases the patient. Resolves once nothing of it is on the disks of the server. */
export async function erasePatient(deps: EraseDeps, subject: Subject, actor: Actor): Promise<Erasure> {
  const { store, clock, ids } = deps;
  const matcher = createMatcher(recognise(subject), [subject.id]);
  const id = ids('era');
  const note = (applied_at: string | null): ErasureNote => ({
    id,
    space: subject.space,
    at: isoNow(clock),
    documents: [...matcher.ids],
    person: subject.person ? toNotedPerson(subject.person) : null,
    applied_at,
  });
  const removed = await removeMatching(
    deps,
    matcher,
    () => actor,
    (tx) => tx.put('erasures', note(null)),
  );
  const snapshots = await removeSnapshots(deps, matcher);
  await store.compact();
  const done = note(isoNow(clock));
  await store.transact(
    async (tx) => tx.put('erasures', done),
    () => actor,
  );
  // The name of a backup has no milliseconds.
  const backups = await (deps.backups?.listSince(removed.since - 1000) ?? Promise.resolve([])).catch(() => null);
  return { id, erased_at: done.at, documents: removed.documents, audio_files: removed.audio, snapshots, backups };
}

/** Erases again what a restore brought back. Never rejects: what fails is tried again at the next start. */
export async function applyErasures(deps: EraseDeps): Promise<void> {
  const { store, clock, log } = deps;
  for (const note of await store.find('erasures', { is: { pending: 'pending' } })) {
    try {
      const { space, person, documents } = note;
      const isPerson = person === null ? undefined : (other: Person) => hashPerson(person.key, other) === person.hash;
      const matcher = createMatcher({ space, isPerson, isAbout: undefined }, documents);
      const actor = () => serviceActor('patients.erase');
      const removed = await removeMatching(deps, matcher, actor, () => {});
      const count = Object.values(removed.documents).reduce((sum, each) => sum + each, 0);
      if (count > 0) {
        await removeSnapshots(deps, matcher);
        await store.compact();
        log({ level: 'info', event: 'erased_again', erasure: note.id, documents: count });
      }
      await store.transact(async (tx) => tx.put('erasures', { ...note, applied_at: isoNow(clock) }), actor);
    } catch (error) {
      log({ level: 'error', event: 'erasure_failed', erasure: note.id, ...describeError(error) });
    }
  }
}

/** The name is part of it: placeholders such as `0` are the id of many people. */
const hashPerson = (key: string, { patient_id: id, patient_name: name }: Person): string =>
  createHmac('sha256', Buffer.from(key, 'base64'))
    .update(JSON.stringify([id, foldText(findLongestWord(name))]))
    .digest('base64url');

function toNotedPerson(person: Person): NonNullable<ErasureNote['person']> {
  const key = randomBytes(32).toString('base64');
  return { key, hash: hashPerson(key, person) };
}

/** Removes what matches, and what arrives meanwhile. `begin` is part of the first transaction. */
async function removeMatching(
  deps: EraseDeps,
  matcher: PatientMatcher,
  actor: () => Actor,
  begin: (tx: Transaction) => void,
): Promise<Removal> {
  const documents: Record<string, number> = {};
  const audio: NamedAudio = new Map();
  let isBegun = false;
  let since = deps.clock.now();
  for (let found = await collectDocuments(deps.store, matcher); ;) {
    for (let from = 0; from < found.length || !isBegun; from += batch) {
      const piece = found.slice(from, from + batch);
      const gone = await deps.store.transact(async (tx) => {
        if (!isBegun) begin(tx);
        const present: StoredDocument[] = [];
        for (const {
          collection,
          document: { id },
        } of piece) {
          const document = await tx.get(collection, id);
          if (!document) continue;
          const stored = { collection, document } as StoredDocument;
          removeDocument(tx, stored);
          present.push(stored);
        }
        return present;
      }, actor);
      isBegun = true;
      for (const stored of gone) {
        documents[stored.collection] = (documents[stored.collection] ?? 0) + 1;
        // Ids of other forms say no time.
        since = Math.min(since, madeAt(stored.document.id) || since);
        noteAudio(audio, stored);
      }
    }
    found = await collectDocuments(deps.store, matcher);
    if (found.length === 0) break;
  }
  for (const blob of audio.keys()) await removeBlob(deps, blob);
  return { documents, audio: audio.size, since };
}

/** Removes each saved snapshot that holds the patient, or cannot be read; returns their names. */
async function removeSnapshots({ snapshots, readLines }: EraseDeps, matcher: PatientMatcher): Promise<string[]> {
  const removed: string[] = [];
  for (const { name } of await snapshots.list()) {
    const archive = await snapshots.read(name);
    if (!archive || !(await holdsPatient(archive, readLines, matcher).catch(() => true))) continue;
    await snapshots.remove(name);
    removed.push(name);
  }
  return removed;
}

async function holdsPatient(
  archive: AsyncIterable<Uint8Array>,
  readLines: EraseDeps['readLines'],
  matcher: PatientMatcher,
): Promise<boolean> {
  for await (const { name, content } of readArchive(archive)) {
    if (name !== documentsPart) continue;
    for await (const line of readLines(content)) if (matcher.matches(line)) return true;
    return false;
  }
  return false;
}
