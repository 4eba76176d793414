/** Memory stays bounded, whatever comes: readers stop at a limit, before they hold what is beyond it. */
import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readFile, sampleBytes } from '../../support/worklist-readings.ts';

const gigabyte = 1024 * 1024 * 1024;

/** `start`, then `filler` up to a gigabyte; counts what was asked for. */
function endless(start: string, filler: string) {
  const counter = { taken: 0 };
  const chunk = Buffer.from(filler.repeat(Math.ceil(65_536 / filler.length)));
  async function* source(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(start);
    for (; counter.taken < gigabyte; counter.taken += chunk.length) yield chunk;
  }
  return { counter, source: source() };
}

describe('a gigabyte', () => {
  const MiB = 1024 * 1024;
  it.each([
    [
      'on one line of NDJSON',
      '{"accession_number":"A1"}\n{"accession_number":"',
      'x',
      'A line is larger than 1 MiB (line 2).',
      1,
    ],
    [
      'in one item of an array',
      '[\n{"accession_number":"A1"},\n{"accession_number":"',
      'x',
      'An item is larger than 10 MiB (line 3, item 2).',
      10,
    ],
    ['in one item of ever more brackets', '[{"a":', '[', 'An item is larger than 10 MiB (line 1, item 1).', 10],
    ['before the items', '{"x":"', 'x', 'An item is larger than 10 MiB (line 1, item 1).', 10],
    ['on one line of CSV', 'Accession;Patient\nA1;', 'x', 'A line is larger than 1 MiB (line 2).', 1],
    [
      'behind a quote that is not closed',
      'Accession;Patient\nA1;"',
      'x\n',
      'A record, or a quote that is not closed, is larger than 1 MiB (line 2).',
      1,
    ],
    ['in one segment of HL7', 'MSH|^~\\&|RIS', 'x', 'A line is larger than 10 MiB (line 1).', 10],
    ['in DICOM', `${'\0'.repeat(128)}DICM`, '\0', 'The DICOM file is larger than 64 MiB (at byte 67108864).', 64],
    [
      'in one resource of FHIR',
      '{"resourceType":"Bundle","entry":[{"a":"',
      'x',
      'An item is larger than 10 MiB (line 1, item 1).',
      10,
    ],
    [
      'of FHIR resources',
      '{"resourceType":"Patient"}\n',
      `{"resourceType":"Patient","id":"${'x'.repeat(60_000)}"}\n`,
      'The FHIR file is larger than 64 MiB',
      64,
    ],
  ])('%s ends at a limit', async (_, start, filler, message, mebibytes) => {
    const { counter, source } = endless(start, filler);
    await expect(readFile(source)).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining(message),
    });
    expect(counter.taken).toBeLessThan((mebibytes + 1) * MiB);
  });

  it('of segments without a header is reported, and the messages after it are read', async () => {
    const { problems, items } = await readFile(
      `MSH|^~\\&|RIS\r${`NTE|1||${'x'.repeat(500)}\r`.repeat(100)}MSH|^~\\&|A|B|||20260302||ACK|1|P|2.5.1\r`,
      { limits: { item: 20_000 } },
    );
    expect(problems.map(({ message }) => message)).toContain('The message is too long to be a single one.');
    expect(items).toEqual([]);
  });

  it('in a zip bomb ends at a ratio', async () => {
    const bomb = gzipSync(Buffer.alloc(12 * MiB, '{"accession_number":"A1"}\n'));
    const limits = { unpackedFree: 2 * MiB };
    await expect(readFile(bomb, { limits })).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('more than 200 times its size'),
    });
    // By itself it ends after a few megabytes, not at the length that a file may have.
    await expect(readFile(bomb)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await readFile(bomb, { limits: { ...limits, ratio: 2000 } })).items.length).toBeGreaterThan(400_000);
  });
});

it('a source that is left early is closed', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.from('{"accession_number":"A1"}\n'.repeat(1000));
    } finally {
      closed = true;
    }
  }
  const { readWorklist } = await import('../../../src/files/worklist/worklist-file.ts');
  const { readings } = await readWorklist(source());
  for await (const _ of readings) break;
  expect(closed).toBe(true);
});

it('an error of the source comes through as it is, from a gzip as well', async () => {
  const packed = gzipSync(Buffer.from('{"accession_number":"A1"}\n'.repeat(5000)));
  for (const bytes of [packed, Buffer.from('{"accession_number":"A1"}\n')]) {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 60);
      throw new Error('the disk is gone');
    }
    await expect(readFile(source())).rejects.toThrow('the disk is gone');
  }
});

it('a workbook that unpacks to too much, or spans too much, is refused', async () => {
  const big = zipSync({
    'xl/worksheets/sheet1.xml': new Uint8Array(3_000_000),
    'xl/workbook.xml': new Uint8Array(1),
  });
  await expect(readFile(big, { limits: { bundle: 1_000_000 } })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const wide = zipSync({ 'xl/worksheets/sheet1.xml': Buffer.from('<row r="1048576"><c r="XFD1048576"/></row>') });
  await expect(readFile(wide)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  const lying = Buffer.from(big);
  // The size that the directory of the archive declares.
  for (let at = lying.indexOf('PK\x01\x02'); at !== -1; at = lying.indexOf('PK\x01\x02', at + 4))
    lying.writeUInt32LE(10, at + 24);
  await expect(readFile(lying)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

it('a gzip of several members is read whole', async () => {
  const bytes = sampleBytes('items.ndjson');
  const half = bytes.indexOf('\n') + 1;
  const packed = Buffer.concat([gzipSync(bytes.subarray(0, half)), gzipSync(bytes.subarray(half))]);
  expect((await readFile(packed)).items).toHaveLength(5);
});
