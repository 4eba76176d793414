/** `worklist ingest` and `worklist replay`: files in, outcomes out. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCli, createServedCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { examAt, linesOf, startIngestServer } from '../support/worklist-files.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createServedCli()));
afterAll(() => cli.close());

const path = (name: string) => join(cli.directory, name);
const put = (name: string, content: string | Uint8Array) => writeFile(path(name), content);
const bad = examAt(900, { modality: 'XX' });

/** A server of the test's own. */
async function ingestServer(...before: Parameters<typeof startIngestServer>) {
  const server = await startIngestServer(...before);
  onTestFinished(() => server.close());
  return server;
}

interface Summary {
  processed: number;
  inserted: number;
  updated: number;
  deduped: number;
  refused: number;
  errors: {
    index: number;
    position: string;
    accession_number: string | null;
    field: string | null;
    hint: string | null;
  }[];
  items?: { accession_number: string; status: string; id?: string }[];
}

describe('the summary', () => {
  it.each(['ingest', 'replay'])('of %s adds up with what the file holds, unreadable lines included', async (verb) => {
    const name = `${verb}.ndjson`;
    const lines = [examAt(1), examAt(1, { exam_room: verb }), bad].map((item) => JSON.stringify(item));
    await put(name, `${lines[0]}\n{"broken\n\n${lines[1]}\n${lines[2]}\n42\n${lines[0]}\n`);
    const { code, stdout, stderr } = await cli.call(['worklist', verb, name, '--json']);
    expect(code).toBe(9);
    const summary = JSON.parse(stdout) as Summary;
    const { inserted, updated, deduped, refused } = summary;
    expect(summary.processed).toBe(6);
    expect(inserted + updated + deduped + refused).toBe(6);
    expect(refused).toBe(3);
    expect(summary.errors.map(({ position, index, field }) => [position, index, field])).toEqual([
      ['line 2', 1, null],
      ['line 5', 3, 'modality'],
      ['line 6', 4, null],
    ]);
    expect(summary.errors.map(({ hint }) => hint)[1]).toContain('DICOM code');
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1)!)).toMatchObject({
      error: { code: 'PARTIAL', exit_code: 9 },
    });
    expect(stdout + stderr).not.toContain('broken');
  });

  it('of a pipe lists every item of an ingest, and what was refused of a replay', async () => {
    await put('some.json', JSON.stringify([examAt(10), bad]));
    expect((await cli.call(['worklist', 'ingest', 'some.json'])).stdout).toMatch(
      /^WF-10\tinserted\twli_\w{26}\t\nWF-900\trefused\t\tline 1, modality: modality must/,
    );
    expect((await cli.call(['worklist', 'ingest', 'some.json', '-q'])).stdout).toMatch(/^WF-900\trefused/);
    const replay = await cli.call(['worklist', 'replay', 'some.json']);
    expect(replay.stdout).toMatch(/^WF-900\trefused[^\n]*\n$/);
    expect(replay.stderr).toContain('0 inserted, 0 updated, 1 unchanged, 1 refused');
  });

  it('counts items that were all invalid like any others', async () => {
    await put('all-bad.json', JSON.stringify([bad, { accession_number: 'WF-2000' }]));
    const { code, stdout } = await cli.call(['worklist', 'replay', 'all-bad.json', '--json']);
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({
      processed: 2,
      refused: 2,
      errors: [
        { index: 0, field: 'modality', error: 'INVALID_MODALITY' },
        { index: 1, field: 'patient_id', error: 'FIELD_REQUIRED', message: expect.stringContaining('also at fault') },
      ],
    });
  });

  it('of a file without items is no failure', async () => {
    await put('none.json', '[]');
    expect(await cli.call(['worklist', 'replay', 'none.json'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('0 inserted, 0 updated, 0 unchanged, 0 refused'),
    });
  });
});

