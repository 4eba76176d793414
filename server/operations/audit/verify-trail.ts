/** Verifies the audit trail from its beginning, through segments and store, and finds the first break. */
import type { AuditEntry, AuditHead, AuditRemoval, AuditVerdict } from '../../../src/contract/audit.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Reader } from '../../storage/store.ts';
import { readSegmentsEnd, parseEntry, linesFromStart, readContent, readRemoval, findSegment } from './segments.ts';
import type { Segment } from './segments.ts';
import { entryId, hashOf, readHead } from './trail.ts';
import type { Trail } from './trail.ts';

type Break = NonNullable<AuditVerdict['broken']>;

/** `noted`: an end noted earlier. Rejects with AppError NOT_FOUND if retention removed everything comparable with it. */
export async function verifyTrail(trail: Trail, noted?: AuditHead): Promise<AuditVerdict> {
  const { store } = trail;
  // In this order: the entry about the removal precedes the head.
  const removed = await readRemoval(store);
  const head = await readHead(store);
  if (noted && removed && noted.number < removed.number) throw refuseComparison(removed);
  const broken = await findFirstBreak(trail, { head, removed, noted });
  return { sound: broken === null, entries: head.number - (removed?.number ?? 0), head, removed, broken };
}

/** Data that the trail must agree with. */
interface ExpectedEnds {
  readonly head: AuditHead;
  readonly removed: AuditRemoval | null;
  readonly noted: AuditHead | undefined;
}

/** Compares each entry with its predecessor. */
class Chain {
  /** Number of the next entry. */
  next = 1;
  /** Hash of its predecessor. */
  hash = '';
  /** Whether an entry records the removal by retention. */
  isRemovalEntered: boolean;
  readonly #expected: ExpectedEnds;

  constructor(expected: ExpectedEnds) {
    this.#expected = expected;
    this.isRemovalEntered = expected.removed === null;
  }

  take(entry: AuditEntry): Break | undefined {
    const number = this.next;
    if (entry.number !== number) return { number, problem: 'The entry has another number.' };
    if (entry.previous !== this.hash) {
      return {
        number: Math.max(1, number - 1),
        problem: 'The entry was changed after the next one was written, or the next one was.',
      };
    }
    const { removed } = this.#expected;
    if (removed && entry.removed?.number === removed.number && entry.removed.hash === removed.hash)
      this.isRemovalEntered = true;
    return this.reach(number, hashOf(entry));
  }

  /** Continues after that entry. */
  reach(number: number, hash: string): Break | undefined {
    this.next = number + 1;
    this.hash = hash;
    const { head, noted } = this.#expected;
    if (noted?.number === number && noted.hash !== hash)
      return { number, problem: 'The entry differs from the noted one.' };
    return head.number === number && head.hash !== hash
      ? { number, problem: 'The last entry or the head was changed.' }
      : undefined;
  }
}

async function findFirstBreak(trail: Trail, expected: ExpectedEnds): Promise<Break | null> {
  const { store } = trail;
  const { head, removed, noted } = expected;
  const chain = new Chain(expected);
  const breathe = createBreaks();
  while (chain.next <= head.number) {
    const segment = await findSegment(store, chain.next);
    if (segment) {
      const broken = await findBreakInSegment(trail, segment, chain);
      if (broken) return broken;
      continue;
    }
    const kept = await store.get('audit', entryId(chain.next));
    // The entry may have moved between the two reads.
    if (!kept && (await findSegment(store, chain.next))) continue;
    if (!kept) return { number: chain.next, problem: 'The entry is missing.' };
    const { id: _id, ...entry } = kept;
    const broken = chain.take(entry);
    if (broken) return broken;
    const turn = breathe();
    if (turn) await turn;
  }
  if (noted && noted.number > head.number) {
    return { number: head.number + 1, problem: 'The trail ends before the noted entry.' };
  }
  if (!chain.isRemovalEntered) {
    return {
      number: 1,
      problem: `The entries up to ${removed?.number} are missing, and no entry records that retention removed them.`,
    };
  }
  return findBreakAfterHead(store);
}

async function findBreakInSegment(trail: Trail, segment: Segment, chain: Chain): Promise<Break | undefined> {
  const { first, last } = segment;
  const named = `The segment with the entries ${first} to ${last}`;
  const at = (problem: string): Break => ({ number: chain.next, problem: `${named} ${problem}` });
  // Retention may have removed entries that were already read.
  if (segment.blob === null) return first === 1 ? chain.reach(last, segment.hash) : at('has no entries.');
  if (first !== chain.next) return at('has entries that another segment has as well.');
  if (segment.previous !== chain.hash) return at('does not begin with the hash of the entry before it.');
  const content = await readContent(trail, segment);
  if (!content) {
    const present = await trail.store.get('audit_segments', segment.id);
    return present?.blob === segment.blob ? at('is missing.') : undefined;
  }
  if (!content.isOwn && content.text.length > 0) return at('is another one, or its beginning was changed.');
  const breathe = createBreaks();
  for (const line of linesFromStart(content.text)) {
    const entry = tryParseEntry(line);
    // A truncated text may end within a line.
    if (!entry) break;
    if (chain.next > last) return at('goes on after its last entry.');
    const broken = chain.take(entry);
    if (broken) return broken;
    const turn = breathe();
    if (turn) await turn;
  }
  if (chain.next <= last) return at(`cannot be read from entry ${chain.next} on: it was changed or cut off.`);
  if (chain.hash !== segment.hash)
    return { number: last, problem: `${named} does not end with the entry that the next one follows.` };
  return content.isUnchanged && content.fault === undefined
    ? undefined
    : { number: first, problem: `${named} is not the file that was written, although its entries are.` };
}

function tryParseEntry(line: Buffer): AuditEntry | undefined {
  try {
    return parseEntry(line);
  } catch {
    return undefined;
  }
}

/** Finds entries in the store after the head, or with ids outside the trail. */
async function findBreakAfterHead(store: Reader): Promise<Break | null> {
  const [newest] = await store.find('audit', { limit: 1 });
  // In this order, because entries are added and moved meanwhile.
  const end = await readSegmentsEnd(store);
  const oldest = await store.oldest('audit', {});
  const entries = await store.count('audit');
  const { number } = await readHead(store);
  const isBehind = Math.max(newest?.number ?? 0, end.number) > number;
  const isLeft = oldest !== undefined && oldest.number <= end.number;
  return isBehind || (!isLeft && entries > number - end.number)
    ? { number: number + 1, problem: 'There are entries that do not belong to the trail.' }
    : null;
}

const refuseComparison = ({ number }: AuditRemoval): AppError =>
  new AppError('NOT_FOUND', {
    message: `Retention removed the entries up to ${number}, so nothing can be compared with the noted head.`,
    hint: 'Use a head that was noted later, or none; the end of a backup from that time can be compared.',
    details: { number },
  });
