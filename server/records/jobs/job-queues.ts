/**
 * The two queues of jobs: those whose audio needs the recogniser for patients, and all others. People of a client take
 * turns in each, so that neither a slow recogniser nor a busy person delays the jobs of others, even if a department
 * shares a client.
 */
import { AppError } from '../../../src/contract/errors.ts';
import type { HearingQueue } from '../../../src/contract/engine.ts';
import type { WaitingFor } from '../../../src/contract/job.ts';
import { createWaits } from '../../runtime/clock/waits.ts';
import type { Speech } from '../../speech/speech-recognition.ts';
import type { Recogniser } from '../../speech/recogniser.ts';
import { FairQueue } from '../../runtime/queue/fair-queue.ts';
import type { Turn } from '../../runtime/queue/fair-queue.ts';
import type { AudioOwner } from './job-runner.ts';
import type { AttemptDeps } from './run-job.ts';
import type { StoredJob } from './stored-job.ts';
import { watchEngine } from './engine-watch.ts';
import type { EngineWatch } from './engine-watch.ts';

export interface QueueLimits {
  /** Concurrent jobs of one person, not counting those in the recogniser; default 2. */
  readonly perPerson?: number;
  /** Concurrent jobs in total, not counting those in the recogniser; default 8. */
  readonly total?: number;
  /** Concurrent dictations of the recogniser; by default as many as it supports. */
  readonly hearing?: number | undefined;
  /** Bytes of audio that may wait for the recogniser; one client may use half. Default: 10 GiB. */
  readonly waitingAudio?: number | undefined;
}

/** Jobs of one person in the writer while the recogniser works on the next; more of them keep their places. */
const writtenMeanwhile = 2;

type Job = Pick<
  StoredJob,
  'id' | 'status' | 'client_id' | 'user_id' | 'test_mode' | 'request' | 'audio' | 'not_before' | 'updated_at'
>;
/** User names are unique per client only. Jobs without a user share their client's lane. */
const laneOf = ({ client_id: client, user_id: user = '' }: Job): string => `${client} ${user}`;

type AudioFields = Pick<Job, 'audio' | 'test_mode' | 'request'>;

/** A job that may begin. */
export interface JobTurn extends Turn {
  /** Reports that the audio was transcribed, which frees the recogniser. */
  heard(): void;
  /** Reports that the recogniser refused the audio because it is unavailable. */
  refused(): void;
}

