/**
 * `npm run bench [-- --json] [--only NAME]…`: the built program against the least that could do the same, in one run.
 * Ratios travel from machine to machine, the times and rates beside them don't.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { npm, startServing } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import { auditRows } from './audit.ts';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { callerOf } from './caller.ts';
import { databaseRows } from './databases.ts';
import { dictationRows } from './dictation.ts';
import { measureEncryption } from './encryption.ts';
import { crowdedBy, neighbourOn, waitingOn } from './fairness.ts';
import { hearingRows } from './hearing-cost.ts';
import { hl7Rows } from './hl7.ts';
import { bodies, measureIngest, seed } from './ingest.ts';
import { measureJournal } from './journal.ts';
import { logRows } from './logging.ts';
import { speakerOn } from './live.ts';
import { crowdOf } from './logins.ts';
import { millionRows } from './million.ts';
import { outboxRows } from './outbox.ts';
import { pageRows } from './page.ts';
import { postgresRows } from './postgres.ts';
import { priorRows } from './priors.ts';
import { processorRows } from './processor.ts';
import { measureReplay } from './replay.ts';
import { takeTurns } from './rounds.ts';
import { measureStalls } from './stalls.ts';
import { tableRows } from './tables.ts';
import { worklistRows } from './worklist.ts';
import { firstCall, idle, measureLoaded, measureStartUp, readyRows, started } from './start-up.ts';

const turns = { rounds: 3, duration: 2 };
/** What a large installation holds. */
const many = 100_000;

interface Section {
  /** What its rows compare, in a sentence. */
  readonly compares: string;
  readonly rows: (bench: Bench) => Promise<Row[]>;
}

const sections: Readonly<Record<string, Section>> = {
  'start-up': {
    compares: 'A command of the built program, from its start to its end, with a Node that does nothing.',
    rows: startUpRows,
  },
  binary: {
    compares: 'A command of the release binary, from its start to its end, with a Node that does nothing.',
    rows: binaryRows,
  },
  ready: { compares: 'A server from its start to its ready line, with a Node that does nothing.', rows: readyRows },
  ingest: {
    compares: 'Requests a second that ingest exams, with a Fastify that sends the same bodies back.',
    rows: ingestRows,
  },
  processor: {
    compares:
      'Processor time of a request, alone and in a batch of 100 exams, with that of a Fastify that sends one exam back.',
    rows: processorRows,
  },
  log: { compares: 'Requests to a server with --log, with those to one without.', rows: logRows },
  'json-server': {
    compares: 'Requests a second that ingest one exam, with json-server storing it.',
    rows: jsonServerRows,
  },
  scale: {
    compares: 'A server with 100,000 stored exams, with one that has 1,000, and with fixed goals.',
    rows: scaleRows,
  },
  logins: { compares: 'Ingest while people log in, with ingest while nobody does.', rows: loginRows },
  stalls: {
    compares: 'The longest turn of the event loop that one request causes, with that of a batch of 1,000 exams.',
    rows: stallRows,
  },
  fairness: {
    compares: 'How long a client waits beside others who ask for much, with how long it waits alone.',
    rows: fairnessRows,
  },
  live: {
    compares: 'How long a word takes that is spoken live, with how long a change of an exam takes.',
    rows: liveRows,
  },
  replay: {
    compares: 'laudio worklist replay, with the same items sent as raw batches, and with a fixed goal.',
    rows: replayRows,
  },
  journal: {
    compares: 'Commits of the store without a server, with those of node:sqlite, and sealed with plain ones.',
    rows: journalRows,
  },
  databases: { compares: 'Ingest by the server, with the same routes over SQLite and PostgreSQL.', rows: databaseRows },
  postgres: {
    compares:
      'Servers over one PostgreSQL, with pgbench inserting the same rows, and with fixed goals among a million exams (LAUDIO_BENCH_EXAMS: another number).',
    rows: postgresRows,
  },
  audit: { compares: 'A server with 200,000 entries in its audit trail, with one that has none.', rows: auditRows },
  million: { compares: 'A server with a million exams, with fixed goals.', rows: millionRows },
  hearing: {
    compares:
      'What the local recogniser takes for an hour of sound, with the length of the sound, and the last ten minutes with the third.',
    rows: hearingRows,
  },
  dictation: {
    compares: 'A dictation that is heard live, with fixed goals, and an hour of it with the length of the sound.',
    rows: dictationRows,
  },
  page: {
    compares: 'The longest task of the page while words come and are played, with what nobody sees.',
    rows: pageRows,
  },
  priors: {
    compares: 'Finding the priors of an exam among many reports, with finding them among few.',
    rows: priorRows,
  },
  'hl7-in': { compares: 'Orders a second over MLLP, with single exams over HTTP.', rows: hl7Rows },
  tables: {
    compares: 'Rows of a table that become exams, with csv-parse parting the same rows into values.',
    rows: tableRows,
  },
  worklist: {
    compares: 'Exams a second from a worklist provider (C-FIND), with single exams over HTTP.',
    rows: worklistRows,
  },
  outbox: { compares: 'Ingest while a backlog of documents goes out, with ingest while none does.', rows: outboxRows },
};

