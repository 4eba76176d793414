/** What holds of every reader, on every sample: however the bytes arrive, and whatever is wrong with them. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { explored, sampled } from '../../support/explored.ts';
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../src/contract/messages/message.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { formatNames } from '../../../src/domain/worklist-formats.ts';
import type { Reading } from '../../../src/files/worklist/reading.ts';
import { readWorklist } from '../../../src/files/worklist/worklist-file.ts';
import { inChunks, readFile, sampleBytes, sampleFiles } from '../../support/worklist-readings.ts';
import type { ReadFile } from '../../support/worklist-readings.ts';

const plainBytes = (name: string): Buffer => {
  const bytes = sampleBytes(name);
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};
const itemsOf = ({ items }: ReadFile): unknown[] => items.map(({ item, status }) => ({ item, status }));

it('there is a sample of every format', () => {
  expect(new Set(sampleFiles.map(({ format }) => format))).toEqual(new Set(formatNames));
});

describe.each(sampleFiles)('$name', (sample) => {
  const { name, format, items, cancelled = 0 } = sample;
  const bytes = sampleBytes(name);

  it('is recognised by its content and read whole', async () => {
    const read = await readFile(bytes);
    expect(read.problems).toEqual([]);
    expect(read.format).toBe(format);
    expect(read.items).toHaveLength(items);
    expect(read.items.filter(({ status }) => status === 'cancelled')).toHaveLength(cancelled);
  });

  it('gives the same however its bytes are cut', async () => {
    const { readings } = await readFile(bytes);
    for (const size of sampled([1, 2, 3, 5, 64, 1021], 3))
      expect((await readFile(bytes, {}, size)).readings, `${size}`).toEqual(readings);
  });

  it('gives the same from a gzip, in any pieces', async () => {
    const { readings } = await readFile(plainBytes(name));
    const packed = gzipSync(plainBytes(name));
    for (const size of [1, 100, undefined]) {
      const read = await readFile(packed, {}, size);
      expect(read.readings).toEqual(readings);
      expect(read.guesses.map(({ what }) => what)).toContain('compression');
    }
  });

  it('cut off anywhere, it ends in order and makes nothing up', async () => {
    const whole = await readFile(bytes);
    for (const length of lengthsOf(bytes)) {
      const { readings, error } = await outcomeOf(bytes.subarray(0, length));
      const told = error !== undefined || readings.some(({ kind }) => kind === 'problem');
      const madeUp = readings.filter(
        (reading) => reading.kind === 'item' && !whole.items.some(({ item }) => isPartOf(reading.item, item)),
      );
      expect(madeUp, `${length}`).toEqual([]);
      // Fewer exams than there are, and not a word about it, are met only between two of them.
      if (!told) expect(endsBetween(format, bytes, length), `${length}`).toBe(true);
    }
  });
});

describe.each(sampleFiles.filter(({ encoding }) => encoding !== undefined))('$name', ({ name, encoding }) => {
  it('gives the same in every encoding with a byte order mark', async () => {
    const bytes = sampleBytes(name);
    const { items: expected } = await readFile(bytes);
    const text = new TextDecoder(encoding).decode(bytes);
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const encoded of [Buffer.from(`\ufeff${text}`), little, Buffer.from(little).swap16()]) {
      for (const size of [1, 7, undefined]) expect((await readFile(encoded, {}, size)).items).toEqual(expected);
    }
  });
});

describe.each(sampleFiles.filter(({ format }) => format !== 'dicom' && format !== 'xlsx'))('$name', ({ name }) => {
  it('gives the same with every way to end a line', async () => {
    const expected = itemsOf(await readFile(sampleBytes(name)));
    const text = plainBytes(name).toString('latin1');
    for (const end of ['\n', '\r\n', '\r']) {
      const changed = Buffer.from(text.replace(/\r\n|\r|\n/g, end), 'latin1');
      expect(itemsOf(await readFile(changed)), JSON.stringify(end)).toEqual(expected);
    }
  });
});

/** Of the beginnings of a file: those of some bytes, those that lack some, and many in between. */
function lengthsOf(bytes: Uint8Array): number[] {
  const step = Math.max(1, Math.floor(bytes.length / (explored.isOn ? 900 : 90)));
  const near = 8;
  return Array.from(bytes.keys()).filter(
    (length) => length % step === 0 || length < near || length >= bytes.length - near,
  );
}

