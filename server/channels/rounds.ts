/** Looks at another system again and again, one round after the other, until the channel is closed. */
import { AppError } from '../../src/contract/errors.ts';
import { machineOf } from '../../src/domain/clock.ts';
import { anatomyOf } from '../plugins/errors.ts';
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
  /** Resolves once the present round is over, which its signal tells to end. */
  close(): Promise<void>;
}

/** The first round begins at once. A system that asks to be left alone for longer is. */
export function startRounds(
  { clock, log, tell }: Pick<InboundDeps, 'clock' | 'log' | 'tell'>,
  { channel, seconds, failure, run }: Round,
): Rounds {
  const closing = new AbortController();
  const { signal } = closing;
  let callOff = (): void => {};
  const go = async (): Promise<void> => {
    let wait = seconds;
    try {
      tell(await run(signal));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof AppError ? error : undefined;
      wait = Math.max(wait, known?.retryAfter ?? 0);
      tell(known ? reasonOf(known) : failure.message);
      log({ level: 'warn', event: failure.event, channel, ...anatomyOf(error) });
    }
    if (signal.aborted) return;
    const machine = machineOf(clock);
    callOff = machine.schedule(machine.now() + wait * 1000, () => (going = go()));
  };
  let going = go();
  return {
    async close() {
      closing.abort();
      callOff();
      await going;
    },
  };
}
