/** The port of the job runner (runner.ts). */
import type { HearingQueue } from '../../../src/contract/engine.ts';
import type { WaitingFor } from '../../../src/contract/job.ts';
import type { ServerStatus } from '../../../src/contract/system.ts';
import type { Documents } from '../../storage/collections.ts';

/** The owner of waiting audio. */
export type AudioOwner = Pick<Documents['jobs'], 'client_id' | 'test_mode'>;

/** Runs jobs, which generate records asynchronously. It learns of new and cancelled jobs only from commits. */
export interface JobRunner {
  /** Starts with the jobs of the previous run. Called again when every document may have changed. */
  start(): Promise<void>;
  /** Stops. Running jobs finish their transaction; other jobs stay queued. */
  stop(): Promise<void>;
  /** The reasons why jobs wait, by job id. */
  waitingFor(jobs: readonly Documents['jobs'][]): ReadonlyMap<string, WaitingFor>;
  /**
   * When the recogniser became unavailable for the job, in ms since 1970; `undefined` if it is available or not needed.
   */
  unheardSince(job: Pick<Documents['jobs'], 'audio' | 'test_mode' | 'request'>): number | undefined;
  /** Whether this many more bytes of the owner's audio may wait for the recogniser. */
  hasRoom(owner: AudioOwner, bytes: number): boolean;
  /** Throws SERVER_BUSY if they may not. */
  requireRoom(owner: AudioOwner, bytes: number): void;
  /** The queue of the recogniser for patients. */
  queue(): HearingQueue;
  /** All waiting jobs. */
  waiting(): ServerStatus['waiting'];
}
