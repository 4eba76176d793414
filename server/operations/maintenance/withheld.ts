/** The fields that an export leaves out: audio, since it is not text, and secrets unless the operator asks for them. */
import { createWebhookSecret } from '../../../src/node/http/webhook-signature.ts';
import type { CollectionName, Documents } from '../../storage/collections.ts';
import type { StoredDocument } from '../../storage/store.ts';

/** Collections of secrets, and of documents that are of no use without them. */
export const secretCollections: readonly CollectionName[] = [
  'grants',
  'codes',
  'refresh_tokens',
  'devices',
  'assertions',
  'idempotency',
  'settings',
  'transcriptions',
  'sounds',
  'phrases',
  'trash',
];

/** The audit trail, which only the server writes. An export has it where it is asked for by name; a seed never takes it. */
export const trailCollections: readonly CollectionName[] = ['audit_segments', 'audit', 'audit_head'];

type Fields = { readonly [C in CollectionName]?: { readonly [F in keyof Documents[C]]?: () => Documents[C][F] } };

/** Field → the value that a new document gets in its place; a hash gets a value that no secret produces. */
const audio: Fields = { records: { audio_blob: () => null }, jobs: { audio: () => null } };
const secrets: Fields = {
  clients: { secret_hash: () => '', former_secret: () => undefined },
  users: { password_hash: () => '', pin: () => undefined },
  channels: { secrets: () => ({}) },
  webhooks: { secrets: () => [{ secret: createWebhookSecret(), until: null }] },
};

type AnyFields = Readonly<Record<string, () => unknown>>;
const fieldsOf = (of: Fields, collection: CollectionName): AnyFields => (of[collection] ?? {}) as AnyFields;

/** A document as an export shows it. */
export function shown({ collection, document }: StoredDocument, withSecrets: boolean): StoredDocument {
  const hidden = { ...fieldsOf(audio, collection), ...(withSecrets ? {} : fieldsOf(secrets, collection)) };
  const exported = Object.entries(document).filter(([name]) => !Object.hasOwn(hidden, name));
  return { collection, document: Object.fromEntries(exported) } as unknown as StoredDocument;
}

/**
 * Completes a document of an export: withheld fields come from `present`, or else are made anew. Audio fields of the
 * document itself do not count.
 */
export function completed<C extends CollectionName>(
  collection: C,
  document: Documents[C],
  present: Documents[C] | undefined,
): Documents[C] {
  const completing = { ...fieldsOf(audio, collection), ...fieldsOf(secrets, collection) };
  const isExported = (name: string): boolean =>
    Object.hasOwn(document, name) && !Object.hasOwn(fieldsOf(audio, collection), name);
  const added = Object.entries(completing)
    .filter(([name]) => !isExported(name))
    .map(([name, make]) => [name, present ? present[name as keyof Documents[C]] : make()])
    .filter(([, value]) => value !== undefined);
  return { ...document, ...Object.fromEntries(added) };
}

/** The required fields that a line of an export may lack. */
export const withheldFields = (collection: CollectionName): readonly string[] =>
  Object.keys({ ...fieldsOf(audio, collection), ...fieldsOf(secrets, collection) });
