/** Repeats a check every minute for as long as it asks for the next one. Checks never overlap. */
import { describeError } from '../../../../src/domain/describe-error.ts';
import type { DeliveryDeps } from '../../deps.ts';

/** In ms. */
export const minute = 60_000;

export interface RepeatedCheck {
  start(): void;
  /** Checks now, or once more after the check that runs. */
  check(): Promise<void>;
  /** Lets the running check end. */
  stop(): void;
  /** Resolves once no check runs. */
  idle(): Promise<void>;
}

/** `check` resolves to whether another one is needed; if none is, `onRest` is called. */
export function createRepeatedCheck(
  { clock, log }: Pick<DeliveryDeps, 'clock' | 'log'>,
  { check, onRest }: { readonly check: () => Promise<boolean>; readonly onRest: () => void },
): RepeatedCheck {
  let isStarted = false;
  let running: Promise<void> | undefined;
  let isStale = false;
  let cancel = (): void => {};

  function run(): Promise<void> {
    cancel();
    if (running) {
      isStale = true;
      return running;
    }
    isStale = false;
    running = check()
      .catch((error: unknown) => {
        log({ level: 'error', event: 'channel_alarms_failed', ...describeError(error) });
        return true;
      })
      .then((again) => {
        running = undefined;
        if (!isStarted) return;
        if (isStale) void run();
        else if (again) cancel = clock.schedule(clock.now() + minute, run);
        else onRest();
      });
    return running;
  }

  return {
    start() {
      isStarted = true;
      void run();
    },
    check: run,
    stop() {
      isStarted = false;
      cancel();
    },
    async idle() {
      while (running) await running;
    },
  };
}
