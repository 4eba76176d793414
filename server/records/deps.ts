/** The dependencies of records. Each function declares those it uses; app.ts provides them. */
import type { EventType } from '../../src/contract/events.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Call } from '../http/call.ts';
import type { Log } from '../runtime/log.ts';
import type { Workers } from '../runtime/workers/workers.ts';
import type { Lexicon } from '../speech/lexicon/lexicon.ts';
import type { SpeechRecognition } from '../speech/speech-recognition.ts';
import type { Writer } from '../speech/writer.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { Documents } from '../storage/collections.ts';
import type { Ids } from '../storage/ids.ts';
import type { Members } from '../storage/members.ts';
import type { Store, Transaction } from '../storage/store.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import type { Templates } from './templates/templates.ts';
import type { Transcriptions } from './transcriptions/transcriptions.ts';

export interface RecordDeps {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly recognition: SpeechRecognition;
  readonly writer: Writer;
  readonly templates: Templates;
  readonly transcriptions: Transcriptions;
  readonly jobs: JobRunner;
  readonly announcer: EventAnnouncer;
  readonly chooseChannels: ChooseChannels;
  readonly pins: PinCheck;
  readonly workers: Workers;
  readonly lexicon: Lexicon;
  readonly faults: JobFaults;
  readonly members: Members;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** Adds a webhook event to the transaction of its change. It is sent after the commit. */
export interface EventAnnouncer {
  announce(tx: Transaction, event: { space: string; type: EventType; data: Record<string, unknown> }): Promise<void>;
}

/** Chooses the channels of a space that send a report. */
export type ChooseChannels = (
  channels: readonly Documents['channels'][],
  report: { readonly status: 'preliminary' | 'final'; readonly exam: Documents['items'] | undefined },
) => Promise<ChannelChoice>;

export interface ChannelChoice {
  /** Channels that send reports. */
  readonly all: readonly Documents['channels'][];
  /** Those that send this report. */
  readonly taking: readonly Documents['channels'][];
}

/** Lets the caller sign. FORBIDDEN with `details.reason` if the PIN is missing, wrong or locked. */
export interface PinCheck {
  check(call: Call, pin: string | undefined): Promise<void>;
}

/** Faults that hold jobs. */
export interface JobFaults {
  /** Whether the fault with that name holds jobs. */
  holdsJobs(name: string): boolean;
  /** Calls the listener after faults are removed. Returns a function that ends that. */
  onRemoved(listener: () => void): () => void;
}
