/**
 * Changes on their way to the service. They are on disk in the order in which they were made and are sent in that
 * order, each until the service has accepted or refused it. Refused changes stay until somebody has seen them.
 */
import { join } from 'node:path';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { holdLock, lockPatience } from '../../../src/node/files/file-lock.ts';
import { openLineLog } from '../../../src/node/files/line-log.ts';
import type { LineLog } from '../../../src/node/files/line-log.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

export interface Change {
  /** A UUID, sent as the Idempotency-Key. */
  readonly id: string;
  /** Tells `send` what to do. */
  readonly kind: string;
  /** Id of the changed object, such as a record. */
  readonly subject: string;
  /** JSON. */
  readonly payload: unknown;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** A change that the service refused. */
export interface Refusal {
  readonly change: Change;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: Record<string, unknown> };
  readonly at: string;
}

export interface ChangeOutboxDeps {
  /** Directory of the outbox, created if it is missing, 0700. */
  readonly directory: string;
  readonly clock: Clock;
  /** A number from 0 to 1, new at each call. */
  readonly random: () => number;
  /**
   * Resolves when the service has the change. `send` may be called again with a change that the service already has
   * (the answer was lost, the process died): the id of the change makes that harmless where the service honours it;
   * elsewhere `send` itself has to. `close` aborts `signal`.
   */
  readonly send: (change: Change, signal: AbortSignal) => Promise<void>;
  /** Called once, when the change is among the refused. */
  readonly onRefused?: (change: Change, error: AppError) => void;
  /** Called whenever `waiting` or `refused` has changed. */
  readonly onChange?: () => void;
  /** Encrypts the file. */
  readonly sealing?: Sealing | undefined;
  readonly log?: (entry: { level: 'warn' | 'error'; event: string; [key: string]: unknown }) => void;
}

export interface ChangeOutbox {
  /**
   * Resolves when the change is on disk; rejects with STORAGE_UNAVAILABLE if that fails. A change that already waits is
   * added once.
   */
  enqueue(change: Change): Promise<void>;
  /** The changes that wait, in the order in which they will be sent. */
  waiting(): readonly Change[];
  /** The refused changes, oldest first. */
  refused(): readonly Refusal[];
  /**
   * Forgets a change that waits, unless it is on its way. The service may have the change all the same: the answer to an earlier
   * try may have been lost.
   */
  cancel(id: string): Promise<void>;
  /** Forgets a refusal that somebody has seen. */
  dismiss(id: string): Promise<void>;
  /**
   * Tries now instead of waiting for the next try; resolves when nothing waits any more or the service cannot be
   * reached.
   */
  flush(): Promise<void>;
  /** Stops sending and releases the outbox for another process. */
  close(): Promise<void>;
}

/** Delay between tries, in ms: 1 s at first, a minute at most. */
export const resending = { base: 1000, factor: 2, max: 60_000 } as const;

/** A line of the file. `gone`: the id of a change that was sent, or whose refusal was dismissed. */
type Entry = { readonly change: Change } | { readonly refused: Refusal } | { readonly gone: string };

/** Opens the outbox on disk and begins to send. Throws CONFIGURATION while another process has it open. */
export async function createChangeOutbox(deps: ChangeOutboxDeps): Promise<ChangeOutbox> {
  await ensurePrivateDirectory(deps.directory);
  const release = await holdLock(join(deps.directory, 'lock'), { clock: deps.clock, timeout: lockPatience });
  try {
    const { log, entries, damaged } = await openLineLog(join(deps.directory, 'changes.log'), {
      sealing: deps.sealing,
    });
    if (damaged) deps.log?.({ level: 'error', event: 'outbox_damaged' });
    const outbox = outboxOf(deps, contentOf(log, entries as readonly Entry[], deps), release);
    void outbox.flush();
    return outbox;
  } catch (error) {
    await release();
    throw error;
  }
}

/** The waiting and the refused changes, in memory as on disk. */
interface OutboxContent {
  readonly waiting: ReadonlyMap<string, Change>;
  readonly refused: ReadonlyMap<string, Refusal>;
  add(change: Change): Promise<void>;
  /**
   * Notes the answer of the service. It counts even if the disk fails to store it: the change is then sent again after
   * a restart.
   */
  settle(entry: Entry): Promise<void>;
  close(): Promise<void>;
}

