/**
 * The locks of transactions, which last as long as they do. A key, such as an id or a name, has one of so many stripes: shared by those
 * that read it, exclusive for whoever changes it. All stand behind a gate: whoever takes it alone is alone in the whole store.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { planModes } from './connections.ts';
import type { Connection, Statement } from './connections.ts';
import { form } from './layout.ts';

/** The answer to `open`. */
export interface OpenTransactions {
  readonly next: string;
  readonly open: readonly string[];
}

/** All transactions of the store before this one are over, and everybody who asks from now on sees what they wrote. */
export const findHorizon = ({ next, open }: OpenTransactions): bigint =>
  open.map(BigInt).reduce((oldest, x) => (x < oldest ? x : oldest), BigInt(next));

export interface Locks {
  /** Begins a transaction among others, whose statements have one plan, whatever their values. */
  readonly begin: string;
  /** Begins one that is alone. */
  readonly beginAlone: string;
  /**
   * Takes the stripes of the keys, in one order everywhere, and the lock of the commit. `true` is exclusive. Rejects with AppError
   * STORAGE_UNAVAILABLE where a newer version has begun to fill columns that this process does not write.
   */
  take(connection: Connection, keys: ReadonlyMap<string, boolean>, commit: number): Promise<void>;
  /** Waits until the transaction of that commit is over. */
  await(commit: number): Statement;
  /**
   * The next transaction, and those behind the gate that may have written already. A transaction has its number an instant before the
   * lock of that number: one without a lock may be behind the gate, too.
   */
  readonly open: Statement;
}

const stripes = 2048;
/** Behind the stripes. */
const gate = -1;
const commits = 1_000_000;

/** A number for the lock of a commit. */
export const drawCommit = (): number => commits + Math.floor(Math.random() * 2 ** 30);

/** FNV-1a. */
function findStripe(key: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 16_777_619);
  return (hash >>> 0) % stripes;
}

/** A process that slept while a newer version took over; one that starts is refused (schema.ts). */
export const outdated = (): AppError =>
  new AppError('STORAGE_UNAVAILABLE', {
    message:
      'A newer version of Laudio has changed the database, and this process cannot write to it. Nothing was done.',
    hint: 'Stop this process, and start the newer version in its place.',
  });

/** In one transaction, because poolers give each one to another connection. Times in ms. */
const limits =
  'SET LOCAL statement_timeout = 15000; SET LOCAL lock_timeout = 10000; SET LOCAL idle_in_transaction_session_timeout = 10000';

/** Whether a row of pg_locks is the gate, as a condition. */
const heldGate = (kind: number): string =>
  `locktype = 'advisory' AND objsubid = 2 AND classid = ${kind >>> 0} AND objid = ${gate >>> 0} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Locks belong to a whole database: each schema has another class. */
export function createLocks(schema: string): Locks {
  const kind = createHash('sha256').update(schema).digest().readInt32BE();
  const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; ${limits}`;
  return {
    begin: `${begin}; SET LOCAL ${planModes.once}; SELECT pg_advisory_xact_lock_shared(${kind}, ${gate})`,
    beginAlone: `${begin}; SELECT pg_advisory_xact_lock(${kind}, ${gate})`,
    async take(connection, keys, commit) {
      const taken = new Map<number, boolean>();
      for (const [key, isExclusive] of keys) {
        const stripe = findStripe(key);
        if (isExclusive || !taken.has(stripe)) taken.set(stripe, isExclusive);
      }
      const inOrder = [...taken].toSorted(([one], [other]) => one - other);
      const [answer] = await connection.run<{ form: number }>({
        text: `SELECT count(CASE WHEN e THEN pg_advisory_xact_lock(${kind}, s)::text ELSE pg_advisory_xact_lock_shared(${kind}, s)::text END), (SELECT form FROM "${schema}".meta) AS form FROM unnest($1::int[], $2::bool[]) AS l(s, e)`,
        values: [
          [...inOrder.map(([stripe]) => stripe), commit],
          [...inOrder.map(([, isExclusive]) => isExclusive), true],
        ],
      });
      if (answer && answer.form > form) throw outdated();
    },
    open: {
      text: `WITH held AS MATERIALIZED (SELECT locktype, pid, transactionid FROM pg_locks WHERE granted AND (locktype = 'transactionid' AND mode = 'ExclusiveLock' OR ${heldGate(kind)})) SELECT pg_snapshot_xmax(s) AS next, ARRAY(SELECT x::text FROM pg_snapshot_xip(s) x LEFT JOIN held t ON t.transactionid = x::xid WHERE t.transactionid IS NULL OR EXISTS (SELECT FROM held g WHERE g.locktype = 'advisory' AND g.pid = t.pid)) AS open FROM pg_current_snapshot() s`,
      values: [],
    },
    await: (commit) => ({ text: 'SELECT pg_advisory_xact_lock($1::int, $2::int)', values: [kind, commit] }),
  };
}
