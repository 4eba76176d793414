/**
 * `npm run bench:soak [-- --minutes N] [--json]`: mixed work on the built server for ten minutes, or as many as are asked for.
 * What matters is what becomes of it: the last fifth of the time against the second, the first being left to warm up, and times by
 * those of a server beside it that does nothing. Then the
 * server starts again on the same data, which has to be all there. Ends with 1 where a ratio is past its limit, or a call failed.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AuditVerdict } from '../../src/contract/audit.ts';
import { contract } from '../../src/contract/index.ts';
import type { ServerStatus } from '../../src/contract/system.ts';
import { readExposition } from '../support/exposition.ts';
import { startServing } from '../support/process.ts';
import type { Ready } from '../support/process.ts';
import { adminTokenOf, operatorOf } from './caller.ts';
import { median } from './rounds.ts';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { workOn } from './soak-work.ts';

const { values: wishes } = readOptions(import.meta.filename, {
  options: { minutes: { type: 'string' }, json: { type: 'boolean' } },
});
const minutes = Number(wishes.minutes ?? 10);
if (!(minutes >= 0.5 && minutes <= 24 * 60))
  refuseOptions(import.meta.filename, '--minutes takes a number from 0.5 on.');

const entry = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const fifth = (minutes * 60_000) / 5;

/** What the server says of itself, every so often. */
interface Sample {
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

interface Took {
  readonly at: number;
  readonly name: string;
  readonly ms: number;
}

async function sampleOf(ready: Ready, at: number): Promise<Sample> {
  const headers = { authorization: `Bearer ${await adminTokenOf(ready)}` };
  const answer = await fetch(new URL(contract.system.endpoints.metrics.path, ready.url), { headers });
  const values = new Map<string, number>();
  for (const { name, value } of readExposition(await answer.text())) values.set(name, (values.get(name) ?? 0) + value);
  return { at, values };
}

/** What takes time on a machine that others use as well: a call of a server that does nothing. */
const yardstick = 'yardstick';

/** Works until the time is over. `echo`: the address of a server that does nothing. */
async function soak(ready: Ready, echo: string) {
  const { work, close } = await workOn(ready);
  const headers = { 'content-type': 'application/json' };
  const measure = async () => void (await (await fetch(echo, { method: 'POST', headers, body: '{}' })).arrayBuffer());
  const samples: Sample[] = [];
  const took: Took[] = [];
  const failures = new Map<string, number>();
  const begun = performance.now();
  const end = begun + 5 * fifth;
  const now = (): number => performance.now() - begun;
  const repeat = async (name: string, every: number, once: () => Promise<void>): Promise<void> => {
    for (let next = performance.now(); next < end; next = Math.max(next + every, performance.now())) {
      await setTimeout(Math.max(0, next - performance.now()));
      const from = performance.now();
      await once().then(
        () => void took.push({ at: now(), name, ms: performance.now() - from }),
        (error: unknown) => {
          const why = `${name}: ${error instanceof Error ? error.message : String(error)}`;
          failures.set(why, (failures.get(why) ?? 0) + 1);
        },
      );
    }
  };
  const sampling = repeat('metrics', 2000, async () => void samples.push(await sampleOf(ready, now())));
  await Promise.all([
    sampling,
    repeat(yardstick, 200, measure),
    ...work.map(({ name, every, once }) => repeat(name, every, once)),
  ]);
  await close();
  const readingAll = new Set(work.filter(({ readsAll }) => readsAll).map(({ name }) => name));
  return { samples, took, failures, readingAll };
}

interface Row {
  readonly what: string;
  readonly first: number;
  readonly last: number;
  /** What `last` may be of `first`, at most. */
  readonly atMost?: number;
}

const within = (fifthNumber: number) => (each: { readonly at: number }) =>
  each.at >= (fifthNumber - 1) * fifth && each.at < fifthNumber * fifth;

const windows = { first: within(2), last: within(5) };

/** A number of the server: its least, which is what stays after collections of garbage, or its middle. */
function ofServer(samples: readonly Sample[], name: string, of: (values: readonly number[]) => number) {
  const values = (which: (sample: Sample) => boolean) =>
    samples.filter(which).map(({ values: all }) => all.get(name) ?? 0);
  return { first: of(values(windows.first)), last: of(values(windows.last)) };
}

const least = (values: readonly number[]): number => Math.min(...values);
const mebibytes = ({ first, last }: { first: number; last: number }) => ({
  first: first / 2 ** 20,
  last: last / 2 ** 20,
});

function rowsOf({ samples, took, readingAll }: Awaited<ReturnType<typeof soak>>): Row[] {
  const times = (name: string, which: (each: Took) => boolean) =>
    took.filter((each) => each.name === name && which(each)).map(({ ms }) => ms);
  const idle = { first: median(times(yardstick, windows.first)), last: median(times(yardstick, windows.last)) };
  // Where the machine became slower, so did all that is timed on it.
  const slower = Math.max(1, idle.last / idle.first);
  const documents = ofServer(samples, 'laudio_store_documents', median);
  const more = Math.max(1, documents.last / documents.first);
  const rows: Row[] = [
    { what: 'heap, MiB', ...mebibytes(ofServer(samples, 'nodejs_heap_size_used_bytes', least)), atMost: 1.3 },
    {
      what: 'memory of the process, MiB',
      ...mebibytes(ofServer(samples, 'process_resident_memory_bytes', median)),
      atMost: 1.4,
    },
    { what: 'buffers, MiB', ...mebibytes(ofServer(samples, 'nodejs_external_memory_bytes', least)) },
    { what: 'documents', ...documents },
    { what: 'open files and connections', ...ofServer(samples, 'process_open_fds', median), atMost: 1.25 },
    { what: 'timers and handles', ...ofServer(samples, 'nodejs_active_resources', median), atMost: 1.25 },
    { what: 'open streams', ...ofServer(samples, 'laudio_event_streams_open', median) },
    {
      what: 'busy, share of the time',
      ...ofServer(samples, 'nodejs_eventloop_utilization', median),
      atMost: 1.5 * slower,
    },
  ];
  for (const name of new Set(took.map((each) => each.name))) {
    const [first, last] = [times(name, windows.first), times(name, windows.last)];
    if (first.length === 0 || last.length === 0) continue;
    const limit = name === yardstick ? {} : { atMost: 1.5 * slower * (readingAll.has(name) ? more : 1) };
    rows.push({ what: `${name}, ms`, first: median(first), last: median(last), ...limit });
  }
  return rows;
}

const isPast = ({ first, last, atMost }: Row): boolean => atMost !== undefined && last / first > atMost;

/** The documents and the audit trail before and after a restart. */
async function kept(ready: Ready) {
  const operator = await operatorOf(ready);
  const { sound, entries } = await operator<AuditVerdict>(contract.audit.endpoints.verify);
  const { stored } = await operator<ServerStatus>(contract.system.endpoints.status);
  const { items, records, history } = stored as Record<string, number>;
  return { items, records, history, entries, sound };
}

const directory = await mkdtemp(join(tmpdir(), 'laudio-soak-'));
const env = {
  ...process.env,
  LAUDIO_CONFIG_DIR: join(directory, 'config'),
  LAUDIO_STATE_DIR: join(directory, 'state'),
};
const serve = () => {
  const args = ['serve', '--port', '0', '--data-dir', join(directory, 'data'), '--rate-limit', '0', '--json'];
  return startServing(process.execPath, [entry, ...args, '--log', join(directory, 'log')], { env });
};
try {
  const serving = await serve();
  await using echo = await startServing(process.execPath, [fileURLToPath(new URL('echo.ts', import.meta.url))]);
  const soaked = await soak(serving.ready, echo.ready.url);
  const before = await kept(serving.ready);
  const code = await serving.stop();
  await using again = await serve();
  const after = await kept(again.ready);
  const { took, failures } = soaked;
  const rows = rowsOf(soaked);
  const isWhole = code === 0 && before.sound && JSON.stringify(before) === JSON.stringify(after);
  const isGood = isWhole && failures.size === 0 && !rows.some(isPast);
  const report = {
    minutes,
    good: isGood,
    calls: took.length,
    failures: Object.fromEntries(failures),
    rows,
    code,
    before,
    after,
  };
  process.stdout.write(wishes.json ? `${JSON.stringify(report)}\n` : told(report));
  process.exitCode = isGood ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

function told(report: {
  readonly good: boolean;
  readonly calls: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
  readonly code: number | null;
  readonly before: object;
  readonly after: object;
}): string {
  const digits = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
  const table = report.rows.map((row) => {
    const limit = row.atMost === undefined ? '' : `at most ${row.atMost.toFixed(2)}${isPast(row) ? '  PAST' : ''}`;
    const ratio = (row.last / row.first).toFixed(2);
    return `${row.what.padEnd(34)} ${ratio.padStart(6)}  ${limit.padEnd(20)} ${digits(row.last)} against ${digits(row.first)}`;
  });
  const failed = Object.entries(report.failures).map(([why, count]) => `failed ${count} times: ${why}`);
  const restart = `restart: exit ${report.code}, before ${JSON.stringify(report.before)}, after ${JSON.stringify(report.after)}`;
  const head = `The last fifth of ${minutes} minutes against the second:`;
  const verdict = report.good ? 'Good.' : 'Not good.';
  return `${[head, ...table, `${report.calls} pieces of work`, ...failed, restart, verdict].join('\n')}\n`;
}
