/** Reads the audit trail from its beginning, through all segments and the store, and says where it breaks first. */
import type { AuditEntry, AuditHead, AuditRemoval, AuditVerdict } from '../../../src/contract/audit.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Reader } from '../../storage/store.ts';
import { endOfSegments, entryIn, linesFromStart, readContent, removalOf, segmentWith } from './segments.ts';
import type { Segment } from './segments.ts';
import { entryId, hashOf, headOf } from './trail.ts';
import type { Trail } from './trail.ts';

type Break = NonNullable<AuditVerdict['broken']>;

/** `noted`: an end that somebody noted earlier. Rejects with AppError NOT_FOUND if retention removed all that could be compared with it. */
export async function verify(trail: Trail, noted?: AuditHead): Promise<AuditVerdict> {
  const { store } = trail;
  // In this order: the entry about the removal is before the head.
  const removed = await removalOf(store);
  const head = await headOf(store);
  if (noted && removed && noted.number < removed.number) throw comparesWithNothing(removed);
  const broken = await firstBreak(trail, { head, removed, noted });
  return { sound: broken === null, entries: head.number - (removed?.number ?? 0), head, removed, broken };
}

/** The ends with which the trail has to agree. */
interface Expected {
  readonly head: AuditHead;
  readonly removed: AuditRemoval | null;
  readonly noted: AuditHead | undefined;
}

/** Checks one entry after the other against the one before. */
class Chain {
  /** Number of the entry that comes next. */
  next = 1;
  /** Hash of the entry before it. */
  hash = '';
  /** Whether an entry says what retention removed. */
  isRemovalEntered: boolean;
  readonly #expected: Expected;

  constructor(expected: Expected) {
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

  /** Goes on behind that entry. */
  reach(number: number, hash: string): Break | undefined {
    this.next = number + 1;
    this.hash = hash;
    const { head, noted } = this.#expected;
    if (noted?.number === number && noted.hash !== hash)
      return { number, problem: 'The entry is not the one that was noted.' };
    return head.number === number && head.hash !== hash
      ? { number, problem: 'The last entry was changed, or the head was.' }
      : undefined;
  }
}

async function firstBreak(trail: Trail, expected: Expected): Promise<Break | null> {
  const { store } = trail;
  const { head, removed, noted } = expected;
  const chain = new Chain(expected);
  const breathe = createBreaks();
  while (chain.next <= head.number) {
    const segment = await segmentWith(store, chain.next);
    if (segment) {
      const broken = await breakInSegment(trail, segment, chain);
      if (broken) return broken;
      continue;
    }
    const kept = await store.get('audit', entryId(chain.next));
    // It may have moved between the two look-ups.
    if (!kept && (await segmentWith(store, chain.next))) continue;
    if (!kept) return { number: chain.next, problem: 'The entry is missing.' };
    const { id: _id, ...entry } = kept;
    const broken = chain.take(entry);
    if (broken) return broken;
    const turn = breathe();
    if (turn) await turn;
  }
  if (noted && noted.number > head.number) {
    return { number: head.number + 1, problem: 'The trail ends before the entry that was noted.' };
  }
  if (!chain.isRemovalEntered) {
    return {
      number: 1,
      problem: `The entries up to ${removed?.number} are gone, and no entry says that retention removed them.`,
    };
  }
  return breakBehind(store);
}

async function breakInSegment(trail: Trail, segment: Segment, chain: Chain): Promise<Break | undefined> {
  const { first, last } = segment;
  const named = `The segment with the entries ${first} to ${last}`;
  const at = (problem: string): Break => ({ number: chain.next, problem: `${named} ${problem}` });
  // Retention may just have removed entries that were read already.
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
    const entry = readable(line);
    // A text that breaks off may end within a line.
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

function readable(line: Buffer): AuditEntry | undefined {
  try {
    return entryIn(line);
  } catch {
    return undefined;
  }
}

/** Entries in the store behind the head, or under ids that the trail does not lead to. */
async function breakBehind(store: Reader): Promise<Break | null> {
  const [newest] = await store.find('audit', { limit: 1 });
  // In this order: the trail goes on meanwhile, and entries move.
  const end = await endOfSegments(store);
  const oldest = await store.oldest('audit', {});
  const entries = await store.count('audit');
  const { number } = await headOf(store);
  const isBehind = Math.max(newest?.number ?? 0, end.number) > number;
  const isLeft = oldest !== undefined && oldest.number <= end.number;
  return isBehind || (!isLeft && entries > number - end.number)
    ? { number: number + 1, problem: 'There are entries that the trail does not lead to.' }
    : null;
}

const comparesWithNothing = ({ number }: AuditRemoval): AppError =>
  new AppError('NOT_FOUND', {
    message: `Retention removed the entries up to ${number}, so that nothing can be compared with the head that was noted.`,
    hint: 'Give a head that was noted later, or leave it out; the end of a backup of that time can be compared.',
    details: { number },
  });
