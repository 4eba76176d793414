/**
 * The queue of one open outbound channel. Messages about one exam are strictly sequential: a pending or refused message blocks
 * the later ones until it is delivered or dropped, except that a later version of the same document supersedes it. Messages
 * about different exams are sent concurrently, a few at a time. While the receiver does not answer, single messages probe it
 * with growing pauses, and the others wait until one is delivered.
 */
import type { MessageError } from '../../../../src/contract/channel-message.ts';
import { backoffDelay } from '../../../../src/domain/backoff.ts';
import { isoNow } from '../../../../src/domain/clock.ts';
import { maxRetryAfter } from '../../../../src/domain/retry-schedule.ts';
import { describeError } from '../../../../src/domain/describe-error.ts';
import { createWaits } from '../../../runtime/clock/waits.ts';
import type { Waits } from '../../../runtime/clock/waits.ts';
import { FairQueue } from '../../../runtime/queue/fair-queue.ts';
import type { Turn } from '../../../runtime/queue/fair-queue.ts';
import { leaseLost } from '../../../storage/members.ts';
import { scan } from '../../../storage/scan.ts';
import type { DeliveryDeps } from '../../deps.ts';
import type { SendResult, ChannelConfig, Sender, SendingLease, StoredMessage } from '../channel.ts';
import { isBusy, renderMessage } from './render-message.ts';
import type { RenderDeps } from './render-message.ts';
import { putOutcome } from '../../../records/outbox.ts';
import { recordMessageTime } from '../backlog.ts';

export interface DestinationDeps extends RenderDeps, Pick<DeliveryDeps, 'clock' | 'log'> {
  /** Numbers from 0 up to 1, for the jitter of retries. */
  readonly random: () => number;
}

/** Pauses of a message in ms: after its first failure, and at most. */
const messageRetry = { base: 2000, factor: 2, max: 5 * 60_000 } as const;
/** Pauses of the whole channel after failures, until something is delivered. */
const channelRest = { base: 1000, factor: 2, max: 60_000 } as const;
/** Pause in ms before the next read after a failure of the store. */
const storeRetry = 5000;
const defaultConcurrency = 4;

/** Work in progress for an exam. */
interface ExamWork {
  /** The message in flight. */
  message: string | undefined;
  /** Whether a commit announced a message about the exam meanwhile. */
  isStale: boolean;
  readonly abort: AbortController;
}

export class Destination {
  readonly #deps: DestinationDeps & SendingLease;
  readonly #waits: Waits;
  readonly #channel: ChannelConfig;
  readonly #sender: Sender;
  readonly #reportProblem: (problem: string | null) => void;
  /** Exams with pending messages, each due with its next message; ids are the lanes of messages. */
  readonly #queue: FairQueue;
  readonly #work = new Map<string, ExamWork>();
  readonly #active = new Set<Promise<void>>();
  /** Outcomes that the store failed to record, by message id. Each is recorded before its message is sent again. */
  readonly #unrecorded = new Map<string, SendResult>();
  readonly #run = new AbortController();
  /** Consecutive failures, and the time until which the channel pauses because of them. */
  #failures = 0;
  #restUntil = 0;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #alarm: { at: number; off: () => void } | undefined;

  constructor(
    deps: DestinationDeps & SendingLease,
    channel: ChannelConfig,
    sender: Sender,
    reportProblem: (problem: string | null) => void,
  ) {
    this.#deps = deps;
    this.#waits = createWaits(deps.clock);
    this.#channel = channel;
    this.#sender = sender;
    this.#reportProblem = reportProblem;
    this.#queue = new FairQueue({ perLane: this.#maxInFlight, total: this.#maxInFlight });
  }

