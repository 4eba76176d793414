/** What a commit tells those who follow, besides what it changes: the feeds there are, and the shape of their changes. */
import type { RecordVersion } from '../../src/contract/record.ts';
import type { WorklistStatus } from '../../src/contract/worklist.ts';

/** Something changed in a space; followers are shown it without its space. */
export interface FeedChange {
  readonly space: string;
  readonly id: string;
}

/** Something about a worklist item changed. */
export interface ItemChange extends FeedChange {
  readonly status: WorklistStatus;
  readonly version: number;
  readonly change: 'inserted' | 'updated' | 'status';
}

/** A medical record has a new version, or is gone (then `version` is its last). */
export interface RecordChange extends FeedChange {
  readonly worklist_item_id: string | null;
  readonly version: number;
  readonly change: RecordVersion['change'] | 'reviewed' | 'deleted';
}

/** The changes of each feed. */
export interface Feeds {
  items: ItemChange;
  records: RecordChange;
}

export type FeedName = keyof Feeds;