/** What can be read, and the error that ended it; any other error fails the test. */
async function outcomeOf(bytes: Uint8Array): Promise<{ readings: readonly Reading[]; error?: AppError }> {
  const readings: Reading[] = [];
  try {
    const file = await readWorklist(inChunks(bytes), { timeZone: 'America/Sao_Paulo' });
    for await (const reading of file.readings) readings.push(reading);
    return { readings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(['UNSUPPORTED_MEDIA_TYPE', 'INVALID_JSON', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE']).toContain(error.code);
    return { readings, error };
  }
}

/** Each field is that of the original, or the beginning of it; identifiers are the same or absent. */
function isPartOf(part: Readonly<Record<string, unknown>>, original: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(part).every(([name, value]) => {
    const whole = original[name];
    if (name === 'metadata')
      return isPartOf(value as Record<string, unknown>, (whole ?? {}) as Record<string, unknown>);
    if (name === 'accession_number' || name === 'study_uid') return value === whole;
    // What is chosen among several sources may be another one while the first is still to come.
    return (
      value === whole ||
      (typeof value === 'string' &&
        (typeof whole !== 'string' || whole.startsWith(value) || name === 'exam_description'))
    );
  });
}

/** Formats without an end of their own: lines, rows, segments and elements. */
const endsBetween = (format: string, bytes: Uint8Array, length: number): boolean =>
  format === 'csv' || format === 'hl7' || format === 'dicom' || bytes[length - 1] === 10 || bytes[length] === 10;

describe('anything at all', () => {
  const samples = sampleFiles.map(({ name }) => plainBytes(name));
  const settle = async (bytes: Uint8Array): Promise<void> => {
    const { readings } = await outcomeOf(bytes);
    for (const reading of readings) {
      if (reading.kind === 'item') expect(typeof reading.item).toBe('object');
      if (reading.kind === 'problem') expect(textOf(reading.message)).toMatch(/\.$/);
    }
  };

  it('in bytes is refused or read, and nothing else', async () => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), settle), { numRuns: 100 });
  });

  it('done to a sample does no harm', async () => {
    const change = fc.record({
      sample: fc.constantFrom(...samples),
      edits: fc.array(
        fc.record({
          at: fc.double({ min: 0, max: 1, noNaN: true }),
          cut: fc.nat(40),
          put: fc.uint8Array({ maxLength: 12 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ sample, edits }) => {
        let bytes = Buffer.from(sample.subarray(0, 4000));
        for (const { at, cut, put } of edits) {
          const index = Math.floor(at * bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, index), put, bytes.subarray(index + cut)]);
        }
        await settle(bytes);
        await settle(gzipSync(bytes).subarray(0, -edits[0]!.cut || undefined));
      }),
      { numRuns: 100 },
    );
  });

  it('mixed of two samples does no harm', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.constantFrom(...samples),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (one, other, at) => {
          await settle(
            Buffer.concat([one.subarray(0, Math.floor(Math.min(one.length, 4000) * at)), other.subarray(0, 4000)]),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('under a format that it is not does no harm', async () => {
    for (const format of formatNames) {
      for (const sample of samples) {
        await readFile(sample.subarray(0, 3000), { format }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
        });
      }
    }
  });
});

describe('characters that no text is made of', () => {
  const table = [
    'accession_number;exam_description;observacoes;Minha\u200b coluna',
    'A1;"TC\u2028de\ntórax";"um\u000bdois\u0085";"x\fy"',
    '',
  ].join('\n');
  const message = [
    'MSH|^~\\&|RIS|HSL|||20260302080000||ORM^O01|1|P|2.5.1|||||||UNICODE UTF-8',
    'PID|||1',
    'ORC|NW',
    'OBR|1|P1|F1|CT^TC\\.br\\de tórax||||||||||||||A1',
    'NTE|||um\\X0B\\dois\\X00\\',
    '',
  ].join('\r');

  it.each([
    ['a table', table],
    ['HL7', message],
  ])('of %s are corrected, so that no exam is refused because of them', async (_, text) => {
    const { items } = await readFile(text);
    const item = items[0]!.item;
    expect(item['exam_description']).toBe('TC de tórax');
    expect(item['metadata']).toMatchObject({ notes: expect.stringMatching(/^um\ndois\n?$/) });
    expect(item['Minha coluna']).toBe(text === table ? 'x\ny' : undefined);
    expect(JSON.stringify(item)).not.toMatch(/\\u00|[\u0085\u200b\u2028]/);
  });
});
