/**
 * The audit trail: entries under their numbers, each with the hash of the one before, and the head, which names the last of
 * them. The transaction of a change writes its entry and the head, so entries follow one another as the transactions do. Older
 * entries move to segments (segments.ts). See docs/decisions/0032 and 0049.
 */
import { hash } from 'node:crypto';
import type { AuditEntry, AuditHead } from '../../../src/contract/audit.ts';
import type { Blobs } from '../../storage/blobs/blobs.ts';
import type { Reader, Writer } from '../../storage/store.ts';

/** Where the trail lies: its newest entries in the store, the others in blobs. */
export interface Trail {
  readonly store: Reader;
  readonly blobs: Pick<Blobs, 'read'>;
}

/** What happened, before it has a place in the trail. */
export type Fact = Omit<AuditEntry, 'number' | 'previous'>;

const headId = 'head';
export const noHead: AuditHead = { number: 0, hash: '' };

/** Ids sort as the numbers do. */
const padded = (number: number): string => String(number).padStart(12, '0');
export const entryId = (number: number): string => `aud_${padded(number)}`;
export const segmentId = (first: number): string => `ads_${padded(first)}`;

/** SHA-256, in base64url, of the entry's fields as JSON, in the order of the contract. */
export const hashOf = (entry: AuditEntry): string =>
  hash(
    'sha256',
    JSON.stringify([
      entry.number,
      entry.at,
      entry.by,
      entry.user_id,
      entry.client_id,
      entry.action,
      entry.kind,
      entry.ids,
      entry.outcome,
      entry.request_id,
      entry.address,
      entry.previous,
      entry.replaced ? [entry.replaced.number, entry.replaced.hash] : null,
      // Entries of before there was retention have no place for this.
      ...(entry.removed ? [[entry.removed.number, entry.removed.hash, entry.removed.kept_s]] : []),
    ]),
    'base64url',
  );

/** Ids that one entry names, at most. */
export const mostIds = 1000;

/** A fact of many documents in several entries. */
function* pieces(fact: Fact): Generator<Fact> {
  if (fact.ids.length <= mostIds) return yield fact;
  for (let from = 0; from < fact.ids.length; from += mostIds)
    yield { ...fact, ids: fact.ids.slice(from, from + mostIds) };
}

/** The end of the trail. */
export async function headOf(reader: Reader): Promise<AuditHead> {
  const kept = await reader.get('audit_head', headId);
  return kept ? { number: kept.number, hash: kept.hash } : noHead;
}

/** Number of the last entry in the store; a head that was changed may say anything. */
export async function lastIn(reader: Reader): Promise<number> {
  const { number } = await headOf(reader);
  const [newest] = await reader.find('audit', { limit: 1 });
  return Math.min(number, newest?.number ?? 0);
}

/** Appends the facts within their transaction. */
export async function append(tx: Writer, facts: readonly Fact[]): Promise<void> {
  let { number, hash: previous } = await headOf(tx);
  for (const fact of facts) {
    for (const piece of pieces(fact)) {
      const entry: AuditEntry = { ...piece, number: ++number, previous };
      tx.put('audit', { id: entryId(number), ...entry });
      previous = hashOf(entry);
    }
  }
  tx.put('audit_head', { id: headId, number, hash: previous });
}
