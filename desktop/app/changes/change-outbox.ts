/**
 * Queues changes for the service, on disk and in order. Changes of one object are sent in that order; no change waits
 * for one of another object. Refused changes stay until a person has seen them.
 */
import type { Sentence } from '../../../src/contract/messages/message.ts';
import { join } from 'node:path';
import { concernsEveryRequest, isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { createBell } from '../../../src/domain/bell.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { holdLock, lockPatience } from '../../../src/node/files/file-lock.ts';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import type { LineLog } from '../../../src/node/files/line-log.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { computeDelay, getMaxAttempts } from './retry-policy.ts';

export interface Change {
  /** A UUID, sent as the Idempotency-Key. */
  readonly id: string;
  /** Determines how `send` sends the change. */
  readonly kind: string;
  /** Id of the changed object, such as a record. */
  readonly subject: string;
  /** Ids of other objects that the change affects: a signature completes the exam. */
  readonly touches?: readonly string[];
  /** JSON. */
  readonly payload: unknown;
  /** When the change is sent at the earliest, ISO 8601, UTC: until then its author may withdraw it. Absent: at once. */
  readonly not_before?: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A change that the service refused, or failed to process too often. */
export interface Refusal {
  readonly change: Change;
  readonly error: { readonly code: ErrorCode; readonly message: Sentence; readonly details?: Record<string, unknown> };
  readonly at: string;
}

export interface ChangeOutboxDeps {
  /** Directory of the outbox, created if it is missing, 0700. */
  readonly directory: string;
  readonly clock: Clock;
  /** A new number from 0 to 1 at each call. */
  readonly random: () => number;
  /**
   * Resolves when the service has the change. `send` may be called with a change that the service already has (the
   * answer was lost, the process died): the id of the change makes that harmless if the service supports it; otherwise
   * `send` must. `close` aborts `signal`.
   */
  readonly send: (change: Change, signal: AbortSignal) => Promise<void>;
  /** Called once, when the change becomes refused. */
  readonly onRefused?: (change: Change, error: AppError) => void;
  /** Called whenever `waiting` or `refused` changes, and when a change is no longer held back. */
  readonly onChange?: () => void;
  /** Encrypts the file. */
  readonly sealing?: Sealing | undefined;
  readonly log?: (entry: { level: 'warn' | 'error'; event: string; [key: string]: unknown }) => void;
}

export interface ChangeOutbox {
  /**
   * Resolves when the change is on disk; rejects with STORAGE_UNAVAILABLE if that fails. Adding a waiting change again
   * has no effect.
   */
  enqueue(change: Change): Promise<void>;
  /** The waiting changes, oldest first. */
  waiting(): readonly Change[];
  /** The refused changes, oldest first. */
  refused(): readonly Refusal[];
  /** Whether a change of these objects would have to wait: for an earlier one, or until the service answers again. */
  holds(subjects: readonly string[]): boolean;
  /**
   * Removes a waiting change, unless it is being sent. The service may have it nevertheless: the answer to an earlier
   * attempt may be lost. `false`: there is none to remove.
   */
  cancel(id: string): Promise<boolean>;
  /** Removes a refusal that a person has seen. */
  dismiss(id: string): Promise<void>;
  /**
   * Notes that the service accepted a change that was not queued here: changes that fail at the same time are
   * themselves the cause.
   */
  noteTaken(): void;
  /** Sends a refused change again, after the waiting ones of its objects. */
  retry(id: string): Promise<void>;
  /**
   * Retries now instead of waiting. Resolves when every change, or with `subjects` every change of these objects, was
   * sent or failed.
   */
  flush(subjects?: readonly string[]): Promise<void>;
  /** Stops sending and releases the outbox for another process. */
  close(): Promise<void>;
}

/** Maximum number of concurrent requests. */
const maxConcurrent = 6;

/** A line of the file. `gone`: the id of a change that was sent, or whose refusal was dismissed. */
type Entry = { readonly change: Change } | { readonly refused: Refusal } | { readonly gone: string };

/** Opens the outbox on disk and starts sending. Throws CONFIGURATION while another process has it open. */
export async function createChangeOutbox(deps: ChangeOutboxDeps): Promise<ChangeOutbox> {
  await ensurePrivateDirectory(deps.directory);
  const release = await holdLock(join(deps.directory, 'lock'), { clock: deps.clock, timeout: lockPatience });
  try {
    const { log, entries, damaged } = await openLineLog(join(deps.directory, 'changes.log'), {
      sealing: deps.sealing,
    });
    if (damaged) deps.log?.({ level: 'error', event: 'outbox_damaged' });
    const outbox = createOutbox(deps, createContent(log, entries as readonly Entry[], deps), release);
    void outbox.flush();
    return outbox;
  } catch (error) {
    await release();
    throw error;
  }
}

/** The waiting and refused changes, in memory and on disk. */
interface OutboxContent {
  readonly waiting: ReadonlyMap<string, Change>;
  /** Oldest first. */
  refusals(): readonly Refusal[];
  add(change: Change): Promise<void>;
  /** Makes a refused change wait again. */
  requeue(id: string): Promise<void>;
  /** Removes a refusal that a person has seen. */
  dismiss(id: string): Promise<void>;
  /**
   * Records the answer of the service. It counts even if the disk fails to store it: the change is then sent again
   * after a restart.
   */
  settle(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

function createContent(
  log: LineLog,
  entries: readonly Entry[],
  deps: Pick<ChangeOutboxDeps, 'onChange' | 'log'>,
): OutboxContent {
  const waiting = new Map<string, Change>();
  const refused = new Map<string, Refusal>();
  /** Changes being written to disk. */
  const arriving = new Map<string, Promise<void>>();
  /** Ids of the changes, oldest first. */
  const made = new Set<string>();

  function apply(entry: Entry): void {
    if (!('gone' in entry)) made.add('change' in entry ? entry.change.id : entry.refused.change.id);
    if ('change' in entry) {
      waiting.set(entry.change.id, entry.change);
      refused.delete(entry.change.id);
      return;
    }
    const id = 'refused' in entry ? entry.refused.change.id : entry.gone;
    waiting.delete(id);
    if ('refused' in entry) refused.set(id, entry.refused);
    else {
      refused.delete(id);
      made.delete(id);
    }
  }

  function note(entry: Entry): void {
    apply(entry);
    deps.onChange?.();
  }

  function write(change: Change): Promise<void> {
    const { id } = change;
    const arrival = arriving.get(id) ?? log.append({ change } satisfies Entry).then(() => note({ change }));
    arriving.set(id, arrival);
    return arrival.finally(() => arriving.delete(id));
  }

  const refusals = (): Refusal[] => [...made].flatMap((id) => refused.get(id) ?? []);

  async function settle(entry: Entry): Promise<void> {
    note(entry);
    // Once nothing waits, the file is emptied.
    const isDrained = waiting.size === 0 && arriving.size === 0;
    const left = refusals().map((refusal): Entry => ({ refused: refusal }));
    await (isDrained ? log.replace(left) : log.append(entry)).catch(() =>
      deps.log?.({ level: 'error', event: 'outbox_not_written' }),
    );
  }

  for (const entry of entries) apply(entry);
  return {
    waiting,
    refusals,
    async add(change) {
      if (!waiting.has(change.id) && !refused.has(change.id)) await write(change);
    },
    async requeue(id) {
      const refusal = refused.get(id);
      if (refusal) await write(refusal.change);
    },
    async dismiss(id) {
      if (refused.has(id)) await settle({ gone: id });
    },
    settle,
    close: () => log.close(),
  };
}

/** The attempts to send a change. */
interface Trial {
  /** Number of times that the service failed to process this change. */
  readonly tries: number;
  /** Number of changes that the service had accepted at the last attempt. */
  readonly taken: number;
  /** Cancels the wait for the next attempt; absent while there is none. */
  readonly callOff?: () => void;
}

/** Whether the change may still be withdrawn. */
export const isHeld = ({ not_before: time }: Change, now: number): boolean =>
  time !== undefined && Date.parse(time) > now;

/** Calls `wake` when the time of the first held change has come. From then on it waits like any other. */
function createHeldTimer(
  { clock, onChange }: ChangeOutboxDeps,
  waiting: ReadonlyMap<string, Change>,
  wake: () => void,
) {
  let stop = (): void => {};
  const due = (): void => {
    wake();
    onChange?.();
  };
  return {
    start(): void {
      stop();
      const times = [...waiting.values()]
        .filter((change) => isHeld(change, clock.now()))
        .map(({ not_before: time = '' }) => Date.parse(time));
      stop = times.length === 0 ? () => {} : clock.schedule(Math.min(...times), due);
    },
    stop: () => stop(),
  };
}

const objectsOf = ({ subject, touches = [] }: Change): readonly string[] => [subject, ...touches];

/** The changes whose objects have no earlier one. */
function firstOfEach(changes: Iterable<Change>): Change[] {
  const objects = new Set<string>();
  return [...changes].filter((change) => {
    const own = objectsOf(change);
    const isFirst = own.every((object) => !objects.has(object));
    for (const object of own) objects.add(object);
    return isFirst;
  });
}

/** `undefined`: every change. */
const isOf =
  (subjects: readonly string[] | undefined) =>
  (change: Change): boolean =>
    subjects === undefined || objectsOf(change).some((object) => subjects.includes(object));

function createOutbox(deps: ChangeOutboxDeps, content: OutboxContent, release: () => Promise<void>): ChangeOutbox {
  const { clock } = deps;
  const { waiting } = content;
  const ending = new AbortController();
  /** The changes whose answer is pending or being recorded. */
  const onTheirWay = new Map<string, { readonly change: Change; readonly end: Promise<void> }>();
  /** The changes that failed. */
  const trials = new Map<string, Trial>();
  /**
   * Numbers the changes that got no answer, in order. Such a change is sent after all others: it may be the one that
   * crashes the service each time.
   */
  const unlucky = new Map<string, number>();
  let taken = 0;
  let failures = 0;
  let mishaps = 0;
  /** Cancels the next attempt; set while the service is unreachable. */
  let callOff: (() => void) | undefined;
  const held = createHeldTimer(deps, waiting, () => sendReady());
  /** Notified when the set of active changes may have changed. */
  const bell = createBell();

  /** The service is unreachable or overloaded: nothing is sent for a while. */
  function postponeAll(error: AppError): void {
    if (callOff) return;
    callOff = clock.schedule(clock.now() + computeDelay(++failures, error, deps.random), () => {
      callOff = undefined;
      sendReady();
    });
  }

  /** Retries the change later; `false`: there were too many attempts. */
  function postpone({ id }: Change, error: AppError): boolean {
    const previous = trials.get(id);
    const tries = (previous?.tries ?? 0) + 1;
    if (tries >= getMaxAttempts(error, previous !== undefined && taken > previous.taken)) return false;
    const due = clock.schedule(clock.now() + computeDelay(tries, error, deps.random), () => {
      wake(id);
      sendReady();
    });
    trials.set(id, { tries, taken, callOff: due });
    return true;
  }

  const isResting = ({ id }: Change): boolean => trials.get(id)?.callOff !== undefined;
  /** Stops the change's wait for its next attempt. */
  function wake(id: string): void {
    const trial = trials.get(id);
    if (!trial?.callOff) return;
    trial.callOff();
    trials.set(id, { tries: trial.tries, taken: trial.taken });
  }

  async function sendOne(change: Change): Promise<void> {
    const { id } = change;
    const error = await deps.send(change, ending.signal).then(
      () => undefined,
      (reason: unknown) => (reason instanceof AppError ? reason : new AppError('USAGE', { cause: reason })),
    );
    if (error && ending.signal.aborted) return;
    if (error && concernsEveryRequest(error)) {
      unlucky.set(id, ++mishaps);
      return postponeAll(error);
    }
    failures = 0;
    unlucky.delete(id);
    if (error && isTransient(error) && postpone(change, error)) return;
    trials.delete(id);
    if (!error) taken += 1;
    await content.settle(error ? { refused: toRefusal(change, error, isoNow(clock)) } : { gone: id });
    if (error) deps.onRefused?.(change, error);
  }

  /** The changes that can be sent now; those that got no answer come last. */
  const ready = (): readonly Change[] =>
    firstOfEach(waiting.values())
      .filter((change) => !onTheirWay.has(change.id) && !isResting(change) && !isHeld(change, clock.now()))
      .toSorted((a, b) => (unlucky.get(a.id) ?? 0) - (unlucky.get(b.id) ?? 0));

  function sendReady(): void {
    if (!ending.signal.aborted && !callOff) {
      // A single change tests whether the service answers again.
      const limit = failures > 0 ? 1 : maxConcurrent;
      for (const change of ready().slice(0, Math.max(0, limit - onTheirWay.size))) {
        const end = sendOne(change).finally(() => {
          onTheirWay.delete(change.id);
          sendReady();
        });
        onTheirWay.set(change.id, { change, end });
      }
    }
    if (!ending.signal.aborted) held.start();
    bell.ring();
  }

  const waitingOf = (subjects: readonly string[] | undefined): Change[] => [...waiting.values()].filter(isOf(subjects));
  /** Whether a change of these objects is being sent or about to be. */
  const isActive = (subjects: readonly string[] | undefined): boolean =>
    [...onTheirWay.values()].some(({ change }) => isOf(subjects)(change)) ||
    (!callOff && !ending.signal.aborted && ready().some(isOf(subjects)));

  return {
    async enqueue(change) {
      if (ending.signal.aborted) throw new AppError('INTERRUPTED');
      await content.add(change);
      sendReady();
    },
    waiting: () => [...waiting.values()],
    refused: content.refusals,
    holds: (subjects) => callOff !== undefined || waitingOf(subjects).length > 0,
    async cancel(id) {
      if (!waiting.has(id) || onTheirWay.has(id)) return false;
      wake(id);
      trials.delete(id);
      await content.settle({ gone: id });
      sendReady();
      return true;
    },
    dismiss: content.dismiss,
    noteTaken: () => void (taken += 1),
    async retry(id) {
      await content.requeue(id);
      sendReady();
    },
    async flush(subjects) {
      callOff?.();
      callOff = undefined;
      for (const { id } of waitingOf(subjects)) wake(id);
      sendReady();
      while (isActive(subjects)) await bell.rung();
    },
    async close() {
      ending.abort();
      callOff?.();
      held.stop();
      for (const id of trials.keys()) wake(id);
      await Promise.all([...onTheirWay.values()].map(({ end }) => end));
      await content.close();
      await release();
    },
  };
}

const toRefusal = (change: Change, { code, sentences, details }: AppError, at: string): Refusal => ({
  change,
  error: { code, message: sentences.message, ...(details && { details }) },
  at,
});