  get #maxInFlight(): number {
    return this.#sender.maxInFlight ?? defaultConcurrency;
  }

  /** Reads all pending messages. */
  renew(): void {
    if (this.#run.signal.aborted) return;
    if (this.#reading) return void (this.#readAgain = true);
    this.#reading = this.#readAll()
      .catch((error: unknown) => this.#storeFailed('outbox_sweep_failed', error, () => this.renew()))
      .finally(() => {
        this.#reading = undefined;
        if (this.#readAgain) this.renew();
      });
    this.#track(this.#reading);
  }

  /** Handles a message that a commit announced. */
  handle(message: StoredMessage): void {
    const { id, state, lane, attempts = 0 } = message;
    if (lane === undefined || this.#run.signal.aborted) return;
    const now = this.#waits.now();
    if (state !== 'waiting') this.#waits.forget(id);
    const work = this.#work.get(lane);
    if (work) work.isStale = true;
    if (state === 'dropped' && work?.message === id) work.abort.abort();
    // The operator retries a failed message now.
    if (state === 'waiting' && attempts > 0 && this.#dueOf(message) <= now) this.#restUntil = 0;
    if (state !== 'refused') this.#queue.put({ id: lane, lane: '', due: now });
    this.#pump();
  }

  /** Aborts work in progress; a message without an outcome stays pending. */
  async stop(): Promise<void> {
    this.#run.abort();
    this.#alarm?.off();
    while (this.#active.size > 0) await Promise.all(this.#active);
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#active.delete(tracked));
    this.#active.add(tracked);
  }

  async #readAll(): Promise<void> {
    const { store, clock } = this.#deps;
    this.#readAgain = false;
    const waiting = { is: { channel: this.#channel.id, state: 'waiting' } };
    for await (const { lane, at } of scan(store, 'messages', waiting)) {
      if (this.#run.signal.aborted) return;
      // The creation time decides the order; #step checks what is due.
      const since = Math.max(0, clock.now() - Date.parse(at));
      if (lane !== undefined) this.#queue.put({ id: lane, lane: '', due: this.#waits.now() - since });
    }
    this.#pump();
  }

  /** Starts as many exams as allowed, and sets the timer for the next due one. */
  #pump(): void {
    if (this.#run.signal.aborted) return;
    const now = this.#waits.now();
    if (now < this.#restUntil) return this.#wakeAt(this.#restUntil);
    const places = this.#failures > 0 ? 1 : this.#maxInFlight;
    this.#queue.limit({ perLane: places, total: places });
    for (let turn = this.#queue.take(now); turn; turn = this.#queue.take(now)) this.#track(this.#serve(turn));
    const { nextDue } = this.#queue;
    if (nextDue !== undefined) this.#wakeAt(nextDue);
  }

  /** Sets the timer for `at`, in the time of waits, unless an earlier one is set. */
  #wakeAt(at: number): void {
    if (this.#run.signal.aborted || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.off();
    const off = this.#waits.schedule(at, () => {
      this.#alarm = undefined;
      this.#pump();
    });
    this.#alarm = { at, off };
  }

  #storeFailed(event: string, error: unknown, then: () => void): void {
    const { clock, log } = this.#deps;
    log({ level: 'error', event, channel: this.#channel.name, ...describeError(error) });
    if (this.#run.signal.aborted) return;
    const { signal } = this.#run;
    const off = clock.schedule(clock.now() + storeRetry, () => {
      signal.removeEventListener('abort', off);
      then();
    });
    signal.addEventListener('abort', off, { once: true });
  }

  async #serve(turn: Turn): Promise<void> {
    const work: ExamWork = { message: undefined, isStale: false, abort: new AbortController() };
    this.#work.set(turn.id, work);
    let next: number | undefined;
    try {
      next = await this.#step(turn.id, work);
    } catch (error) {
      this.#storeFailed('outbox_outcome_not_recorded', error, () => this.#pump());
      next = this.#waits.now() + storeRetry;
    }
    this.#work.delete(turn.id);
    turn.end();
    const due = work.isStale ? Math.min(next ?? Infinity, this.#waits.now()) : next;
    if (due !== undefined) this.#queue.put({ id: turn.id, lane: '', due });
    this.#pump();
  }

  /** Sends the first message about the exam. Returns when the next one is due, in the time of waits; `undefined`: there is none. */
  async #step(lane: string, work: ExamWork): Promise<number | undefined> {
    const { store } = this.#deps;
    const waits = this.#waits;
    const left = await store.find('messages', { is: { lane, state: ['waiting', 'refused'] } });
    const message = left.at(-1);
    if (!message) return undefined;
    if (message.state === 'refused') {
      if (!left.some(({ id, record_id }) => id !== message.id && record_id === message.record_id)) return undefined;
      await this.#supersede(message.id);
      return waits.now();
    }
    const due = this.#dueOf(message);
    if (due > waits.now()) return due;
    work.message = message.id;
    const began = waits.now();
    const result = this.#unrecorded.get(message.id) ?? (await this.#deliver(message, work));
    if (!result) return work.abort.signal.aborted ? waits.now() : undefined;
    this.#note(result, began);
    this.#unrecorded.set(message.id, result);
    const after = await this.#record(message.id, result);
    this.#unrecorded.delete(message.id);
    return after?.state === 'waiting' ? this.#dueOf(after) : waits.now();
  }

  /** The first attempt has no pause. */
  #dueOf({ id, attempts = 0, updated_at: from, next_attempt_at: at }: StoredMessage): number {
    return attempts === 0 || at == null ? 0 : this.#waits.end(id, Date.parse(from), Date.parse(at));
  }

  /** Drops a refused message that would block a later version of its document forever. */
  async #supersede(id: string): Promise<void> {
    const { store, clock } = this.#deps;
    await store.transact(async (tx) => {
      const message = await tx.get('messages', id);
      if (message?.state === 'refused')
        putOutcome(tx, { ...message, state: 'dropped', error: superseded, updated_at: isoNow(clock) });
    });
  }

  /** `undefined`: the attempt was aborted, and its outcome is unknown. */
  async #deliver(message: StoredMessage, { abort }: ExamWork): Promise<SendResult | undefined> {
    const signal = AbortSignal.any([this.#run.signal, abort.signal]);
    let result: SendResult;
    try {
      const rendered = await renderMessage(this.#deps, message, this.#sender, signal);
      // A member that was asleep, and whose work another one has taken over, sends nothing more.
      if (!this.#deps.isHeld()) throw leaseLost();
      if ('state' in rendered) result = rendered;
      else {
        const sent = await this.#sender.send(rendered, signal);
        result = sent.state === 'delivered' ? { ...sent, warnings: rendered.warnings } : sent;
      }
    } catch (error) {
      if (!this.#deps.isHeld()) throw error;
      if (!signal.aborted && !isBusy(error)) this.#log('error', 'outbox_attempt_failed', message, describeError(error));
      result = { state: 'again', error: internalError };
    }
    return signal.aborted && result.state === 'again' ? undefined : result;
  }

  /** Pauses the channel after a failure; any other outcome ends the pause, because the receiver answers. */
  #note(result: SendResult, began: number): void {
    const { random } = this.#deps;
    if (result.state === 'again' && result.isOfExam) return;
    if (result.state !== 'again') {
      this.#failures = 0;
      this.#restUntil = 0;
      return this.#reportProblem(null);
    }
    this.#reportProblem(result.error.message);
    // Concurrent messages failed for the same reason.
    if (this.#failures > 0 && began < this.#restUntil) return;
    this.#failures += 1;
    const rest = Math.max(backoffDelay(this.#failures, { ...channelRest, random }), requestedPause(result));
    this.#restUntil = this.#waits.now() + rest;
  }

  async #record(id: string, result: SendResult): Promise<StoredMessage | undefined> {
    const { store, clock, random } = this.#deps;
    const message = await store.transact(async (tx) => {
      const present = await tx.get('messages', id);
      // A message that an operator dropped meanwhile stays dropped, unless it was delivered.
      if (!present || (present.state !== 'waiting' && result.state !== 'delivered')) return present;
      const attempts = (present.attempts ?? 0) + 1;
      const done = { ...present, attempts, updated_at: isoNow(clock) };
      const after: StoredMessage =
        result.state === 'again'
          ? { ...done, error: result.error, next_attempt_at: nextAttempt(attempts, result, clock.now(), random) }
          : {
              ...done,
              state: result.state,
              error: result.state === 'refused' ? result.error : null,
              warnings: result.state === 'delivered' ? [...(result.warnings ?? [])] : present.warnings,
              next_attempt_at: null,
            };
      if (after.state === 'delivered') await recordMessageTime(tx, clock, this.#channel.id);
      if (after.state === 'waiting') tx.put('messages', after);
      else putOutcome(tx, after);
      return after;
    });
    if (message?.state === 'refused') this.#log('warn', 'message_refused', message, { code: message.error?.code });
    return message;
  }

  #log(level: 'warn' | 'error', event: string, { id }: StoredMessage, more: Record<string, unknown>): void {
    this.#deps.log({ level, event, channel: this.#channel.name, message_id: id, ...more });
  }
}

const superseded: MessageError = {
  code: 'SUPERSEDED',
  message: 'It was refused, and a later version is sent instead.',
};
const internalError: MessageError = { code: 'INTERNAL_ERROR', message: 'The document could not be written out now.' };

type RetryResult = Extract<SendResult, { state: 'again' }>;

const requestedPause = ({ retryAfterMs = 0 }: RetryResult): number => Math.min(retryAfterMs, maxRetryAfter);

/** Attempts have no limit: a report that no system has is useless. */
const nextAttempt = (attempts: number, retry: RetryResult, now: number, random: () => number): string =>
  new Date(now + Math.max(backoffDelay(attempts, { ...messageRetry, random }), requestedPause(retry))).toISOString();