async function startUpRows(bench: Bench): Promise<Row[]> {
  const targets = { version: 1.7, help: 1.7, anyCall: 4, call: 4, first: 5.5 };
  return rowsOfStart(bench, 'laudio', [process.execPath, bench.entry], targets);
}

/** The release binary, which is built first. */
async function binaryRows(bench: Bench): Promise<Row[]> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  await npm(['run', '--silent', 'build:binary'], { cwd: root });
  const program = join(root, 'dist', 'binary', process.platform === 'win32' ? 'laudio.cmd' : 'laudio');
  return rowsOfStart(bench, 'binary', [program], { anyCall: 3, call: 3 });
}

async function rowsOfStart(
  { serve, env }: Bench,
  name: string,
  program: readonly [string, ...string[]],
  targets: Partial<Record<keyof typeof started | 'first', number>>,
): Promise<Row[]> {
  await using serving = await serve();
  const token = await testToken(serving.ready);
  const spent = await measureStartUp({ program, url: serving.ready.url, token, env, rounds: 12 });
  const base = spent[idle]!;
  return Object.entries({ ...started, first: firstCall }).flatMap(([key, line]): Row[] => {
    const { elapsed, cpu } = spent[line]!;
    const atMost = targets[key as keyof typeof started];
    const common = { against: idle, unit: 'ms' } as const;
    const target = atMost === undefined ? {} : { target: { atMost } };
    return [
      { what: `${name} ${line}`, value: elapsed, base: base.elapsed, ...common, ...target },
      ...(Number.isNaN(cpu) ? [] : [{ what: `${name} ${line}, processor`, value: cpu, base: base.cpu, ...common }]),
    ];
  });
}

async function ingestRows({ serve, run }: Bench): Promise<Row[]> {
  await using echo = await run('echo.ts');
  const targets = { new: 0.35, known: 0.35, 'batch of 100': 0.27 } as const;
  const rows: Row[] = [];
  for (const [what, atLeast] of Object.entries(targets) as [keyof typeof targets, number][]) {
    await using serving = await serve();
    const takers = { echo: { url: echo.ready.url }, server: await takerOf(serving) };
    const { echo: base, server } = await measureIngest(bodies[what], takers, turns);
    const target = { atLeast };
    const rates = { value: server.rate, base: base.rate, unit: 'requests/s' } as const;
    rows.push({ what: `ingest, ${what}`, against: 'the same bodies sent back by Fastify', ...rates, target });
  }
  return rows;
}

async function jsonServerRows({ serve, run, fresh }: Bench): Promise<Row[]> {
  const file = fresh();
  await writeFile(file, '{"items":[]}');
  await using other = await run('peer.ts', [file]);
  await using serving = await serve();
  const takers = { other: { url: new URL('/items', other.ready.url).href }, server: await takerOf(serving) };
  const { other: base, server } = await measureIngest(bodies.new, takers, turns);
  return [
    {
      what: 'ingest, new',
      against: 'the same by json-server',
      value: server.rate,
      base: base.rate,
      unit: 'requests/s',
    },
  ];
}

/** Much that is stored must cost neither time nor, beyond measure, memory. */
async function scaleRows({ serve, fresh }: Bench): Promise<Row[]> {
  const directory = fresh();
  const rows: Row[] = [];
  {
    await using small = await serve();
    await using large = await serve(directory);
    const takers = { small: await takerOf(small), large: await takerOf(large) };
    await Promise.all([seed(takers.small, 1000), seed(takers.large, many)]);
    // The load generator tells whole milliseconds, which only many turns make a ratio of.
    const results = await measureIngest(bodies.changed, takers, { rounds: 9, duration: 2 });
    const against = 'the same with 1,000 stored';
    const what = `ingest, changed, with ${many.toLocaleString('en')} stored`;
    rows.push(
      {
        what,
        against,
        value: results.large.rate,
        base: results.small.rate,
        unit: 'requests/s',
        target: { atLeast: 0.9 },
      },
      {
        what: `${what}, p99`,
        against,
        value: results.large.p99,
        base: results.small.p99,
        unit: 'ms',
        target: { atMost: 1 / 0.9 },
      },
    );
  }
  const { elapsed, rss } = await measureLoaded(() => serve(directory), 3);
  const what = `laudio serve, ready with ${many.toLocaleString('en')} stored`;
  const target = { atMost: 1 };
  return [
    ...rows,
    { what, against: 'a goal of 2 s', value: elapsed, base: 2000, unit: 'ms', target },
    { what: `${what}, memory`, against: 'a goal of 350 MiB', value: rss / 2 ** 20, base: 350, unit: 'MiB', target },
  ];
}

