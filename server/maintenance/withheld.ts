/** What an export leaves out: audio, since it is no text, and secrets unless they are asked for. */
import { createWebhookSecret } from '../../src/node/http/webhook-signature.ts';
import type { CollectionName, Documents } from '../store/collections.ts';
import type { StoredDocument } from '../store/store.ts';

/** Collections that hold nothing but secrets and what only makes sense with them. */
export const secretCollections: readonly CollectionName[] = [
  'grants',
  'codes',
  'refresh_tokens',
  'idempotency',
  'settings',
];

type Fields = { readonly [C in CollectionName]?: { readonly [F in keyof Documents[C]]?: () => Documents[C][F] } };

/** Field → what a new document has in its place; of a hash, one that no secret gives. */
const audio: Fields = { records: { audio_blob: () => null }, jobs: { audio: () => null } };
const secrets: Fields = {
  clients: { secret_hash: () => '' },
  users: { password_hash: () => '' },
  webhooks: { secrets: () => [{ secret: createWebhookSecret(), until: null }] },
};

type AnyFields = Readonly<Record<string, () => unknown>>;
const fieldsOf = (of: Fields, collection: CollectionName): AnyFields => (of[collection] ?? {}) as AnyFields;

/** A document as an export shows it. */
export function shown({ collection, document }: StoredDocument, withSecrets: boolean): StoredDocument {
  const hidden = { ...fieldsOf(audio, collection), ...(withSecrets ? {} : fieldsOf(secrets, collection)) };
  const kept = Object.entries(document).filter(([name]) => !Object.hasOwn(hidden, name));
  return { collection, document: Object.fromEntries(kept) } as unknown as StoredDocument;
}

/** Such a document with what was left out: as `present` has it, or else anew. Audio never comes with a document. */
export function completed<C extends CollectionName>(
  collection: C,
  document: Documents[C],
  present: Documents[C] | undefined,
): Documents[C] {
  const completing = { ...fieldsOf(audio, collection), ...fieldsOf(secrets, collection) };
  const isGiven = (name: string): boolean =>
    Object.hasOwn(document, name) && !Object.hasOwn(fieldsOf(audio, collection), name);
  const added = Object.entries(completing)
    .filter(([name]) => !isGiven(name))
    .map(([name, make]) => [name, present ? present[name as keyof Documents[C]] : make()]);
  return { ...document, ...Object.fromEntries(added) };
}

/** Names that a line of an export may do without. */
export const withheldFields = (collection: CollectionName): readonly string[] =>
  Object.keys({ ...fieldsOf(audio, collection), ...fieldsOf(secrets, collection) });
