/**
 * The audit trail: numbered entries, each with the hash of its predecessor, and the head, which identifies the last one. The
 * transaction of a change writes its entry and the head, so entries are in the order of transactions. Older entries move to
 * segments (segments.ts). See docs/decisions/0032 and 0049.
 */
import { hash } from 'node:crypto';
import type { AuditEntry, AuditHead } from '../../../src/contract/audit.ts';
import type { Blobs } from '../../storage/blobs/blobs.ts';
import type { Reader, Writer } from '../../storage/store.ts';

/** Storage of the trail: newest entries in the store, the others in blobs. */
export interface Trail {
  readonly store: Reader;
  readonly blobs: Pick<Blobs, 'read'>;
}

/** An event without a position in the trail. */
export type Fact = Omit<AuditEntry, 'number' | 'previous'>;

const headId = 'head';
export const noHead: AuditHead = { number: 0, hash: '' };

/** Pads numbers, so that ids sort like them. */
const padNumber = (number: number): string => String(number).padStart(12, '0');
export const entryId = (number: number): string => `aud_${padNumber(number)}`;
export const segmentId = (first: number): string => `ads_${padNumber(first)}`;

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
      // Older entries lack these fields.
      ...(entry.removed ? [[entry.removed.number, entry.removed.hash, entry.removed.kept_s]] : []),
      ...(entry.count === undefined ? [] : [{ count: entry.count }]),
    ]),
    'base64url',
  );

/** Maximum of ids in an entry. */
export const maxIds = 1000;

/** Splits a fact with many documents into several entries. */
function* splitFact(fact: Fact): Generator<Fact> {
  if (fact.ids.length <= maxIds) return yield fact;
  for (let from = 0; from < fact.ids.length; from += maxIds)
    yield { ...fact, ids: fact.ids.slice(from, from + maxIds) };
}

/** The end of the trail. */
export async function readHead(reader: Reader): Promise<AuditHead> {
  const kept = await reader.get('audit_head', headId);
  return kept ? { number: kept.number, hash: kept.hash } : noHead;
}

/** Number of the last entry in the store; a manipulated head may have any number. */
export async function readLastNumber(reader: Reader): Promise<number> {
  const { number } = await readHead(reader);
  const [newest] = await reader.find('audit', { limit: 1 });
  return Math.min(number, newest?.number ?? 0);
}

/** Appends the facts within their transaction. */
export async function appendFacts(tx: Writer, facts: readonly Fact[]): Promise<void> {
  let { number, hash: previous } = await readHead(tx);
  for (const fact of facts) {
    for (const piece of splitFact(fact)) {
      const entry: AuditEntry = { ...piece, number: ++number, previous };
      tx.put('audit', { id: entryId(number), ...entry });
      previous = hashOf(entry);
    }
  }
  tx.put('audit_head', { id: headId, number, hash: previous });
}