/** Passwords are hashed beside the disk and not before it: commits go on while a crowd logs in. */
async function loginRows({ serve }: Bench): Promise<Row[]> {
  await using serving = await serve();
  const quiet = await takerOf(serving);
  const takers = { quiet, crowded: { ...quiet, beside: await crowdOf(serving.ready, 12) } };
  const results = await measureIngest(bodies.new, takers, turns);
  const what = 'ingest, new, while 12 log in at once';
  const against = 'the same while nobody logs in';
  return [
    {
      what,
      against,
      value: results.crowded.rate,
      base: results.quiet.rate,
      unit: 'requests/s',
      target: { atLeast: 0.4 },
    },
    { what: `${what}, p99`, against, value: results.crowded.p99, base: results.quiet.p99, unit: 'ms' },
  ];
}

/** Whatever is asked, everybody else has a turn about as soon as beside an ordinary batch. */
async function stallRows({ serveWatched, fresh }: Bench): Promise<Row[]> {
  const turns = fresh();
  await using serving = await serveWatched(turns);
  const { ordinary, stalls } = await measureStalls(callerOf(serving.ready.url, await testToken(serving.ready)), turns);
  return Object.entries(stalls).map(([what, value]) => ({
    what: `longest turn, ${what}`,
    against: 'the longest turn of a batch of 1,000',
    value,
    base: ordinary,
    unit: 'ms',
    target: { atMost: 4 },
  }));
}

/** What one client asks for is done as soon beside others who ask for much and are slow. */
async function fairnessRows({ serve }: Bench): Promise<Row[]> {
  await using quietServer = await serve();
  await using crowdedServer = await serve();
  await using followedServer = await serve();
  await using waitedServer = await serve();
  await using alone = await neighbourOn(quietServer.ready);
  await using crowded = await neighbourOn(crowdedServer.ready);
  await using followed = await neighbourOn(followedServer.ready);
  await using waited = await neighbourOn(waitedServer.ready);
  await using _crowd = await crowdedBy(crowdedServer.ready);
  const rows: Row[] = [];
  const compare = async (
    what: string,
    beside: string,
    measures: { readonly base: () => Promise<number>; readonly value: () => Promise<number> },
    target?: Row['target'],
  ) => {
    const times = await takeTurns(measures, turns.rounds);
    rows.push({
      what: `${what}, beside ${beside}`,
      against: 'the same alone',
      ...times,
      unit: 'ms',
      ...(target && { target }),
    });
  };
  await compare('a job', '50 slow ones', { base: alone.job, value: crowded.job }, { atMost: 1.5 });
  await compare('a delivery', '10,000 that wait', { base: alone.delivery, value: crowded.delivery }, { atMost: 1.5 });
  await compare('a change', '10,000 deliveries', { base: alone.change, value: crowded.change }, { atMost: 1.5 });
  await waitingOn(waitedServer.ready);
  const recogniser = '1,000 jobs that wait for a recogniser';
  await compare('a change', recogniser, { base: alone.change, value: waited.change }, { atMost: 1.5 });
  await compare('a job', recogniser, { base: alone.job, value: waited.job }, { atMost: 1.5 });
  // Those who read take as much of the machine as the server, so that there is no saying how much is its own.
  await using _followers = await followed.follow();
  await compare('a change', '300 streams of it', { base: alone.change, value: followed.change });
  return rows;
}

async function liveRows({ serve }: Bench): Promise<Row[]> {
  await using serving = await serve();
  await using changing = await neighbourOn(serving.ready);
  const speaker = await speakerOn(serving.ready);
  const times = await takeTurns({ base: changing.change, value: speaker.word }, turns.rounds);
  return [
    { what: 'a word, from its sound', against: 'a change of an exam', ...times, unit: 'ms', target: { atMost: 6 } },
  ];
}

async function replayRows({ serve, entry, env, fresh }: Bench): Promise<Row[]> {
  const directory = fresh();
  await mkdir(directory);
  await using serving = await serve();
  const { url } = serving.ready;
  const token = await testToken(serving.ready);
  const options = { entry, url, token, env, directory, items: many, rounds: 1 };
  const { replay, raw, peakRss } = await measureReplay(options);
  const what = `laudio worklist replay, ${many.toLocaleString('en')} items`;
  return [
    {
      what,
      against: 'the same items in raw batches',
      value: replay,
      base: raw,
      unit: 'items/s',
      target: { atLeast: 0.5 },
    },
    {
      what: `${what}, memory`,
      against: 'a goal of 200 MiB',
      value: peakRss / 2 ** 20,
      base: 200,
      unit: 'MiB',
      target: { atMost: 1 },
    },
  ];
}

