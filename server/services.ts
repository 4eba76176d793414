/** Everything that handlers work with, put together once in app.ts. */
import type { EventType } from '../src/contract/events.ts';
import type { WorklistStatus } from '../src/contract/worklist.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { Engine } from './engine/engine.ts';
import type { Ids } from './ids.ts';
import type { BlobStore } from './store/blobs.ts';
import type { Store, Transaction } from './store/store.ts';

/** Something about a worklist item changed; told to whoever follows the list. */
export interface ItemChange {
  readonly space: string;
  readonly id: string;
  readonly status: WorklistStatus;
  readonly version: number;
  readonly change: 'inserted' | 'updated' | 'status';
}

/** Who follows the worklist hears of a change once it is committed. */
export interface ChangeFeed {
  publish(changes: readonly ItemChange[]): void;
  /** Calls `listener` for each change in the space; the function returned ends it. */
  subscribe(space: string, listener: (change: ItemChange) => void): () => void;
}

/** Asynchronous generation. A job is created by the transaction that answers the request, then woken. */
export interface JobRunner {
  /** Looks for queued jobs now. */
  wake(): void;
  /** Stops the engine for a job that was just cancelled, if it runs here. */
  cancelled(id: string): void;
  /** Takes up what a former run left behind. */
  start(): Promise<void>;
  /** Lets what is running finish its transaction; the rest stays queued. */
  stop(): Promise<void>;
}

/** Events for webhooks. They are written with the change that they tell of, and sent after it is committed. */
export interface Announcer {
  announce(tx: Transaction, event: { space: string; type: EventType; data: Record<string, unknown> }): Promise<void>;
  /** Looks for deliveries that are due. */
  wake(): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What went wrong on our side, for the operator: codes and ids, never patient data. */
export type Log = (entry: { level: 'warn' | 'error'; event: string } & Record<string, unknown>) => void;

export interface Services {
  readonly store: Store;
  readonly blobs: BlobStore;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly feed: ChangeFeed;
  readonly jobs: JobRunner;
  readonly announcer: Announcer;
  readonly log: Log;
}