/** Calls `wake` when more jobs may begin. */
export function createQueues(
  { recognition, clock, random, log }: Pick<AttemptDeps, 'recognition' | 'clock' | 'random' | 'log'>,
  { perPerson = 2, total = 8, hearing: atOnce, waitingAudio: limit = 10 * 2 ** 30 }: QueueLimits,
  wake: () => void,
) {
  const recogniser = (): Recogniser | undefined => recognition.findRecogniser({ test_mode: false });
  const countPlaces = (): number => atOnce ?? recogniser()?.atOnce ?? 1;
  const createWatch = (): EngineWatch => watchEngine(recogniser(), { clock, random, log }, wake);
  let places = countPlaces();
  const waits = createWaits(clock);
  const spoken = new FairQueue({ perLane: places, total: places, lingering: writtenMeanwhile });
  const others = new FairQueue({ perLane: perPerson, total });
  let watch = createWatch();
  const waiting = createWaiting();

  /** Simulated dictations queue with the texts, because the simulation is no bottleneck. */
  const isReal = (speaker: Speech): boolean => recognition.findRecogniser(speaker) === recogniser();
  /** Live transcriptions are already transcribed. */
  const isHeard = (job: AudioFields): boolean => job.audio !== null && !job.request.transcriptions && isReal(job);
  const hasRoom = (owner: AudioOwner, bytes: number): boolean => {
    const { all, own } = waiting.spokenBytes(owner.client_id);
    return !isReal(owner) || (all + bytes <= limit && own + bytes <= limit / 2);
  };

  /** When a queued job may begin, in the time of `waits`. */
  const dueOf = ({ id, updated_at: from, not_before: at }: Job): number =>
    at === undefined ? 0 : waits.end(id, Date.parse(from), Date.parse(at));

  function takeSpoken(now: number): JobTurn | undefined {
    spoken.letIn(now);
    if (watch.state === 'absent' || watch.state === 'down' || (watch.state === 'tried' && spoken.working > 0)) return;
    const turn = spoken.take(now);
    const asked = watch;
    /** The watch of the recogniser that got the dictation, unless it was replaced meanwhile. */
    const own = (): EngineWatch | undefined => (asked === watch ? watch : undefined);
    const heard = (): void => {
      own()?.served();
      turn?.linger();
      wake();
    };
    return turn && { ...turn, heard, refused: () => own()?.refused() };
  }

  function takeOther(now: number): JobTurn | undefined {
    const turn = others.take(now);
    return turn && { ...turn, heard: () => {}, refused: () => {} };
  }

  return {
    /** Queues a job, or one in progress that pauses for this many ms. */
    put(job: Job, pause?: number): void {
      const due = pause === undefined ? dueOf(job) : waits.now() + pause;
      (isHeard(job) ? spoken : others).put({ id: job.id, lane: laneOf(job), due });
      if (job.status === 'queued') waiting.add(job, isHeard(job));
    },

    /** The next job that may begin. */
    take(): JobTurn | undefined {
      const now = waits.now();
      const begin = takeSpoken(now) ?? takeOther(now);
      if (begin) {
        waiting.remove(begin.id);
        waits.forget(begin.id);
      }
      return begin;
    },

    has: (id: string): boolean => spoken.has(id) || others.has(id),

    /** Removes a waiting job. Ignores jobs in progress. */
    drop(id: string): void {
      for (const line of [spoken, others]) line.drop(id);
      waiting.remove(id);
      waits.forget(id);
    },

    clear(): void {
      for (const line of [spoken, others]) line.clear();
      waiting.clear();
      waits.clear();
    },

    stop: (): void => watch.stop(),

    /** Switches to a new recogniser for patients. */
    renew(): void {
      const previous = watch;
      watch = createWatch();
      previous.stop();
      places = countPlaces();
      spoken.limit({ perLane: places, total: places });
      wake();
    },

    /** Calls `task` when the next job is due. Returns a function that cancels that. */
    whenDue(task: () => void): () => void {
      const dues = [spoken.nextDue, others.nextDue].filter((due) => due !== undefined);
      return dues.length === 0 ? () => {} : waits.schedule(Math.min(...dues), task);
    },

    /** The reason why each queued job waits; omits jobs that are about to begin. */
    waitingFor(jobs: readonly StoredJob[]): Map<string, WaitingFor> {
      const now = clock.now();
      const queued = jobs.filter(({ status }) => status === 'queued');
      const placesIn = (isSpoken: boolean) =>
        (isSpoken ? spoken : others).findPlaces(queued.filter((job) => isHeard(job) === isSpoken).map(({ id }) => id));
      const positions = new Map([...placesIn(true), ...placesIn(false)]);
      const found = new Map<string, WaitingFor>();
      for (const job of queued) {
        const place = positions.get(job.id);
        const position = place === undefined ? {} : { position: place };
        const end = dueOf(job);
        const isLater = end > waits.now();
        const due = isLater ? waits.hourOf(end) : now;
        if (isHeard(job) && watch.state === 'absent') found.set(job.id, { reason: 'engine', ...position });
        else if (isHeard(job) && watch.state === 'down') {
          found.set(job.id, { reason: 'engine', ...position, until: isoOf(Math.max(watch.nextProbe ?? now, due)) });
        } else if (isLater) found.set(job.id, { reason: job.refusals ? 'engine' : 'time', until: isoOf(due) });
        else if (place !== undefined) found.set(job.id, { reason: 'turn', ...position });
      }
      return found;
    },

    /** When the recogniser became unavailable for the job; `undefined` if it is available or not needed. */
    unheardSince(job: AudioFields): number | undefined {
      return isHeard(job) && (watch.state === 'absent' || watch.state === 'down') ? watch.since : undefined;
    },

    /** Whether this many more bytes of the owner's audio may wait. */
    hasRoom,

    /** Throws SERVER_BUSY if they may not. */
    requireRoom(owner: AudioOwner, bytes: number): void {
      if (!hasRoom(owner, bytes)) throw noRoom(waiting.spoken.bytes, limit);
    },

    /** The queue of the recogniser for patients. */
    queue(): HearingQueue {
      const { nextProbe } = watch;
      return {
        available: watch.state === 'up' || watch.state === 'tried',
        at_once: places,
        in_progress: spoken.working,
        waiting: waiting.spoken.jobs,
        ...(nextProbe !== undefined && { until: isoOf(nextProbe) }),
      };
    },

    /** All waiting jobs, the bytes of their audio, and the limit. */
    waiting: () => ({ jobs: waiting.all.jobs, audio_bytes: waiting.all.bytes, limit_bytes: limit }),
  };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Counts waiting jobs and bytes, in total and by client. */
function createWaiting() {
  interface Entry {
    readonly client: string;
    readonly bytes: number;
    readonly isSpoken: boolean;
  }
  const entries = new Map<string, Entry>();
  const byClient = new Map<string, number>();
  const all = { jobs: 0, bytes: 0 };
  const spoken = { jobs: 0, bytes: 0 };

  function count({ client, bytes, isSpoken }: Entry, sign: 1 | -1): void {
    for (const sums of isSpoken ? [all, spoken] : [all]) {
      sums.jobs += sign;
      sums.bytes += sign * bytes;
    }
    if (!isSpoken) return;
    const own = (byClient.get(client) ?? 0) + sign * bytes;
    if (own > 0) byClient.set(client, own);
    else byClient.delete(client);
  }

  function remove(id: string): void {
    const entry = entries.get(id);
    if (entry) count(entry, -1);
    entries.delete(id);
  }

  return {
    all: all as Readonly<typeof all>,
    spoken: spoken as Readonly<typeof spoken>,
    add({ id, client_id: client, audio }: Job, isSpoken: boolean): void {
      remove(id);
      const entry = { client, bytes: audio?.bytes ?? 0, isSpoken };
      entries.set(id, entry);
      count(entry, 1);
    },
    remove,
    clear: () => [...entries.keys()].forEach(remove),
    spokenBytes: (client: string) => ({ all: spoken.bytes, own: byClient.get(client) ?? 0 }),
  };
}

/** Seconds after which there may be room. */
const retryAfter = 60;

const noRoom = (waitingBytes: number, limit: number): AppError =>
  new AppError('SERVER_BUSY', {
    message: 'Too much audio is waiting for the recogniser. This audio was not stored.',
    details: { waiting_bytes: waitingBytes, limit_bytes: limit },
    hint: 'Keep the audio and send it later, or send the words as text. The operator can raise --waiting-audio, or start a recogniser.',
    retryAfter,
  });
