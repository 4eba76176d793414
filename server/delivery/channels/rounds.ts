/** Looks at another system again and again, one round after the other, until the channel is closed. */
import { AppError } from '../../../src/contract/errors.ts';
import { machineClockOf } from '../../../src/domain/clock.ts';
import { anatomyOf } from '../../http/plugins/errors.ts';
import type { InboundDeps } from './channel.ts';
import { reasonOf } from './failures.ts';

export interface Round {
  /** Name of the channel, for the log. */
  readonly channel: string;
  /** From the end of a round to the next one. */
  readonly seconds: number;
  /** What the log and the operator read where a round fails without a reason of its own. */
  readonly failure: { readonly event: string; readonly message: string };
  /** Resolves to what the operator should know; `null`: nothing. */
  run(signal: AbortSignal): Promise<string | null>;
}

export interface Rounds {
  /** The next round begins soon: something changed. */
  hurry(): void;
  /** Resolves once the present round is over, which its signal tells to end. */
  close(): Promise<void>;
}

/** From the end of a round to one that is hurried, in ms: what changes together is asked for once. */
const shortestWait = 1000;

/** The first round begins at once. A system that asks to be left alone for longer is. */
export function startRounds(
  { clock, log, tell }: Pick<InboundDeps, 'clock' | 'log' | 'tell'>,
  { channel, seconds, failure, run }: Round,
): Rounds {
  const closing = new AbortController();
  const { signal } = closing;
  const machine = machineClockOf(clock);
  let callOff = (): void => {};
  let isRunning = false;
  let isHurried = false;
  /** The other side wants no round before that, by the time that goes on when somebody sets the clock. */
  let notBefore = 0;
  const go = async (): Promise<void> => {
    isRunning = true;
    isHurried = false;
    try {
      tell(await run(signal));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof AppError ? error : undefined;
      notBefore = machine.elapsed() + (known?.retryAfter ?? 0) * 1000;
      tell(known ? reasonOf(known) : failure.message);
      log({ level: 'warn', event: failure.event, channel, ...anatomyOf(error) });
    } finally {
      isRunning = false;
    }
    if (!signal.aborted) wait();
  };
  const wait = (): void => {
    const usual = isHurried ? shortestWait : seconds * 1000;
    const ms = Math.max(usual, notBefore - machine.elapsed());
    callOff = machine.schedule(machine.now() + ms, () => (going = go()));
  };
  let going = go();
  return {
    hurry() {
      if (signal.aborted || isHurried) return;
      isHurried = true;
      if (isRunning) return;
      callOff();
      wait();
    },
    async close() {
      closing.abort();
      callOff();
      await going;
    },
  };
}
