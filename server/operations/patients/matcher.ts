/** Recognises everything that belongs to a patient, one stored document after the other. */
import { AppError } from '../../../src/contract/errors.ts';
import { foldText } from '../../../src/domain/search-text.ts';
import { findLongestWord } from '../../../src/domain/same-name.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { CollectionName, Documents } from '../../storage/collections.ts';
import type { Store, StoredDocument } from '../../storage/store.ts';
import { isSamePerson, readPerson } from './person.ts';
import type { Person, Subject } from './person.ts';

export interface PatientMatcher {
  /** Remembers the ids of matches: later documents belong to the patient by them. */
  matches(stored: StoredDocument): boolean;
  readonly ids: ReadonlySet<string>;
}

/** How documents of a space are recognised that name a person. */
export interface Recognition {
  readonly space: string;
  /** `undefined`: nobody is sought, only what belongs to the ids. */
  readonly isPerson: ((person: Person) => boolean) | undefined;
  /** Whether the bytes of a message are about the person. */
  readonly isAbout: ((text: string) => boolean) | undefined;
}

const ownId = /[a-z]{3}_[0-9A-Z]{26}/g;

export function createMatcher({ space, isPerson, isAbout }: Recognition, known: Iterable<string>): PatientMatcher {
  const ids = new Set(known);
  const has = (id: unknown): boolean => typeof id === 'string' && ids.has(id);
  const isOurs = (stored: StoredDocument): boolean => {
    const person = isPerson && readPerson(stored);
    return Boolean(person && isPerson?.(person)) && (stored.document as { space?: string }).space === space;
  };
  /** Whether the value names a document of the patient anywhere. */
  const names = (value: unknown): boolean =>
    (JSON.stringify(value) ?? '').match(ownId)?.some((id) => ids.has(id)) ?? false;

  const rules: { readonly [C in CollectionName]?: (document: Documents[C]) => boolean } = {
    history: ({ item_id: id }) => has(id),
    records: ({ worklist_item_id: id }) => has(id),
    versions: ({ record_id: id }) => has(id),
    told_patients: ({ space: other, merge }) =>
      other === space &&
      isPerson !== undefined &&
      Boolean(merge?.into) &&
      isPerson({
        ...nobody,
        patient_id: merge?.into?.patient_id ?? '',
        issuer: merge?.into?.patient_id_issuer ?? null,
      }),
    prior_versions: ({ prior_id: id }) => has(id),
    jobs: ({ worklist_item_id: item, record_id: record }) => has(item) || has(record),
    transcriptions: ({ worklist_item_id: id }) => has(id),
    sounds: ({ transcription_id: id }) => has(id),
    phrases: ({ transcription_id: id }) => has(id),
    deliveries: ({ event }) => names(event.data),
    messages: ({ space: other, record_id, worklist_item_id, content, subject }) =>
      has(record_id) ||
      has(worklist_item_id) ||
      (other === space &&
        isPerson !== undefined &&
        subject?.patient_ids.some((id) => isPerson({ ...nobody, patient_id: id, issuer: null }))) ||
      (other === space && content !== undefined && (isAbout?.(Buffer.from(content, 'base64').toString()) ?? false)),
    idempotency: ({ data }) => names(data),
    trash: ({ documents }) => (documents as unknown as StoredDocument[]).filter(matches).length > 0,
  };

  function matches(stored: StoredDocument): boolean {
    const { collection, document } = stored;
    const rule = rules[collection] as ((document: unknown) => boolean) | undefined;
    if (!ids.has(document.id) && !isOurs(stored) && !rule?.(document)) return false;
    if (isNamed(collection)) ids.add(document.id);
    return true;
  }
  return { ids, matches };
}

const nobody = { patient_name: '', patient_birth_date: null };

/** Other documents name these by their ids. */
const namedCollections: ReadonlySet<CollectionName> = new Set<CollectionName>([
  'items',
  'records',
  'told_patients',
  'priors',
  'jobs',
  'transcriptions',
  'messages',
]);
const isNamed = (collection: CollectionName): boolean => namedCollections.has(collection);

/** The patient of a subject, as the worklist recognises people. */
export const recognise = ({ space, person }: Pick<Subject, 'space' | 'person'>): Recognition => ({
  space,
  isPerson: person && ((other) => isSamePerson(person, other)),
  isAbout: person && createMessageTest(person),
});

/** A message is about the person if it has the whole id and a name. A number alone may be anything. */
function createMessageTest({ patient_id: id, patient_name: name }: Person): (text: string) => boolean {
  const word = findLongestWord(name);
  return (text) => {
    if (word === '' || !containsWhole(text, id)) return false;
    return foldText(text).includes(foldText(word));
  };
}

const isPartOfId = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

function containsWhole(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    if (!isPartOfId(text[at - 1]) && !isPartOfId(text[at + id.length])) return true;
  }
  return false;
}

/** Reads everything, and blocks nobody. Throws AppError INTERRUPTED once the signal is aborted. */
export async function* readEverything(
  { dump }: Pick<Store, 'dump'>,
  signal?: AbortSignal,
): AsyncGenerator<StoredDocument, void> {
  const breathe = createBreaks();
  for await (const stored of dump()) {
    if (signal?.aborted) throw new AppError('INTERRUPTED');
    yield stored;
    const turn = breathe();
    if (turn) await turn;
  }
}

/**
 * The stored documents of the patient, as they were at one moment. Collections lie behind those that their documents name, but for
 * what a trashed exam left behind: if the trash names further ids, all is read again. Throws AppError INTERRUPTED once the signal is
 * aborted.
 */
export async function collectDocuments(
  store: Pick<Store, 'dump'>,
  matcher: PatientMatcher,
  signal?: AbortSignal,
): Promise<StoredDocument[]> {
  for (;;) {
    const found: StoredDocument[] = [];
    let isWhole = true;
    for await (const stored of readEverything(store, signal)) {
      const before = matcher.ids.size;
      if (!matcher.matches(stored)) continue;
      found.push(stored);
      if (stored.collection === 'trash' && matcher.ids.size > before) isWhole = false;
    }
    if (isWhole) return found;
  }
}
