/** Fields that an export omits: audio, which is no text, and secrets unless the operator requests them. */
import { createWebhookSecret } from '../../../src/node/http/webhook-signature.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { CollectionName, Documents } from '../../storage/collections.ts';
import type { StoredDocument } from '../../storage/store.ts';

/** Collections of secrets, and of documents that are useless without them. */
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
  'shared_files',
  'shared_pieces',
  'app_sessions',
  'operator_sessions',
];

/** Collections that no reset removes. */
export const lastingCollections: readonly CollectionName[] = [
  'audit_segments',
  'audit',
  'audit_facts',
  'audit_head',
  'erasures',
];

/** The audit trail, which only the server writes. An export contains it only if named explicitly; a seed never accepts it. */
export const trailCollections: readonly CollectionName[] = ['audit_segments', 'audit', 'audit_facts', 'audit_head'];

/** Collections that an export may be limited to. Entries in segments belong to `audit`. */
export const listExportable = (withSecrets = false): CollectionName[] =>
  collectionNames.filter((name) => name !== 'audit_segments' && (withSecrets || !secretCollections.includes(name)));

type Fields = { readonly [C in CollectionName]?: { readonly [F in keyof Documents[C]]?: () => Documents[C][F] } };

/** Values that replace withheld fields of new documents; a hash becomes one that no secret matches. */
const unexported: Fields = {
  records: { audio_blob: () => null },
  jobs: { audio: () => null },
  // Where they arrive, they have to be applied.
  erasures: { applied_at: () => null },
};
const secrets: Fields = {
  clients: { secret_hash: () => '', former_secret: () => undefined },
  users: { password_hash: () => '', pin: () => undefined },
  channels: { secrets: () => ({}) },
  webhooks: { secrets: () => [{ secret: createWebhookSecret(), until: null }] },
  subscriptions: { headers: () => [] },
};

type AnyFields = Readonly<Record<string, () => unknown>>;
const getFields = (of: Fields, collection: CollectionName): AnyFields => (of[collection] ?? {}) as AnyFields;

/** A document in the form of an export. */
export function toExported({ collection, document }: StoredDocument, withSecrets: boolean): StoredDocument {
  const hidden = { ...getFields(unexported, collection), ...(withSecrets ? {} : getFields(secrets, collection)) };
  const exported = Object.entries(document).filter(([name]) => !Object.hasOwn(hidden, name));
  return { collection, document: Object.fromEntries(exported) } as unknown as StoredDocument;
}

/** Completes an exported document: withheld fields come from `present`, or are created. Its own audio fields are ignored. */
export function completeExported<C extends CollectionName>(
  collection: C,
  document: Documents[C],
  present: Documents[C] | undefined,
): Documents[C] {
  const completing = { ...getFields(unexported, collection), ...getFields(secrets, collection) };
  const isExported = (name: string): boolean =>
    Object.hasOwn(document, name) && !Object.hasOwn(getFields(unexported, collection), name);
  const added = Object.entries(completing)
    .filter(([name]) => !isExported(name))
    .map(([name, make]) => [name, present ? present[name as keyof Documents[C]] : make()])
    .filter(([, value]) => value !== undefined);
  return { ...document, ...Object.fromEntries(added) };
}

/** Required fields that a line of an export may lack. */
export const withheldFields = (collection: CollectionName): readonly string[] =>
  Object.keys({ ...getFields(unexported, collection), ...getFields(secrets, collection) });
