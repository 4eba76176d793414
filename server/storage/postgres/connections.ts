/** The connections of one process to its database: those that all reads share, one for the feed, and those of transactions. */
import pg from 'pg';
import type { ClientConfig, PoolClient, QueryConfig } from 'pg';
import { elementAt } from '../../../src/domain/elements.ts';
import { outcomeUnknown } from '../transactions/document-store.ts';
import { DatabaseFailure, isAnswered, toStoreError } from './failures.ts';

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Runs statements in the order of the calls, without waiting for answers in between. */
export interface Connection {
  run<Row>(statement: Statement): Promise<readonly Row[]>;
}

export interface Connections {
  /** For reads that need no transaction. */
  readonly reads: Connection;
  /** For reads by id and by name, which must not wait behind searches. Their statements have one plan, whatever their values. */
  readonly lookups: Connection;
  /** For the feed, which must not wait behind reads. */
  readonly feed: Connection;
  /**
   * Reserves a connection until `give`. `limit`: ms that a statement waits for its answer, or `unlimited`; default 20,000. Rejects with
   * AppError STORAGE_UNAVAILABLE.
   */
  take(limit?: number): Promise<TakenConnection>;
  /** In a transaction, which commits if `work` succeeds. Rejects with any error of `work`. `limit`: as for `take`. */
  during<T>(begin: string, work: (connection: Connection) => Promise<T>, limit?: number): Promise<T>;
  close(): Promise<void>;
}

export interface TakenConnection extends Connection {
  /** Ends its use. A connection in an unknown state is closed. */
  give(): void;
  /** Ends its use in the middle of a statement, which rejects; the database may complete it. */
  abandon(): void;
}

/** In ms. */
const connectTimeout = 5000;
const defaultTimeout = 20_000;

/** The limit of statements for which no time is too long. */
export const unlimited = 0;

/** Twelve in all, with those of look-ups and of the feed. */
const readLanes = 2;
const maxConnections = 8;

/**
 * How PostgreSQL plans prepared statements. By itself it would plan look-ups and writes again each time, because a list of one value seems
 * cheaper to it than a list that it does not know: that took more than half of its time.
 */
export const planModes = {
  once: 'plan_cache_mode = force_generic_plan',
  byValues: 'plan_cache_mode = auto',
} as const;
const planOnce = `SET ${planModes.once}`;

const xid8 = 5069;
/** Numbers of transactions stay texts: they are compared, and may be large. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === xid8 ? String : pg.types.getTypeParser(oid, format as 'text'),
} as ClientConfig['types'];

interface ConnectionOptions {
  readonly prepares: boolean;
  /** In ms; default 20,000. */
  readonly answerTimeout?: number;
}

export function openConnections(
  address: ClientConfig,
  { prepares, answerTimeout = defaultTimeout }: ConnectionOptions,
): Connections {
  const config: ClientConfig = {
    ...address,
    types,
    pipeline: true,
    application_name: 'laudio',
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
  };
  const toQuery = createQueries(prepares);
  const pool = new pg.Pool({ ...config, max: maxConnections });
  // A connection that ends while nobody uses it leaves the pool.
  pool.on('error', () => {});
  const createShared = (beginning?: string) =>
    createLane({ ...config, query_timeout: answerTimeout }, toQuery, prepares ? beginning : undefined);
  const feed = createShared(planOnce);
  const lookups = createShared(planOnce);
  const lanes = Array.from({ length: readLanes }, () => createShared());
  let turn = 0;

  async function take(limit = answerTimeout): Promise<TakenConnection> {
    let client: PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw toStoreError(new DatabaseFailure(error));
    }
    let isBroken = false;
    const breakOff = (): void => void (isBroken = true);
    client.on('error', breakOff);
    let isGiven = false;
    const give = (): void => {
      if (isGiven) return;
      isGiven = true;
      client.off('error', breakOff);
      client.release(isBroken);
    };
    return {
      async run<Row>(statement: Statement) {
        try {
          // It would wait behind a statement that nobody answers.
          if (isBroken) throw new Error('The connection was given up.');
          const query = { ...toQuery(statement), query_timeout: limit };
          gatherWrites(client);
          return (await client.query(query)).rows as Row[];
        } catch (error) {
          const failure = new DatabaseFailure(error);
          if (!failure.isAnswered) breakOff();
          throw failure;
        }
      },
      give,
      abandon() {
        breakOff();
        give();
      },
    };
  }

  return {
    reads: { run: (statement) => elementAt(lanes, turn++ % lanes.length).run(statement) },
    lookups,
    feed,
    take,
    async during(begin, work, limit) {
      const connection = await take(limit);
      try {
        await connection.run({ text: begin });
        const result = await work(connection);
        await commit(connection);
        return result;
      } catch (error) {
        await connection.run({ text: 'ROLLBACK' }).catch(() => {});
        throw toStoreError(error);
      } finally {
        connection.give();
      }
    },
    async close() {
      await Promise.all([pool.end(), ...[feed, lookups, ...lanes].map((lane) => lane.close())]);
    },
  };
}

async function commit(connection: Connection): Promise<void> {
  try {
    await connection.run({ text: 'COMMIT' });
  } catch (error) {
    throw isAnswered(error) ? error : outcomeUnknown(error);
  }
}

/** Each statement with parameters is prepared under its own name. */
function createQueries(prepares: boolean): (statement: Statement) => QueryConfig {
  const names = new Map<string, string>();
  return ({ text, values }) => {
    if (values === undefined) return { text };
    if (!prepares) return { text, values: [...values] };
    let name = names.get(text);
    if (name === undefined) names.set(text, (name = `laudio_${names.size}`));
    return { name, text, values: [...values] };
  };
}

/** The statements of one turn go out in one write. */
function gatherWrites({ connection: { stream } }: pg.Client): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface Lane extends Connection {
  close(): Promise<void>;
}

/** A connection that everybody shares; one that has broken off is opened again by the next statement. `beginning`: what it says first. */
function createLane(
  config: ClientConfig,
  toQuery: (statement: Statement) => QueryConfig,
  beginning: string | undefined,
): Lane {
  let present: Promise<pg.Client> | undefined;
  function open(): Promise<pg.Client> {
    if (present) return present;
    const client = new pg.Client(config);
    const opening = client.connect().then(async () => {
      if (beginning !== undefined) await client.query(beginning);
      return client;
    });
    const forget = (): void => void (present === opening && (present = undefined));
    client.on('error', forget);
    client.on('end', forget);
    opening.catch(forget);
    return (present = opening);
  }

  return {
    async run<Row>(statement: Statement) {
      try {
        const client = await open();
        gatherWrites(client);
        return (await client.query(toQuery(statement))).rows as Row[];
      } catch (error) {
        throw toStoreError(new DatabaseFailure(error));
      }
    },
    async close() {
      const client = await present?.catch(() => undefined);
      await client?.end();
    },
  };
}
