/** The services that handlers use; app.ts puts them together once. */
import type { HearingQueue } from '../src/contract/engine.ts';
import type { EventType } from '../src/contract/events.ts';
import type { WaitingFor } from '../src/contract/job.ts';
import type { ServerStatus } from '../src/contract/system.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Hearing } from './speech/hearing.ts';
import type { Writer } from './speech/writer.ts';
import type { Striking } from './qa/faults/faults.ts';
import type { Pins } from './auth/pins.ts';
import type { Ids } from './storage/ids.ts';
import type { Log } from './runtime/log.ts';
import type { Blobs } from './storage/blobs/blobs.ts';
import type { Documents } from './storage/collections.ts';
import type { FeedChange, ItemChange, RecordChange } from './storage/feeds.ts';
import type { Store, Transaction } from './storage/store.ts';
import type { Templates } from './records/templates/templates.ts';
import type { Transcriptions } from './records/transcriptions/transcriptions.ts';
import type { Workers } from './runtime/workers/workers.ts';

/** A change in a feed; `event` is the change's position in the feed. */
export interface ToldChange<C extends FeedChange> {
  readonly event: string;
  readonly change: C;
}

/** Passes the changes that commits publish to the followers of the worklist or of the records. */
export interface ChangeFeed<C extends FeedChange> {
  /**
   * Calls `listener` for each change in the space, with the change's event. Calls `over` when the feed begins anew. The
   * returned function ends the subscription.
   */
  subscribe(space: string, listener: (change: C, event: string) => void, over?: () => void): () => void;
  /** Forgets all changes and makes every follower begin anew. Call it when every document may have changed. */
  restart(): void;
  /** The last event of the space, or the beginning of this feed. */
  position(space: string): string;
  /** The changes of the space after that event; `undefined` where this feed does not remember the event. */
  since(space: string, event: string): readonly ToldChange<C>[] | undefined;
}

/** Whose audio waits. */
export type AudioOwner = Pick<Documents['jobs'], 'client_id' | 'test_mode'>;

/** Runs jobs, which generate records asynchronously. It learns of new and of cancelled jobs only from commits. */
export interface JobRunner {
  /** Starts, with the jobs that a former run left behind. Call it again when every document may have changed. */
  start(): Promise<void>;
  /** Stops. Running jobs finish their transaction; the other jobs stay queued. */
  stop(): Promise<void>;
  /** What the jobs wait for, by the ids of those that wait. */
  waitingFor(jobs: readonly Documents['jobs'][]): ReadonlyMap<string, WaitingFor>;
  /** Since when the recogniser has not served the audio of the job, in ms since 1970; `undefined`: it serves, or need not. */
  unheardSince(job: Pick<Documents['jobs'], 'audio' | 'test_mode' | 'request'>): number | undefined;
  /** Whether so many further bytes of the owner's audio may wait for the recogniser. */
  hasRoom(owner: AudioOwner, bytes: number): boolean;
  /** Throws SERVER_BUSY where they may not. */
  requireRoom(owner: AudioOwner, bytes: number): void;
  /** The queue of the recogniser of real patients. */
  queue(): HearingQueue;
  /** All jobs that wait. */
  waiting(): ServerStatus['waiting'];
}

/**
 * Announces events to webhooks: writes an event in the transaction of its change, and sends the event after the commit.
 */
export interface Announcer {
  announce(tx: Transaction, event: { space: string; type: EventType; data: Record<string, unknown> }): Promise<void>;
  /** Starts sending all deliveries that are due. Call it again when every document may have changed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface Services {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly hearing: Hearing;
  readonly writer: Writer;
  readonly templates: Templates;
  /** Of institutions: each its name, and the lines below it. */
  readonly letterheads: readonly (readonly string[])[];
  /** Zone of the times of exams that come without one. */
  readonly timeZone: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly feed: ChangeFeed<ItemChange>;
  readonly recordFeed: ChangeFeed<RecordChange>;
  readonly transcriptions: Transcriptions;
  readonly jobs: JobRunner;
  readonly announcer: Announcer;
  readonly pins: Pins;
  readonly workers: Workers;
  /** The faults that hold jobs. */
  readonly faults: Pick<Striking, 'holdsJobs' | 'onRemoved'>;
  readonly log: Log;
}
