/** Reads the store's files once a day, in the background, and reports damage to the operator. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { describeError } from '../../../src/domain/describe-error.ts';
import type { ScrubReport } from '../../storage/kinds.ts';
import type { Store } from '../../storage/store.ts';

export interface ScrubDeps {
  /** Reads all files of the store; `undefined`: the store has none. */
  readonly scrub: ((signal: AbortSignal) => Promise<ScrubReport>) | undefined;
  readonly store: Pick<Store, 'compact'>;
  /** The machine's clock. */
  readonly clock: Clock;
  readonly log: Log;
}

export interface ScrubState {
  /** ISO 8601; `null`: none was completed since the start. */
  readonly completed_at: string | null;
  /** Found by the last scrub. */
  readonly faults: number;
}

export interface Scrubbing {
  state(): ScrubState;
  /** Faults found since the start. */
  faultsTotal(): number;
  /** Waits for the current scrub. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** ms after the start, so that a server that is restarted daily is scrubbed daily. */
const firstAfter = 15 * 60 * 1000;
const every = 24 * 3600 * 1000;

/** If a file is damaged, memory still has everything, so the files are rewritten at once. */
export function startScrubbing({ scrub, store, clock, log }: ScrubDeps): Scrubbing {
  const stopping = new AbortController();
  let state: ScrubState = { completed_at: null, faults: 0 };
  let total = 0;
  let working = Promise.resolve();
  let cancel = (): void => {};

  async function run(read: NonNullable<typeof scrub>): Promise<void> {
    const { faults } = await read(stopping.signal);
    total += faults.length;
    state = { completed_at: new Date(clock.now()).toISOString(), faults: faults.length };
    for (const fault of faults) log({ level: 'error', event: 'scrub_fault', ...fault });
    if (faults.length > 0) await store.compact();
  }

  const schedule = (after: number): void => {
    if (!scrub || stopping.signal.aborted) return;
    cancel = clock.schedule(clock.now() + after, () => {
      working = run(scrub)
        .catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'INTERRUPTED') return;
          log({ level: 'warn', event: 'scrub_failed', ...describeError(error) });
        })
        .then(() => schedule(every));
    });
  };
  schedule(firstAfter);

  return {
    state: () => state,
    faultsTotal: () => total,
    idle: () => working,
    async stop() {
      stopping.abort();
      cancel();
      await working;
    },
  };
}
