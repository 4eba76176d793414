/** Streams the audit trail from an entry on, as server-sent events, across segments, removals and restores. */
import type { AuditEntry, AuditHead } from '../../../src/contract/audit.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { comment, eventText } from '../../../src/client/events/server-sent-events.ts';
import type { Store } from '../../storage/store.ts';
import { entriesAfter, listEntries, matchesFilter } from './read-trail.ts';
import type { TrailFilter } from './read-trail.ts';
import { hashOf, readHead } from './trail.ts';
import type { Trail } from './trail.ts';

/** ms between two heartbeats. */
const heartbeatMs = 15_000;
/** Maximum of characters per chunk. */
const chunkLength = 32 * 1024;

/** The last entry that a follower has; without a hash, only its number is compared. */
type Cursor = Pick<AuditHead, 'number'> & Partial<AuditHead>;

export interface FollowOptions extends TrailFilter {
  /** `Last-Event-ID`: `NUMBER` or `NUMBER:HASH`. Anything else is ignored, and the stream begins with new entries. */
  readonly lastSeen: string | undefined;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

export interface FollowedTrail extends Trail {
  readonly store: Pick<Store, 'get' | 'find' | 'findEach' | 'count' | 'oldest' | 'watch'>;
}

const toEventId = ({ number, hash }: Cursor): string => (hash === undefined ? String(number) : `${number}:${hash}`);

function parseCursor(lastSeen: string | undefined): Cursor | undefined {
  const [, number, hash] = /^(\d{1,12})(?::([A-Za-z0-9_-]{43}))?$/.exec(lastSeen ?? '') ?? [];
  return number === undefined ? undefined : { number: Number(number), ...(hash !== undefined && { hash }) };
}

/** Ends with the signal. Rejects with AppError INTERNAL_ERROR if a segment is damaged. */
export async function* followTrail(
  trail: FollowedTrail,
  clock: Clock,
  { lastSeen, signal, ...filter }: FollowOptions,
): AsyncGenerator<Buffer, void> {
  const notifier = createNotifier(trail.store, clock, signal);
  try {
    let cursor: Cursor = parseCursor(lastSeen) ?? (await readHead(trail.store));
    yield Buffer.from(formatPosition(cursor));
    let sent = cursor.number;
    while (!signal.aborted) {
      notifier.listen();
      let text = '';
      let isReplaced = false;
      const replacement = await findReplacement(trail, cursor);
      if (replacement) {
        cursor = replacement;
        sent = cursor.number;
        text = eventText({ name: 'reset', id: toEventId(cursor), data: {} });
      }
      for await (const entry of entriesAfter(trail, cursor.number)) {
        // A restore has replaced the trail meanwhile.
        isReplaced = !follows(cursor, entry);
        if (isReplaced) break;
        cursor = { number: entry.number, hash: hashOf(entry) };
        if (matchesFilter(filter, entry)) {
          text += eventText({ name: 'entry', id: toEventId(cursor), data: entry });
          sent = cursor.number;
        }
        if (text.length >= chunkLength) {
          yield Buffer.from(text);
          text = '';
        }
        if (signal.aborted) return;
      }
      // Moves the reader's position past filtered entries, so that a reconnect does not read them again.
      if (sent < cursor.number) text += formatPosition(cursor);
      sent = cursor.number;
      if (text !== '') yield Buffer.from(text);
      if (!isReplaced && (await notifier.rung()) === 'heartbeat') yield Buffer.from(comment);
    }
  } finally {
    notifier.close();
  }
}

/** A position without data, which is no event. */
const formatPosition = (cursor: Cursor): string => `:\nid: ${toEventId(cursor)}\n\n`;

/** Whether the entry continues the trail; an entry after a removal cannot be compared. */
const follows = (cursor: Cursor, { number, previous }: AuditEntry): boolean =>
  cursor.hash === undefined || number !== cursor.number + 1 || previous === cursor.hash;

/** New position if a restore replaced the cursor's trail: before the entry of the restore. */
async function findReplacement(trail: Trail, cursor: Cursor): Promise<Cursor | undefined> {
  const head = await readHead(trail.store);
  const isBehind = cursor.number > head.number;
  const isOther = cursor.number === head.number && cursor.hash !== undefined && cursor.hash !== head.hash;
  const next = isBehind || isOther ? undefined : await entryAfter(trail, cursor.number);
  if (!isBehind && !isOther && (!next || follows(cursor, next))) return undefined;
  let before: number | null | undefined;
  while (before !== null) {
    const page = await listEntries(trail, { limit: 1000, ...(before !== undefined && { before }) });
    const restored = page.items.find(({ replaced }) => replaced !== undefined);
    if (restored) return { number: restored.number - 1, hash: restored.previous };
    before = page.next_before;
  }
  return head;
}

async function entryAfter(trail: Trail, number: number): Promise<AuditEntry | undefined> {
  for await (const entry of entriesAfter(trail, number)) return entry;
  return undefined;
}

/** Reports growth of the trail, silence, and the end. */
function createNotifier(store: Pick<Store, 'watch'>, clock: Clock, signal: AbortSignal) {
  const machine = machineClockOf(clock);
  let hasGrown = false;
  let ring: (why: 'grown' | 'heartbeat') => void = () => {};
  const grow = (): void => {
    hasGrown = true;
    ring('grown');
  };
  const unwatch = store.watch('audit', grow);
  const end = (): void => {
    unwatch();
    grow();
  };
  // The stream may be aborted before it is read up to here.
  signal.addEventListener('abort', end, { once: true });
  return {
    /** Waits for growth from now on. */
    listen: () => void (hasGrown = false),
    async rung(): Promise<'grown' | 'heartbeat'> {
      if (hasGrown || signal.aborted) return 'grown';
      const { promise, resolve } = Promise.withResolvers<'grown' | 'heartbeat'>();
      ring = resolve;
      const cancel = machine.schedule(machine.now() + heartbeatMs, () => resolve('heartbeat'));
      return promise.finally(cancel);
    },
    close() {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}
