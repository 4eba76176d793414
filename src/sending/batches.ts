/**
 * Groups entries into requests. The same files and limits give the same batches, byte for byte: resuming relies on
 * that.
 */
import { fileMessage } from '../contract/messages/files.ts';
import { maxBatchBytes } from '../contract/worklist.ts';
import { parseInstant } from '../domain/iso-time.ts';
import { createBody } from './body.ts';
import type { Content, Entry, Item, Unread } from './entries.ts';

export interface Batch {
  /** Counted from 1. */
  readonly number: number;
  /** In the order of the files. */
  readonly entries: readonly Entry[];
  readonly items: readonly Item[];
  /** The items as a JSON array, in UTF-8; `[]` if there are none. */
  readonly body: Uint8Array;
  /** Time of the first exam, ms since 1970; NaN if there is none, or it does not matter. */
  readonly begins: number;
}

export interface BatchLimits {
  /** Items. */
  readonly items: number;
  /** Longest time between the first and the last exam of a batch, in ms; Infinity: any. */
  readonly span: number;
  /** An unreadable entry ends its batch, so that no later entry goes with it. */
  readonly endsAtUnread: boolean;
}

export async function* groupIntoBatches(
  contents: AsyncIterable<Content>,
  { items: most, span, endsAtUnread }: BatchLimits,
): AsyncGenerator<Batch, void, void> {
  const body = createBody();
  let entries: Entry[] = [];
  let items: Item[] = [];
  let begins = Number.NaN;
  let number = 0;
  const ready = (): Batch => {
    number += 1;
    const batch = { number, entries, items, begins, body: body.take() };
    entries = [];
    items = [];
    begins = Number.NaN;
    return batch;
  };
  for await (const { entry, fields } of contents) {
    if (entry.kind === 'unread' || fields === undefined) {
      entries.push(entry);
      if (endsAtUnread || entries.length >= 2 * most) yield ready();
      continue;
    }
    const json = JSON.stringify(fields);
    const time = span === Infinity ? Number.NaN : readTime(fields);
    if (items.length > 0 && (!body.hasRoomFor(json) || time - begins > span)) yield ready();
    if (body.hasRoomFor(json)) {
      body.add(json);
      entries.push(entry);
      items.push(entry);
    } else entries.push(tooLarge(entry));
    if (Number.isNaN(begins)) begins = time;
    if (items.length >= most) yield ready();
  }
  if (entries.length > 0) yield ready();
}

/** NaN if it has none. */
function readTime({ exam_datetime: time }: NonNullable<Content['fields']>): number {
  return typeof time === 'string' ? parseInstant(time.trim()) : Number.NaN;
}

const tooLarge = ({ file, position, index }: Item): Unread => ({
  kind: 'unread',
  file,
  position,
  index,
  accession: null,
  message: fileMessage('item_large', { size: maxBatchBytes / (1024 * 1024) }),
  hint: fileMessage('item_less'),
});
