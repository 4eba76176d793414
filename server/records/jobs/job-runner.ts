/** The port of what runs jobs (runner.ts). */
import type { HearingQueue } from '../../../src/contract/engine.ts';
import type { WaitingFor } from '../../../src/contract/job.ts';
import type { ServerStatus } from '../../../src/contract/system.ts';
import type { Documents } from '../../storage/collections.ts';

/** Whose audio waits. */
export type AudioOwner = Pick<Documents['jobs'], 'client_id' | 'test_mode'>;

/** Runs jobs, which generate records asynchronously. It learns of new and of cancelled jobs only from commits. */
export interface JobRunner {
  /** Starts, with the jobs that a previous run left. Call it again when every document may have changed. */
  start(): Promise<void>;
  /** Stops. Running jobs finish their transaction; the other jobs stay queued. */
  stop(): Promise<void>;
  /** The reasons why jobs wait, by the ids of those that wait. */
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
