/**
 * Moves the simulated time of the server. Nothing that is due on the way is passed over: the clock stops at each due time,
 * and goes on once the work that began there has ended. So many small moves and a large one come to the same.
 */
import type { MovedClock, ServerClock } from '../../../src/contract/clock.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { clockBounds, isInBounds } from '../../../src/domain/clock-choice.ts';
import { isMovable, isoNow } from '../../../src/domain/clock.ts';
import type { Clock, MovableClock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';

export interface Timekeeper {
  show(): ServerClock;
  /** Moves forward by so many ms, from 0. Rejects with AppError VALIDATION_FAILED, and INVALID_TRANSITION where time cannot be moved. */
  advance(ms: number): Promise<MovedClock>;
  /** Moves forward to that instant, in ms since 1970. Rejects as `advance` does, and with INVALID_TRANSITION where it has passed. */
  set(at: number): Promise<MovedClock>;
}

/** A part of the server that works by itself. */
export interface Worker {
  /** Resolves once the part does nothing; what is due later does not count. */
  idle(): Promise<void>;
}

export interface TimekeeperOptions {
  /** Aborted once the server stops. */
  readonly stopping: AbortSignal;
  /** ms of the machine's own time for which work is waited for; after that time moves on all the same. */
  readonly patience?: number;
}

/** Longer than a receiver of webhooks may take to answer. */
const usualPatience = 20_000;

/** `workers`: in the order in which they give each other work. */
export function createTimekeeper(
  clock: Clock,
  workers: readonly Worker[],
  { stopping, patience = usualPatience }: TimekeeperOptions,
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

  /** Whether all work has ended in time. */
  async function settle(moving: MovableClock): Promise<boolean> {
    const all = async (): Promise<true> => {
      // Work that ends may give another part work, whose turn then comes.
      for (const worker of [moving, ...workers, moving, ...workers]) {
        await worker.idle();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return true;
    };
    const { machine } = moving;
    const waited = Promise.withResolvers<false>();
    const callOff = machine.schedule(machine.now() + patience, () => waited.resolve(false));
    stopping.addEventListener('abort', stop);
    function stop(): void {
      waited.resolve(false);
    }
    try {
      return await Promise.race([all(), waited.promise]);
    } finally {
      stopping.removeEventListener('abort', stop);
      callOff();
    }
  }

  /** `field`: of the request that asks for the move. */
  async function move(moving: MovableClock, ms: number, field: string): Promise<MovedClock> {
    if (!isInBounds(moving.now() + ms)) {
      throw validationFailed([{ field, message: `The clock goes ${clockBounds}`, code: 'INVALID_VALUE' }]);
    }
    let settled = await settle(moving);
    let rest = ms;
    for (;;) {
      const due = moving.dueAt() ?? Infinity;
      const step = Math.min(rest, Math.max(0, due - moving.now()));
      moving.advance(step);
      rest -= step;
      // Work that does not end is waited for once, not at each of perhaps a thousand stops.
      settled &&= await settle(moving);
      if (stopping.aborted) throw new AppError('SERVER_BUSY', { message: 'The server stops.' });
      if (rest <= 0 && !((moving.dueAt() ?? Infinity) <= moving.now())) return { ...show(), settled };
    }
  }

  const movableOnly = (): MovableClock => {
    if (movable) return movable;
    throw new AppError('INVALID_TRANSITION', {
      message: 'This server goes by the clock of the machine, which cannot be moved.',
      hint: 'Start a server for tests with --clock fixed:ISO, or with --clock offset:0s.',
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
          message: `The clock says ${isoNow(clock)} already, and does not go back.`,
          hint: 'Start another server at the earlier time, on a data directory of its own or in memory.',
        });
      }),
  };
}