describe('several files, and standard input', () => {
  it('go as one, in order, and each line is named with its file', async () => {
    const server = await ingestServer();
    await put('one.ndjson', linesOf(3));
    await put('two.json', JSON.stringify([examAt(7), examAt(8)]));
    await put('broken.ndjson', `${JSON.stringify(examAt(9))}\n{`);
    const { code, stdout } = await cli.call(
      ['worklist', 'replay', 'one.ndjson', 'two.json', 'broken.ndjson', '--batch', '4'],
      server,
    );
    expect(code).toBe(9);
    expect(stdout).toContain('broken.ndjson line 2');
    expect(server.batches().map((batch) => batch.map((item) => item['accession_number']))).toEqual([
      ['WF-0', 'WF-1', 'WF-2', 'WF-7'],
      ['WF-8', 'WF-9'],
    ]);
    expect(new Set(server.keys()).size).toBe(2);
  });

  it('are all looked at before anything is sent', async () => {
    const server = await ingestServer();
    await put('one.ndjson', linesOf(3));
    for (const other of ['missing.json', '.']) {
      expect((await cli.call(['worklist', 'replay', 'one.ndjson', other], server)).code).toBe(2);
    }
    expect(server.asked).toEqual([]);
  });

  it('come by a pipe as well, in any format', async () => {
    const server = await ingestServer();
    const gzip = gzipSync(`\ufeff${linesOf(2).replaceAll('\n', '\r\n')}`);
    expect(await cli.call(['worklist', 'replay', '-'], { input: gzip, ...server })).toMatchObject({ code: 0 });
    expect(server.batches()).toEqual([[examAt(0), examAt(1)]]);
    expect(await cli.call(['worklist', 'replay', '-', '-'], server)).toMatchObject({ code: 2 });
    expect(await cli.call(['worklist', 'replay', '-', '--resume'], server)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Standard input can’t be resumed'),
    });
  });

  it('shows how a CSV was interpreted, and follows instructions', async () => {
    const server = await ingestServer();
    const rows = ['Pedido;Registro;Nome;Tipo;Quando;Exame', 'WF-1;7;TESTE^PACIENTE;CT;02/03/2026 08:30;TC de tórax'];
    await put('day.csv', Buffer.from(rows.join('\r\n'), 'latin1'));
    const map = {
      accession_number: 'Pedido',
      patient_id: '2',
      patient_name: 'Nome',
      modality: 'Tipo',
      exam_datetime: 'Quando',
      exam_description: 'Exame',
    };
    const words = Object.entries(map).flatMap(([field, column]) => ['--map', `${field}=${column}`]);
    const more = [
      '--date-order',
      'dmy',
      '--time-zone',
      'America/Sao_Paulo',
      '--delimiter',
      ';',
      '--encoding',
      'latin1',
      '--format',
      'csv',
    ];
    const { code, stderr } = await cli.call(['worklist', 'ingest', 'day.csv', ...words, ...more], server);
    expect(code, stderr).toBe(0);
    expect(server.batches()).toMatchObject([
      [{ accession_number: 'WF-1', exam_datetime: '2026-03-02T08:30:00-03:00', exam_description: 'TC de tórax' }],
    ]);
    expect(stderr).toMatch(/^day\.csv: CSV/);
  });

  it('date, time and urgency may be separate columns of a CSV; invalid values are refused', async () => {
    const server = await ingestServer();
    const rows = [
      'Pedido,Registro,Nome,Tipo,Dia,Relogio,Pressa,Exame',
      'WF-2,7,TESTE^PACIENTE,CT,2026-03-02,08:30,STAT,TC',
    ];
    await put('day.csv', rows.join('\n'));
    const columns = ['accession_number=1', 'patient_id=2', 'patient_name=3', 'modality=4', 'exam_description=8'];
    const more = ['exam_date=Dia', 'exam_time=Relogio', 'metadata.priority=Pressa'];
    const words = (map: readonly string[]) => map.flatMap((pair) => ['--map', pair]);
    const ingest = ['worklist', 'ingest', 'day.csv', '--time-zone', 'America/Sao_Paulo', ...words(columns)];
    const { code, stderr } = await cli.call([...ingest, ...words(more)], server);
    expect(code, stderr).toBe(0);
    expect(server.batches()).toMatchObject([
      [{ accession_number: 'WF-2', exam_datetime: '2026-03-02T08:30:00-03:00', metadata: { priority: 'STAT' } }],
    ]);
    expect(await cli.call([...ingest, '--map', 'colour=3'], server)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('colour is not a field'),
    });
  });
});

