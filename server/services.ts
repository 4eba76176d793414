/** Everything that handlers work with, put together once in app.ts. */
import type { EventType } from '../src/contract/events.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Hearing } from './engine/hearing.ts';
import type { Writer } from './engine/writer.ts';
import type { Ids } from './ids.ts';
import type { Log } from './log.ts';
import type { Blobs } from './store/blobs.ts';
import type { FeedChange, ItemChange, RecordChange } from './store/feeds.ts';
import type { Store, Transaction } from './store/store.ts';
import type { Templates } from './templates/templates.ts';
import type { Workers } from './workers/workers.ts';

/** A change as the feed told it; `event` says where in the feed it stands. */
export interface ToldChange<C extends FeedChange> {
  readonly event: string;
  readonly change: C;
}

/** Who follows the worklist, or the records, hears of what commits publish. */
export interface ChangeFeed<C extends FeedChange> {
  /**
   * Calls `listener` for each change in the space, with its event; the function returned ends it. `over` is called when
   * the feed begins anew.
   */
  subscribe(space: string, listener: (change: C, event: string) => void, over?: () => void): () => void;
  /** Everything may have changed: nothing that was told before is remembered, and who follows has to begin anew. */
  restart(): void;
  /** The event that was told last in the space, or the beginning of this feed. */
  position(space: string): string;
  /** What was told in the space after that event; `undefined` where this feed does not remember it. */
  since(space: string, event: string): readonly ToldChange<C>[] | undefined;
}

/** Asynchronous generation. Commits alone tell it of jobs: of those that are new, and of those that were cancelled. */
export interface JobRunner {
  /** Takes up what a former run left behind; also when every document may have become another. */
  start(): Promise<void>;
  /** Lets what is running finish its transaction; the rest stays queued. */
  stop(): Promise<void>;
}

/** Events for webhooks. They are written with the change that they tell of, and sent after it is committed. */
export interface Announcer {
  announce(tx: Transaction, event: { space: string; type: EventType; data: Record<string, unknown> }): Promise<void>;
  /** Sends what is due of all there is; also when every document may have become another. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Services {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly hearing: Hearing;
  readonly writer: Writer;
  readonly templates: Templates;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly feed: ChangeFeed<ItemChange>;
  readonly recordFeed: ChangeFeed<RecordChange>;
  readonly jobs: JobRunner;
  readonly announcer: Announcer;
  readonly workers: Workers;
  readonly log: Log;
}
