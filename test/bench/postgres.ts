/** Two servers over one PostgreSQL: their rates beside pgbench inserting the same rows, how soon they hear of each other, and searches among many. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { contract } from '../../src/contract/index.ts';
import { databaseName, startPostgres } from '../support/postgres.ts';
import type { Postgres } from '../support/postgres.ts';
import { secondsOfFamily } from '../support/seconds-of-children.ts';
import { testToken } from '../support/test-token.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { bodies, exam, measureIngest, seed } from './ingest.ts';
import type { Taker } from './ingest.ts';
import { searchRows } from './million.ts';
import { median } from './rounds.ts';

/** How many exams are searched: `LAUDIO_BENCH_EXAMS=5000000`. */
const count = Number(process.env['LAUDIO_BENCH_EXAMS'] ?? 1_000_000);
const connections = 32;
const turns = { rounds: 3, duration: 3, connections };
/** Exams that are sent as exams; the others are copies of them with names of their own. */
const sent = 1000;

/** As the guide asks for, but for the size of a small machine. */
const settings = { max_connections: '100', shared_buffers: '1GB', max_wal_size: '8GB' };

export async function postgresRows({ serve, fresh }: Bench): Promise<Row[]> {
  await using postgres = await startPostgres(settings);
  const tokenFile = fresh();
  await writeFile(tokenFile, 'operator-token-of-the-bench', { mode: 0o600 });
  const store = `postgres://${databaseName}@localhost:${postgres.port}/${databaseName}?host=${postgres.socket}`;
  const options = ['--store', store, '--blobs', 'memory', '--operator-token-file', tokenFile];
  await using one = await serve(fresh(), options);
  await using other = await serve(fresh(), options);
  const taker = await takerOf(one);
  await seed(taker, sent);
  const rows: Row[] = [];

  const table = await ask(postgres, copyTable);
  const against = 'pgbench inserting the same row, 32 connections';
  const single = await measureIngest(bodies.new, { own: taker }, turns);
  const before = findSpent(postgres);
  const loaded = await countItems(postgres);
  const batches = await measureIngest(bodies['batch of 100'], { own: taker }, { ...turns, connections: 4 });
  const perExam = (findSpent(postgres) - before) / ((await countItems(postgres)) - loaded);
  const base = await measurePgbench(postgres, String(table[0]?.['text']), fresh());
  rows.push(
    { what: 'ingest, new', against, value: single.own.rate, base, unit: 'requests/s', target: { atLeast: 0.3 } },
    {
      what: 'exams in batches of 100, 4 connections',
      against,
      value: batches.own.rate * 100,
      base,
      unit: 'items/s',
    },
    {
      what: '… by what they cost the database alone, on two processors',
      against: 'a goal of 20,000',
      value: 2 / perExam,
      base: 20_000,
      unit: 'items/s',
      target: { atLeast: 1 },
    },
  );

  const lags = await measureLags(taker, other.ready.url, await testToken(other.ready));
  const heard = { base: 100, unit: 'ms', against: 'a goal of 100 ms', target: { atMost: 1 } } as const;
  rows.push(
    { what: 'a change, until the other process tells its readers, median', value: median(lags), ...heard },
    { what: '… p99', value: lags.toSorted((a, b) => a - b)[Math.ceil(lags.length * 0.99) - 1]!, ...heard },
  );

  await ask(postgres, await multiply(postgres, Math.max(0, count - (await countItems(postgres)))));
  await ask(postgres, 'VACUUM ANALYZE laudio.items');
  rows.push(...(await searchRows(one.ready.url, taker.token ?? '', { count, goal: 100, times: 100 })));
  return rows;
}

const countItems = async (postgres: Postgres): Promise<number> =>
  Number((await ask(postgres, 'SELECT count(*) AS n FROM laudio.items'))[0]?.['n']);

/** Seconds that processors have worked for the processes of the database. */
const findSpent = ({ socket }: Postgres): number =>
  secondsOfFamily(readFileSync(join(socket, 'data', 'postmaster.pid'), 'utf8').split('\n', 1)[0] ?? '');

