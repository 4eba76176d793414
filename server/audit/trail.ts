/**
 * The audit trail in the store: entries under their numbers, each with the hash of the one before, and the head, which names
 * the last of them. An entry is written by the transaction of what it tells, and so is the head; one follows the other as the
 * transactions do. See docs/decisions/0032.
 */
import { hash } from 'node:crypto';
import type { AuditEntry, AuditHead, AuditVerdict } from '../../src/contract/audit.ts';
import { createBreaks } from '../store/breaks.ts';
import type { Reader, Writer } from '../store/store.ts';

/** What happened, before it has a place in the trail. */
export type Fact = Omit<AuditEntry, 'number' | 'previous'>;

const headId = 'head';
export const noHead: AuditHead = { number: 0, hash: '' };

/** Ids sort as the numbers do. */
const entryId = (number: number): string => `aud_${String(number).padStart(12, '0')}`;

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

export interface TrailQuery {
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
  readonly id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly client_id?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Entries that are read at a time. */
const step = 500;

/** The newest entries first. A trail is long and rarely asked, so that a query reads it instead of an index. */
export async function listEntries(
  reader: Reader,
  { limit = 50, before, id, since, until, ...who }: TrailQuery,
): Promise<{ items: AuditEntry[]; next_before: number | null }> {
  const from = since === undefined ? -Infinity : Date.parse(since);
  const to = until === undefined ? Infinity : Date.parse(until);
  const items: AuditEntry[] = [];
  let last = before === undefined ? undefined : entryId(before);
  for (;;) {
    const entries = await reader.find('audit', { limit: step, ...(last !== undefined && { before: last }) });
    for (const { id: key, ...entry } of entries) {
      last = key;
      const at = Date.parse(entry.at);
      const isWanted =
        at >= from &&
        at <= to &&
        (id === undefined || entry.ids.includes(id)) &&
        (who.user_id === undefined || entry.user_id === who.user_id) &&
        (who.client_id === undefined || entry.client_id === who.client_id);
      if (!isWanted) continue;
      if (items.length === limit) return { items, next_before: items.at(-1)!.number };
      items.push(entry);
    }
    if (entries.length < step) return { items, next_before: null };
  }
}

/** Reads the trail from its beginning, and says where it breaks first. `noted`: an end that somebody noted earlier. */
export async function verify(reader: Reader, noted?: AuditHead): Promise<AuditVerdict> {
  const head = await headOf(reader);
  const entries = await reader.count('audit');
  const broken = await firstBreak(reader, head, entries, noted);
  return { sound: broken === null, entries, head, broken };
}

async function firstBreak(
  reader: Reader,
  head: AuditHead,
  entries: number,
  noted: AuditHead | undefined,
): Promise<AuditVerdict['broken']> {
  const breathe = createBreaks();
  let previous = '';
  for (let number = 1; number <= head.number; number++) {
    const kept = await reader.get('audit', entryId(number));
    if (!kept) return { number, problem: 'The entry is missing.' };
    const { id: _id, ...entry } = kept;
    if (entry.number !== number) return { number, problem: 'The entry has another number.' };
    if (entry.previous !== previous) {
      return {
        number: Math.max(1, number - 1),
        problem: 'The entry was changed after the next one was written, or the next one was.',
      };
    }
    previous = hashOf(entry);
    if (noted?.number === number && noted.hash !== previous) {
      return { number, problem: 'The entry is not the one that was noted.' };
    }
    const turn = breathe();
    if (turn) await turn;
  }
  if (previous !== head.hash) return { number: head.number, problem: 'The last entry was changed, or the head was.' };
  if (noted && noted.number > head.number) {
    return { number: head.number + 1, problem: 'The trail ends before the entry that was noted.' };
  }
  if (entries > head.number)
    return { number: head.number + 1, problem: 'There are entries that the trail does not lead to.' };
  return null;
}
