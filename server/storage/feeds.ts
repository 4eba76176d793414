/** The feeds, to which a commit publishes changes, and the shapes of those changes. */
import type { WebhookEvent } from '../../src/contract/events.ts';
import type { RecordVersion } from '../../src/contract/record-version.ts';
import type { WorklistStatus } from '../../src/contract/worklist.ts';

/** A change in a space. Followers see the change without `space`. */
export interface FeedChange {
  readonly space: string;
}

/** A change of a document. */
interface DocumentChange extends FeedChange {
  readonly id: string;
}

/** A worklist item is new or has changed. */
export interface ItemChange extends DocumentChange {
  readonly accession_number: string | null;
  readonly status: WorklistStatus;
  readonly version: number;
  readonly change: 'inserted' | 'updated' | 'status' | 'removed';
}

/**
 * A medical record has a new version, a decision about its findings or its signature, or was deleted; `version` is its last version
 * then. Or a destination has a version of it, or refused that.
 */
export interface RecordChange extends DocumentChange {
  readonly worklist_item_id: string | null;
  readonly version: number;
  readonly change: RecordVersion['change'] | 'reviewed' | 'signing' | 'taken_back' | 'distributed' | 'deleted';
}

/** A report is to be sent, and none of the channels of its space takes it. */
export interface UntakenReport extends DocumentChange {
  readonly version: number;
}

/** An event was announced, whether or not a webhook receives it. */
export interface AnnouncedEvent extends FeedChange {
  readonly event: WebhookEvent;
}

/** The changes of each feed. */
export interface Feeds {
  items: ItemChange;
  records: RecordChange;
  untaken: UntakenReport;
  announced: AnnouncedEvent;
}

export type FeedName = keyof Feeds;
