/** The sample files are what their README says. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modalityCodes } from '../src/contract/modalities.ts';
import { isIsoDateTime } from '../src/domain/iso-time.ts';
import { coreFieldNames } from '../src/contract/exam.ts';
import { isTestPatientName } from '../src/domain/test-data.ts';
import type { WorklistItemInput } from '../src/contract/worklist.ts';
import { normaliseItem } from '../src/domain/normalise.ts';
import { readFile, sampleBytes, sampleFiles } from './support/worklist-readings.ts';
import { validateItem } from './support/worklist.ts';

const read = (name: string): Buffer => readFileSync(new URL(`../samples/${name}`, import.meta.url));

describe('worklist.json', () => {
  const { items } = JSON.parse(read('worklist.json').toString('utf8')) as { items: WorklistItemInput[] };

  it('is a day of two hospitals', () => {
    expect(items).toHaveLength(23);
    expect(new Set(items.map((item) => item.hospital_name))).toEqual(
      new Set(['Hospital São Lucas', 'Clínica Boa Vista']),
    );
    expect(new Set(items.map((item) => item.modality)).size).toBeGreaterThanOrEqual(10);
    for (const item of items) expect(item.exam_datetime).toMatch(/^2026-03-02T\d\d:\d\d:00-03:00$/);
  });

  it('has its own identifiers in every item, valid ones', () => {
    for (const of of ['accession_number', 'study_uid'] as const) {
      expect(new Set(items.map((item) => item[of])).size).toBe(items.length);
    }
    for (const item of items) {
      expect(item.study_uid).toMatch(/^1\.2\.826\.0\.1\.3680043\.8\.498(\.(0|[1-9]\d*))+$/);
      expect(item.accession_number?.length).toBeLessThanOrEqual(16);
      expect(modalityCodes).toContain(item.modality);
      expect(isIsoDateTime(item.exam_datetime ?? '')).toBe(true);
    }
  });

  it('names test patients only, each with the age of the birth date', () => {
    for (const item of items) {
      expect(isTestPatientName(item.patient_name ?? ''), item.patient_name).toBe(true);
      const [birth, exam] = [item.patient_birth_date ?? '', '2026-03-02'];
      const years = Number(exam.slice(0, 4)) - Number(birth.slice(0, 4)) - (exam.slice(5) < birth.slice(5) ? 1 : 0);
      expect(item.patient_age).toBe(`${String(years).padStart(3, '0')}Y`);
    }
  });
});

describe.each(sampleFiles)('worklists/$name', ({ name }) => {
  it('has exams that the service takes, of test patients only', async () => {
    const { items } = await readFile(sampleBytes(name));
    for (const { item, position } of items) {
      const { fields } = normaliseItem(item)!;
      expect(validateItem(fields), JSON.stringify(position)).toEqual([]);
      expect(coreFieldNames.filter((field) => !(field in fields))).toEqual([]);
      expect(isTestPatientName(String(fields['patient_name'])), JSON.stringify(position)).toBe(true);
    }
  });
});

describe.each([
  ['dictation.wav', 10, 20],
  ['correction.wav', 2, 6],
])('%s', (name, shortest, longest) => {
  it('is 16 kHz mono 16 bit PCM of a length to be heard at once', () => {
    const wav = read(name);
    expect(wav.toString('latin1', 0, 4) + wav.toString('latin1', 8, 12)).toBe('RIFFWAVE');
    const [format, channels, rate, bits] = [
      wav.readUInt16LE(20),
      wav.readUInt16LE(22),
      wav.readUInt32LE(24),
      wav.readUInt16LE(34),
    ];
    expect({ format, channels, rate, bits }).toEqual({ format: 1, channels: 1, rate: 16_000, bits: 16 });
    expect(wav.length).toBeLessThan(700_000);
    const seconds = (wav.length - 44) / 32_000;
    expect(seconds).toBeGreaterThan(shortest);
    expect(seconds).toBeLessThan(longest);
  });
});
