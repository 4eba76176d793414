/**
 * `npm run bench [-- --json]`: the built program against the least that could do the same, in one run. Ratios travel from
 * machine to machine, the times and rates beside them don't.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServing } from '../support/process.ts';
import type { Serving } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import { bodies, measureIngest } from './ingest.ts';
import { measureStartUp } from './start-up.ts';

interface Row {
  readonly what: string;
  readonly against: string;
  readonly value: number;
  readonly base: number;
  readonly unit: 'ms' | 'requests/s';
}

const entry = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const echoProgram = fileURLToPath(new URL('echo.ts', import.meta.url));

async function measure(directory: string): Promise<Row[]> {
  const own = { LAUDIO_CONFIG_DIR: 'config', LAUDIO_STATE_DIR: 'state' };
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(own).map(([name, folder]) => [name, join(directory, folder)])),
  };
  let servers = 0;
  /** Each measurement gets a server that has stored nothing yet. */
  const serve = (): Promise<Serving> => {
    servers += 1;
    const dataDirectory = join(directory, `data-${servers}`);
    return startServing(
      process.execPath,
      [entry, 'serve', '--port', '0', '--data-dir', dataDirectory, '--rate-limit', '0', '--json'],
      { env },
    );
  };
  return [...(await startUpRows(serve, env)), ...(await ingestRows(serve))];
}

async function startUpRows(serve: () => Promise<Serving>, env: NodeJS.ProcessEnv): Promise<Row[]> {
  await using serving = await serve();
  const token = await testToken(serving.ready);
  const { 'node -e 0': base = Number.NaN, ...times } = await measureStartUp({
    entry,
    url: serving.ready.url,
    token,
    env,
    rounds: 12,
  });
  return Object.entries(times).map(([what, value]) => ({ what, against: 'node -e 0', value, base, unit: 'ms' }));
}

async function ingestRows(serve: () => Promise<Serving>): Promise<Row[]> {
  await using echo = await startServing(process.execPath, [echoProgram]);
  const rows: Row[] = [];
  for (const [what, body] of Object.entries(bodies)) {
    await using serving = await serve();
    const token = await testToken(serving.ready);
    const [base, value] = await measureIngest(body, {
      echo: echo.ready.url,
      url: serving.ready.url,
      token,
      rounds: 3,
      duration: 1,
    });
    rows.push({ what, against: 'Fastify echo', value, base, unit: 'requests/s' });
  }
  return rows;
}

const ratio = ({ value, base }: Row): number => value / base;

function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    ratio(row).toFixed(2),
    `of ${row.against}`,
    `${row.value.toFixed(row.unit === 'ms' ? 1 : 0)} against ${row.base.toFixed(row.unit === 'ms' ? 1 : 0)} ${row.unit}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (column === 1 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

const directory = await mkdtemp(join(tmpdir(), 'laudio-bench-'));
try {
  const rows = await measure(directory);
  const report = { node: process.version, rows: rows.map((row) => ({ ...row, ratio: Number(ratio(row).toFixed(3)) })) };
  process.stdout.write(`${process.argv.includes('--json') ? JSON.stringify(report) : table(rows)}\n`);
} finally {
  await rm(directory, { recursive: true, force: true });
}
