/**
 * Moves the server's simulated time. The clock stops at each due time until the work that begins there has ended, so that many small
 * moves have the same effect as a large one.
 */
import type { MovedClock, ServerClock } from '../../../src/contract/clock.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { clockBounds, isInBounds } from '../../../src/domain/clock-choice.ts';
import { isMovable, isoNow } from '../../../src/domain/clock.ts';
import type { Clock, MovableClock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';

export interface Timekeeper {
  show(): ServerClock;
  /** Moves forward by ms, from 0. Rejects with AppError VALIDATION_FAILED, or INVALID_TRANSITION if the clock cannot be moved. */
  advance(ms: number): Promise<MovedClock>;
  /** Moves forward to an instant, ms since 1970. Rejects like `advance`, and with INVALID_TRANSITION if it has passed. */
  set(at: number): Promise<MovedClock>;
}

/** A part of the server with background work. */
export interface Worker {
  /** Resolves once no work is running; work that is due later does not count. */
  idle(): Promise<void>;
}

export interface TimekeeperOptions {
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Maximum wait for work, in ms of the machine's clock; then time moves on anyway. */
  readonly patience?: number;
}

/** Longer than the timeout of webhooks. */
const defaultPatience = 20_000;

/** `workers`: in the order in which they trigger each other. */
export function createTimekeeper(
  clock: Clock,
  workers: readonly Worker[],
  { stopping, patience = defaultPatience }: TimekeeperOptions,
): Timekeeper {
  const inTurn = createOrder();
  const movable = isMovable(clock) ? clock : undefined;

  const show = (): ServerClock => {
    const due = movable?.dueAt();
    return {
      kind: movable ? (movable.runs ? 'offset' : 'fixed') : 'machine',
      now: isoNow(clock),
      next_due_at: due === undefined ? null : new Date(due).toISOString(),
    };
  };

  /** Resolves to whether all work ended in time. */
  async function settle(moving: MovableClock): Promise<boolean> {
    const all = async (): Promise<true> => {
      // Work that ends may trigger other parts, which come later in the list.
      for (const worker of [moving, ...workers, moving, ...workers]) {
        await worker.idle();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return true;
    };
    const { machine } = moving;
    const waited = Promise.withResolvers<false>();
    const cancel = machine.schedule(machine.now() + patience, () => waited.resolve(false));
    stopping.addEventListener('abort', stop);
    function stop(): void {
      waited.resolve(false);
    }
    try {
      return await Promise.race([all(), waited.promise]);
    } finally {
      stopping.removeEventListener('abort', stop);
      cancel();
    }
  }

  /** `field`: of the request. */
  async function move(moving: MovableClock, ms: number, field: string): Promise<MovedClock> {
    if (!isInBounds(moving.now() + ms)) {
      throw validationFailed([
        { field, message: `The clock must stay within its bounds: ${clockBounds}`, code: 'INVALID_VALUE' },
      ]);
    }
    let settled = await settle(moving);
    let rest = ms;
    for (;;) {
      const due = moving.dueAt() ?? Infinity;
      const step = Math.min(rest, Math.max(0, due - moving.now()));
      moving.advance(step);
      rest -= step;
      // Work that does not end is awaited only once, not at each of perhaps a thousand stops.
      settled &&= await settle(moving);
      if (stopping.aborted) throw new AppError('SERVER_BUSY', { message: 'The server is stopping.' });
      if (rest <= 0 && !((moving.dueAt() ?? Infinity) <= moving.now())) return { ...show(), settled };
    }
  }

  const movableOnly = (): MovableClock => {
    if (movable) return movable;
    throw new AppError('INVALID_TRANSITION', {
      message: 'This server uses the system clock, which cannot be moved.',
      hint: 'Start a test server with --clock fixed:ISO or --clock offset:0s.',
    });
  };

  return {
    show,
    advance: async (ms) => inTurn(() => move(movableOnly(), ms, 'by')),
    set: async (at) =>
      inTurn(async () => {
        const moving = movableOnly();
        const ms = at - moving.now();
        if (ms >= 0) return move(moving, ms, 'now');
        throw new AppError('INVALID_TRANSITION', {
          message: `The clock is already at ${isoNow(clock)}, and cannot go back.`,
          hint: 'Start another server at the earlier time, with a separate data directory or in memory.',
        });
      }),
  };
}