function contentOf(
  log: LineLog,
  entries: readonly Entry[],
  deps: Pick<ChangeOutboxDeps, 'onChange' | 'log'>,
): OutboxContent {
  const waiting = new Map<string, Change>();
  const refused = new Map<string, Refusal>();
  /** Changes on their way to the disk. */
  const arriving = new Map<string, Promise<void>>();

  function apply(entry: Entry): void {
    if ('change' in entry) {
      waiting.set(entry.change.id, entry.change);
      return;
    }
    const id = 'refused' in entry ? entry.refused.change.id : entry.gone;
    waiting.delete(id);
    if ('refused' in entry) refused.set(id, entry.refused);
    else refused.delete(id);
  }

  function note(entry: Entry): void {
    apply(entry);
    deps.onChange?.();
  }

  for (const entry of entries) apply(entry);
  return {
    waiting,
    refused,
    async add(change) {
      const { id } = change;
      if (waiting.has(id) || refused.has(id)) return;
      const known = arriving.get(id);
      if (known) return known;
      const arrival = log.append({ change } satisfies Entry).then(() => note({ change }));
      arriving.set(id, arrival);
      return arrival.finally(() => arriving.delete(id));
    },
    async settle(entry) {
      note(entry);
      // Once nothing waits, the file starts over.
      const isDrained = waiting.size === 0 && arriving.size === 0;
      const left = [...refused.values()].map((refusal): Entry => ({ refused: refusal }));
      await (isDrained ? log.replace(left) : log.append(entry)).catch(() =>
        deps.log?.({ level: 'error', event: 'outbox_not_written' }),
      );
    },
    close: () => log.close(),
  };
}

function outboxOf(deps: ChangeOutboxDeps, content: OutboxContent, release: () => Promise<void>): ChangeOutbox {
  const { clock, random } = deps;
  const { waiting, refused } = content;
  const ending = new AbortController();
  let sending: Promise<void> | undefined;
  let failures = 0;
  /** Id of the change whose answer is awaited. */
  let onItsWay: string | undefined;
  /** Cancels the next try; set while the service cannot be reached. */
  let callOff: (() => void) | undefined;

  function postpone(retryAfter = 0): void {
    if (ending.signal.aborted) return;
    const delay = Math.max(backoffDelay(++failures, { ...resending, random }), retryAfter * 1000);
    callOff = clock.schedule(clock.now() + delay, () => void flush());
  }

  /** Resolves to whether the next change may follow. */
  async function sendOne(change: Change): Promise<boolean> {
    onItsWay = change.id;
    const error = await deps.send(change, ending.signal).then(
      () => undefined,
      (reason: unknown) => (reason instanceof AppError ? reason : new AppError('USAGE', { cause: reason })),
    );
    onItsWay = undefined;
    if (error && (isTransient(error) || ending.signal.aborted)) {
      postpone(error.retryAfter);
      return false;
    }
    failures = 0;
    await content.settle(error ? { refused: refusalOf(change, error, isoNow(clock)) } : { gone: change.id });
    if (error) deps.onRefused?.(change, error);
    return true;
  }

  async function sendAll(): Promise<void> {
    while (!ending.signal.aborted) {
      const [change] = waiting.values();
      if (!change || !(await sendOne(change))) return;
    }
  }

  function flush(): Promise<void> {
    callOff?.();
    callOff = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      // A change may have come between the last look and now.
      if (waiting.size > 0 && !callOff && !ending.signal.aborted) void flush();
    });
    return sending;
  }

  return {
    async enqueue(change) {
      if (ending.signal.aborted) throw new AppError('INTERRUPTED');
      await content.add(change);
      if (!callOff) void flush();
    },
    waiting: () => [...waiting.values()],
    refused: () => [...refused.values()],
    async cancel(id) {
      if (waiting.has(id) && id !== onItsWay) await content.settle({ gone: id });
    },
    async dismiss(id) {
      if (refused.has(id)) await content.settle({ gone: id });
    },
    flush,
    async close() {
      ending.abort();
      callOff?.();
      await sending;
      await content.close();
      await release();
    },
  };
}

const refusalOf = (change: Change, { code, message, details }: AppError, at: string): Refusal => ({
  change,
  error: { code, message, ...(details && { details }) },
  at,
});