describe('a file that cannot be read to its end', () => {
  it.each([
    ['nothing', '', 6, 'is empty'],
    ['what is no worklist', 'Dear colleague, …', 2, 'not recognized'],
    ['a line without an end', `${linesOf(2)}{"accession_number":"${'x'.repeat(2 * 1024 * 1024)}"`, 6, 'larger than'],
    ['a gzip that was cut off', gzipSync(linesOf(5000)).subarray(0, 4000), 6, 'damaged'],
  ])('%s', async (_, content, exitCode, said) => {
    const server = await ingestServer();
    await put('bad-file', content);
    const { code, stdout, stderr } = await cli.call(['worklist', 'ingest', 'bad-file'], server);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain('laudio: bad-file');
    expect(stderr).toContain(said);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('was sent up to there, once', async () => {
    const server = await ingestServer();
    await put('half.ndjson', `${linesOf(6)}${' '.repeat(2 * 1024 * 1024)}x`);
    const { code, stderr } = await cli.call(['worklist', 'replay', 'half.ndjson', '--batch', '2'], server);
    expect(code).toBe(6);
    expect(stderr).toMatch(/line 7/);
    expect(stderr).toContain('Until then: 6 inserted');
    expect(server.batches().flat()).toHaveLength(6);
  });
});

describe('--dry-run', () => {
  it('needs neither login nor server, and shows the effect of each line', async () => {
    const alone = await createCli();
    try {
      await writeFile(join(alone.directory, 'day.ndjson'), linesOf(2) + linesOf(2) + `${JSON.stringify(bad)}\n{\n`);
      for (const verb of ['ingest', 'replay']) {
        const { code, stdout, stderr } = await alone.call([
          'worklist',
          verb,
          'day.ndjson',
          '--dry-run',
          '--batch',
          '3',
        ]);
        expect(code, stderr).toBe(9);
        expect(stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))).toEqual([
          'WF-0 inserted',
          'WF-1 inserted',
          'WF-0 deduped',
          'WF-1 deduped',
          'WF-900 refused',
          ' refused',
          '',
        ]);
        expect(stderr).toContain('Dry run');
      }
      expect((await readdir(alone.directory)).filter((name) => name.includes('laudio-replay'))).toEqual([]);
    } finally {
      await alone.close();
    }
  });

  it('shows the status that a file states', async () => {
    const row = (accession: string, status: string) =>
      `${accession},1,Test Patient,CT,2026-03-02T09:00:00Z,CT,${status}\n`;
    const header = 'accession_number,patient_id,patient_name,modality,exam_datetime,exam_description,status\n';
    await put('day.csv', header + row('A1', 'Cancelled') + row('A2', 'Scheduled'));
    const { stdout } = await cli.call(['worklist', 'ingest', 'day.csv', '--dry-run', '--json']);
    const { items } = JSON.parse(stdout) as { items: { fields: object }[] };
    expect(items.map(({ fields }) => fields)).toMatchObject([{ status: 'cancelled' }, { exam_status: 'scheduled' }]);
    expect(items[1]!.fields).not.toHaveProperty('status');
  });

  it('follows the rules of test clients if the login is one', async () => {
    await put('name.json', JSON.stringify(examAt(1, { patient_name: 'SILVA^JOAO' })));
    const { code, stdout } = await cli.call(['worklist', 'ingest', 'name.json', '--dry-run']);
    expect({ code, stdout }).toEqual({ code: 9, stdout: expect.stringContaining('test clients may only') });
  });
});

describe('--report', () => {
  const lines = `${linesOf(2)}${JSON.stringify(examAt(5, { modality: 'XX', accession_number: 'A,"<&5' }))}\n{\n`;
  const report = async (name: string, file = 'reported.ndjson') => {
    await put('reported.ndjson', lines);
    const ended = await cli.call(['worklist', 'replay', file, '--batch', '2', '--report', name]);
    expect(ended.code, ended.stderr).toBe(9);
    expect((await stat(path(name))).mode & 0o777).toBe(0o600);
    return readFile(path(name), 'utf8');
  };

  it('as JSON', async () => {
    const { items, summary } = JSON.parse(await report('out.json')) as { items: object[]; summary: object };
    expect(items).toMatchObject([
      {
        file: 'reported.ndjson',
        position: 'line 1',
        accession_number: 'WF-0',
        outcome: expect.any(String),
        reason: null,
      },
      { position: 'line 2', accession_number: 'WF-1' },
      {
        position: 'line 3',
        accession_number: 'A,"<&5',
        outcome: 'refused',
        field: 'modality',
        code: 'INVALID_MODALITY',
      },
      { position: 'line 4', accession_number: null, outcome: 'refused', reason: expect.stringContaining('JSON') },
    ]);
    expect(summary).toMatchObject({ refused: 2, complete: true });
  });

  it('as CSV', async () => {
    const rows = (await report('out.csv')).split('\r\n');
    expect(rows[0]).toBe('file,position,accession_number,outcome,field,code,reason');
    expect(rows[3]).toMatch(/^reported\.ndjson,line 3,"A,""<&5",refused,modality,INVALID_MODALITY,"modality must/);
    expect(rows).toHaveLength(6);
  });

  it('as JUnit XML', async () => {
    const xml = await report('junit.xml');
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites><testsuite name="laudio worklist" tests="4" failures="2" *>/,
    );
    expect(xml.match(/<testcase /g)).toHaveLength(4);
    expect(xml).toContain('name="line 3 A,&#34;&#60;&#38;5"');
    expect(xml.trimEnd()).toMatch(/<\/testsuite><\/testsuites>$/);
  });

  it('holds nothing of the patient but the accession number', async () => {
    for (const name of ['out.json', 'out.csv', 'junit.xml']) {
      expect(await report(name)).not.toMatch(/TESTE|0045871|tórax/);
    }
  });

  it.each([
    ['nowhere/out.json', 'cannot be written (ENOENT)'],
    ['out.txt', '.json, .csv or .xml'],
  ])('to %s is refused before anything is sent', async (name, said) => {
    const server = await ingestServer();
    await put('reported.ndjson', lines);
    const { code, stderr } = await cli.call(['worklist', 'replay', 'reported.ndjson', '--report', name], server);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
    expect(server.asked).toEqual([]);
  });

  it('leaves no half of a file behind', async () => {
    await mkdir(path('taken.json'), { recursive: true });
    await put('reported.ndjson', lines);
    expect((await cli.call(['worklist', 'replay', 'reported.ndjson', '--report', 'taken.json'])).code).toBe(2);
    expect((await readdir(cli.directory)).filter((name) => /^\..*\.tmp$/.test(name))).toEqual([]);
    // Nor does the sending count as one that is under way or broke off.
    const again = await cli.call(['worklist', 'replay', 'reported.ndjson', '--resume', '--report', 'again.json']);
    expect(again.stderr).toContain('There is nothing to resume');
  });
});