/** The store without a server before it. */
async function journalRows({ fresh }: Bench): Promise<Row[]> {
  const directory = fresh();
  await mkdir(directory);
  const { journal, ...sqlite } = await measureJournal({ directory, rounds: 5, commits: 6400 });
  const { sealed, plain } = await measureEncryption({ commits: 6400, together: 32, rounds: 3 });
  const against = {
    grouped: 'node:sqlite in the same group commit',
    inserts: 'node:sqlite, 64 inserts a transaction',
    single: 'node:sqlite, a transaction each',
  } as const;
  return [
    ...Object.entries(sqlite).map(([way, base]): Row => ({
      what: 'journal, commits of 64 writers',
      against: against[way as keyof typeof sqlite],
      value: journal,
      base,
      unit: 'commits/s',
    })),
    { what: 'store, encrypted', against: 'the same, plain', value: sealed, base: plain, unit: 'commits/s' },
  ];
}

async function measure(directory: string, names: readonly string[]): Promise<ComparedRow[]> {
  const own = { LAUDIO_CONFIG_DIR: 'config', LAUDIO_STATE_DIR: 'state' };
  let places = 0;
  const fresh = (): string => join(directory, `${++places}`);
  const start = (
    dataDirectory: string,
    nodeArgs: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
    options: readonly string[] = [],
  ) => {
    const args = ['serve', '--port', '0', '--data-dir', dataDirectory, '--rate-limit', '0', '--json', ...options];
    return startServing(process.execPath, [...nodeArgs, bench.entry, ...args], { env: { ...bench.env, ...env } });
  };
  const bench: Bench = {
    env: {
      ...process.env,
      ...Object.fromEntries(Object.entries(own).map(([name, folder]) => [name, join(directory, folder)])),
    },
    entry: fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url)),
    fresh,
    serve: (dataDirectory = fresh(), options) => start(dataDirectory, [], {}, options),
    serveWatched: (turns, dataDirectory = fresh(), options) =>
      start(
        dataDirectory,
        ['--import', new URL('loop-watch.ts', import.meta.url).href],
        { LAUDIO_BENCH_TURNS: turns },
        options,
      ),
    run: (program, args = []) =>
      startServing(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args]),
  };
  const rows: ComparedRow[] = [];
  for (const name of names) {
    const { compares, rows: measure } = sections[name]!;
    rows.push(...(await measure(bench)).map((row) => ({ ...row, section: name, compares })));
  }
  return rows;
}

const ratio = ({ value, base }: Row): number => value / base;

function told({ target }: Row): string {
  if (!target) return '';
  return 'atLeast' in target ? `at least ${target.atLeast.toFixed(2)}` : `at most ${target.atMost.toFixed(2)}`;
}

/** A row with the section that it is of. */
interface ComparedRow extends Row, Pick<Section, 'compares'> {
  readonly section: string;
}

function table(rows: readonly ComparedRow[]): string {
  const cells = rows.map((row) => {
    const digits = row.unit === 'ms' ? 1 : 0;
    return [
      row.what,
      ratio(row).toFixed(2),
      `of ${row.against}`,
      told(row),
      `${row.value.toFixed(digits)} against ${row.base.toFixed(digits)} ${row.unit}`,
    ];
  });
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  '),
  );
  const isFirst = (at: number): boolean => rows[at - 1]?.section !== rows[at]!.section;
  return rows
    .map(
      ({ section, compares }, at) =>
        `${isFirst(at) ? `${at > 0 ? '\n' : ''}${section}: ${compares}\n` : ''}  ${lines[at]}`,
    )
    .join('\n');
}

const { values: wishes } = readOptions(import.meta.filename, {
  options: { json: { type: 'boolean' }, only: { type: 'string', multiple: true } },
});
const names = wishes.only ?? Object.keys(sections);
const unknown = names.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) refuseOptions(import.meta.filename, `--only takes ${Object.keys(sections).join(', ')}.`);
const directory = await mkdtemp(join(tmpdir(), 'laudio-bench-'));
try {
  const rows = await measure(directory, names);
  const report = { node: process.version, rows: rows.map((row) => ({ ...row, ratio: Number(ratio(row).toFixed(3)) })) };
  process.stdout.write(`${wishes.json ? JSON.stringify(report) : table(rows)}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
