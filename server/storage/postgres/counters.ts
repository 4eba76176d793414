/** The counters of a store in PostgreSQL, by the clock of the database, in a table that a crash of the database empties. */
import type { Count, Counters } from '../counters.ts';
import type { Connections } from './connections.ts';

interface CounterDeps {
  /** Quoted. */
  readonly schema: string;
  readonly connections: Connections;
}

/** Every so many additions remove the counters whose time is over. */
const sweepEvery = 500;

const none: Count = { n: 0, left: 0 };

export function createPostgresCounters({ schema, connections: { reads } }: CounterDeps): Counters {
  const table = `${schema}.counters`;
  const left = `extract(epoch FROM until - now())::float8 * 1000 AS left`;
  let additions = 0;
  return {
    async read(key) {
      const [count] = await reads.run<Count>({
        text: `SELECT n, ${left} FROM ${table} WHERE key = $1 AND until > now()`,
        values: [key],
      });
      return count ?? none;
    },
    async add(key, by, { ms, renewed }) {
      if (++additions % sweepEvery === 0)
        void reads.run({ text: `DELETE FROM ${table} WHERE until < now()` }).catch(() => undefined);
      const [count] = await reads.run<Count>({
        text: `INSERT INTO ${table} AS c (key, n, until) VALUES ($1, greatest(0, $2::int), now() + $3 * interval '1 millisecond') ON CONFLICT (key) DO UPDATE SET n = greatest(0, $2::int + CASE WHEN c.until > now() THEN c.n ELSE 0 END), until = CASE WHEN c.until > now() AND NOT $4 THEN c.until ELSE excluded.until END RETURNING n, ${left}`,
        values: [key, by, ms, renewed],
      });
      return count ?? none;
    },
    async forget(key) {
      await reads.run({ text: `DELETE FROM ${table} WHERE key = $1`, values: [key] });
    },
  };
}
