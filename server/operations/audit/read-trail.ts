/** Reads the audit trail backwards or from an entry on, from store and segments, in steps that block nobody. */
import type { AuditEntry } from '../../../src/contract/audit.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import {
  parseEntry,
  linesFromEnd,
  linesFromStart,
  readNumber,
  readSegment,
  findSegmentBefore,
  findSegment,
} from './segments.ts';
import type { Segment } from './segments.ts';
import { entryId, readLastNumber } from './trail.ts';
import type { Trail } from './trail.ts';
import { lastElement } from '../../../src/domain/elements.ts';

export interface TrailFilter {
  readonly id?: string | undefined;
  readonly user_id?: string | undefined;
  readonly client_id?: string | undefined;
}

export interface TrailQuery extends TrailFilter {
  /** Only entries about one of these documents. */
  readonly about?: ReadonlySet<string> | undefined;
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export const matchesFilter = ({ id, user_id, client_id }: TrailFilter, entry: AuditEntry): boolean =>
  (id === undefined || entry.ids.includes(id)) &&
  (user_id === undefined || entry.user_id === user_id) &&
  (client_id === undefined || entry.client_id === client_id);

/** Text in the line of every matching entry: searching for it takes a tenth of the time of parsing. */
function toNeedle({ id, user_id, client_id }: TrailFilter): string | undefined {
  if (id !== undefined) return JSON.stringify(id);
  if (user_id !== undefined) return `"user_id":${JSON.stringify(user_id)}`;
  return client_id === undefined ? undefined : `"client_id":${JSON.stringify(client_id)}`;
}

/** Entries per page. */
const step = 500;

/** Newest first. Rejects with AppError INTERNAL_ERROR if a needed segment is damaged. */
export async function listEntries(
  trail: Trail,
  { limit = 50, before, since, until, about, ...filter }: TrailQuery,
): Promise<{ items: AuditEntry[]; next_before: number | null }> {
  const from = since === undefined ? -Infinity : Date.parse(since);
  const to = until === undefined ? Infinity : Date.parse(until);
  const isWithin = ({ at, ids }: AuditEntry): boolean =>
    Date.parse(at) >= from && Date.parse(at) <= to && (about === undefined || ids.some((id) => about.has(id)));
  const mayHave = (segment: Segment): boolean => Date.parse(segment.to) >= from && Date.parse(segment.from) <= to;
  const items: AuditEntry[] = [];
  for await (const entry of entriesBefore(trail, Math.min(before ?? aboveAll, aboveAll), {
    needle: toNeedle(filter),
    mayHave,
  })) {
    if (!isWithin(entry) || !matchesFilter(filter, entry)) continue;
    if (items.length === limit) return { items, next_before: lastElement(items).number };
    items.push(entry);
  }
  return { items, next_before: null };
}

interface SegmentFilter {
  /** Skips lines of segments without this text. */
  readonly needle: string | undefined;
  /** Whether a segment may contain matches. */
  mayHave(segment: Segment): boolean;
}

/** Greater than all numbers, which have twelve digits in ids. */
const aboveAll = 999_999_999_999;

/** Newest first. */
async function* entriesBefore(
  trail: Trail,
  before: number,
  { needle, mayHave }: SegmentFilter,
): AsyncGenerator<AuditEntry, void> {
  const { store } = trail;
  const breathe = createBreaks();
  let next = before;
  for (let isLast = false; !isLast;) {
    const entries = await store.find('audit', { limit: step, before: entryId(next) });
    for (const { id: _id, ...entry } of entries) {
      next = entry.number;
      yield entry;
      const turn = breathe();
      if (turn) await turn;
    }
    isLast = entries.length < step;
  }
  // An entry is in its segment before it leaves the store, so moved entries are found here.
  for (;;) {
    const segment = await findSegmentBefore(store, next);
    if (!segment || segment.blob === null) return;
    if (mayHave(segment)) {
      for (const line of linesFromEnd(await readSegment(trail, segment))) {
        const turn = breathe();
        if (turn) await turn;
        if (readNumber(line) >= next || (needle !== undefined && !line.includes(needle))) continue;
        yield parseEntry(line);
      }
    }
    next = segment.first;
  }
}

/** The entries after that number, oldest first; removed and missing ones are skipped. */
export async function* entriesAfter(trail: Trail, number: number): AsyncGenerator<AuditEntry, void> {
  const { store } = trail;
  const breathe = createBreaks();
  for (let next = number + 1; ;) {
    const segment = await findSegment(store, next);
    if (!segment) {
      const kept = await store.get('audit', entryId(next));
      // The entry may have moved between the two reads.
      if (!kept && (await findSegment(store, next))) continue;
      if (!kept && next > (await readLastNumber(store))) return;
      if (kept) {
        const { id: _id, ...entry } = kept;
        yield entry;
      }
      const turn = breathe();
      if (turn) await turn;
      next++;
      continue;
    }
    if (segment.blob !== null) {
      for (const line of linesFromStart(await readSegment(trail, segment))) {
        const turn = breathe();
        if (turn) await turn;
        if (readNumber(line) >= next) yield parseEntry(line);
      }
    }
    next = segment.last + 1;
  }
}