async function ask({ socket, port }: Postgres, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host: socket, port, user: databaseName, database: databaseName });
  await client.connect();
  try {
    const result = await client.query<Record<string, unknown>>(text);
    return Array.isArray(result) ? ((result as { rows: Record<string, unknown>[] }[]).at(-1)?.rows ?? []) : result.rows;
  } finally {
    await client.end();
  }
}

/** A table with the columns and indexes of the exams, and the statement that inserts a copy of one under another id. */
const copyTable = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.items (LIKE laudio.items INCLUDING ALL);
  CREATE SEQUENCE bench.ids;
  SELECT format('INSERT INTO bench.items (id, %1$s) SELECT ''itm_'' || nextval(''bench.ids''), %1$s FROM laudio.items WHERE id = %2$L', string_agg(quote_ident(column_name), ', '), (SELECT max(id) FROM laudio.items)) AS text
  FROM information_schema.columns WHERE table_schema = 'laudio' AND table_name = 'items' AND column_name <> 'id'`;

/** Inserts a second. */
async function measurePgbench({ socket, port }: Postgres, statement: string, script: string): Promise<number> {
  await writeFile(script, `${statement};\n`);
  const load = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(connections),
    '-j',
    '2',
    '-T',
    String(turns.duration * turns.rounds),
  ];
  const place = ['-h', socket, '-p', String(port), '-U', databaseName, databaseName];
  const { stdout, stderr, status } = spawnSync('pgbench', [...load, '-f', script, ...place], { encoding: 'utf8' });
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (status !== 0 || Number.isNaN(rate)) throw new Error(`pgbench ended with ${status}: ${stderr}`);
  return rate;
}

/** The ms from a change's request at one process until a reader at the other one has its event. */
async function measureLags({ url, token }: Taker, elsewhere: string, otherToken: string): Promise<number[]> {
  const stop = new AbortController();
  const { events } = contract.worklists.endpoints;
  const headers = { authorization: `Bearer ${otherToken}` };
  const stream = await fetch(new URL(events.path, elsewhere), { headers, signal: stop.signal });
  let heard = (_text: string): void => {};
  void (async () => {
    try {
      for await (const bytes of stream.body ?? []) heard(Buffer.from(bytes).toString());
    } catch {
      // The measurement has ended.
    }
  })();
  const lags: number[] = [];
  for (let nth = 0; nth < 200; nth++) {
    const accession = `LAG-${nth}-`;
    const hearing = Promise.withResolvers<void>();
    heard = (text) => (text.includes(accession) ? hearing.resolve() : undefined);
    const begun = performance.now();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(exam(accession, nth)),
    });
    if (!answer.ok) throw new Error(`an exam was answered with ${answer.status}`);
    await answer.arrayBuffer();
    await hearing.promise;
    lags.push(performance.now() - begun);
    await pause(20);
  }
  stop.abort();
  return lags;
}

/** The statement that stores so many copies of the exams that were sent, each under an id and an accession number of its own. */
async function multiply(postgres: Postgres, copies: number): Promise<string> {
  const columns = await ask(
    postgres,
    `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'laudio' AND table_name = 'items' AND column_name NOT IN ('id', 'doc', 'x', 'k_accession', 't_text')`,
  );
  const names = columns.map(({ name }) => String(name)).join(', ');
  // As long as ids are, and older than all others.
  return `INSERT INTO laudio.items (id, doc, k_accession, t_text, ${names})
    SELECT m.id, replace(replace(s.doc::text, s.id, m.id), s.k_accession, m.accession)::json, m.accession,
      s.t_text || array_to_tsvector(ARRAY[lower(m.accession)]), ${names}
    FROM (SELECT row_number() OVER (ORDER BY id) - 1 AS nth, * FROM laudio.items WHERE k_accession LIKE 'SL-%') s
    JOIN generate_series(1, ${copies}) c ON c % ${sent} = s.nth
    CROSS JOIN LATERAL (SELECT left(s.id, 4) || '0000' || lpad(c::text, length(s.id) - 8, '0') AS id, 'C' || c AS accession) m`;
}
