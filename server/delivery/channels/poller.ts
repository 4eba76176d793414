/** Polls another system, one poll at a time, until closed. */
import { AppError } from '../../../src/contract/errors.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { InboundDeps } from './channel.ts';
import { explainFailure } from './failures.ts';

export interface PollOptions {
  /** Name of the channel, for the log. */
  readonly channel: string;
  /** Pause from the end of a poll to the next one. */
  readonly seconds: number;
  /** Log event and operator message if a poll fails without a specific reason. */
  readonly failure: { readonly event: string; readonly message: string };
  /** Resolves to a message for the operator; `null`: no problem. */
  poll(signal: AbortSignal): Promise<string | null>;
}

export interface Poller {
  /** Polls soon, because something changed. */
  pollSoon(): void;
  /** Aborts the current poll; resolves once it has ended. */
  close(): Promise<void>;
}

/** Minimum pause in ms: simultaneous changes cause one poll. */
const minPause = 1000;

/** The first poll starts at once. `Retry-After` of the other system is respected. */
export function startPoller(
  { clock, log, reportProblem }: Pick<InboundDeps, 'clock' | 'log' | 'reportProblem'>,
  { channel, seconds, failure, poll }: PollOptions,
): Poller {
  const closing = new AbortController();
  const { signal } = closing;
  const machine = machineClockOf(clock);
  let cancel = (): void => {};
  let isRunning = false;
  let isHurried = false;
  /** Earliest next poll that the other side asked for, in elapsed time, which ignores changes of the clock. */
  let notBefore = 0;
  const go = async (): Promise<void> => {
    isRunning = true;
    isHurried = false;
    try {
      reportProblem(await poll(signal));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof AppError ? error : undefined;
      notBefore = machine.elapsed() + (known?.retryAfter ?? 0) * 1000;
      reportProblem(known ? explainFailure(known) : failure.message);
      log({ level: 'warn', event: failure.event, channel, ...describeError(error) });
    } finally {
      isRunning = false;
    }
    if (!signal.aborted) wait();
  };
  const wait = (): void => {
    const interval = isHurried ? minPause : seconds * 1000;
    const ms = Math.max(interval, notBefore - machine.elapsed());
    cancel = machine.schedule(machine.now() + ms, () => (going = go()));
  };
  let going = go();
  return {
    pollSoon() {
      if (signal.aborted || isHurried) return;
      isHurried = true;
      if (isRunning) return;
      cancel();
      wait();
    },
    async close() {
      closing.abort();
      cancel();
      await going;
    },
  };
}