describe('options', () => {
  it('--fail-fast ends with the first request in which something is refused', async () => {
    const server = await ingestServer();
    await put('fast.ndjson', `${linesOf(3)}{\n${linesOf(9)}`);
    const { code, stdout } = await cli.call(
      ['worklist', 'replay', 'fast.ndjson', '--batch', '2', '--fail-fast', '--json'],
      server,
    );
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toMatchObject({ processed: 4, inserted: 3, refused: 1 });
    expect(server.batches().flat()).toHaveLength(3);
  });

  it('--shift now moves the day and nothing else; --source-system says who sends', async () => {
    const server = await ingestServer();
    const today = new Date().toISOString().slice(0, 10);
    const times = ['2020-01-31T08:30:00Z', '2020-02-02T07:00:00Z'];
    await put('days.json', JSON.stringify(times.map((exam_datetime, at) => examAt(at, { exam_datetime }))));
    const words = ['worklist', 'replay', 'days.json', '--shift', 'now', '--source-system', 'RIS-7'];
    expect((await cli.call(words, server)).code).toBe(0);
    const [first, second] = server.batches().flat();
    // A test that runs at midnight may see either day.
    expect([today, new Date().toISOString().slice(0, 10)]).toContain(String(first!['exam_datetime']).slice(0, 10));
    expect(String(first!['exam_datetime']).slice(10)).toBe('T08:30:00Z');
    const [one, other] = [first, second].map((item) => Date.parse(String(item!['exam_datetime'])));
    expect(other! - one!).toBe(Date.parse(times[1]!) - Date.parse(times[0]!));
    expect(server.asked[0]!.headers['x-source-system']).toBe('RIS-7');
  });

  it('--idempotency-key gives every request its own key, the same each time', async () => {
    const server = await ingestServer();
    await put('keys.ndjson', linesOf(4));
    const words = ['worklist', 'ingest', 'keys.ndjson', '--batch', '2', '--idempotency-key', 'mine'];
    await cli.call(words, server);
    await cli.call(words, server);
    expect(server.keys().toSorted()).toEqual(['mine.1', 'mine.1', 'mine.2', 'mine.2']);
  });

  it.each([
    [['--batch', '0'], '--batch takes 1 to 1000'],
    [['--batch', '1001'], '--batch takes 1 to 1000'],
    [['--rate', 'fast'], '--rate takes'],
    [['--speed', '0x'], '--speed takes'],
    [['--shift', 'then'], '--shift takes'],
    [['--map', 'x'], '--map takes FIELD=PLACE'],
    [['--delimiter', ';;'], '--delimiter takes one character'],
    [['--time-zone', 'Mars/Olympus'], '--time-zone takes'],
    [['--encoding', 'klingon'], 'encoding is not known'],
    [['--format', 'word'], '--format takes'],
  ])('%j is refused', async (words, said) => {
    const server = await ingestServer();
    await put('keys.ndjson', linesOf(4));
    const { code, stderr } = await cli.call(['worklist', 'replay', 'keys.ndjson', ...words], server);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
    expect(server.asked).toEqual([]);
  });
});
