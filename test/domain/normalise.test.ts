import * as fc from '../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { clearableFieldNames, coreFieldNames } from '../../src/contract/exam.ts';
import { isDeeperThan, itemFieldNames, mergeMetadata, normaliseItem } from '../../src/domain/normalise.ts';

const fieldsOf = (item: unknown) => normaliseItem(item)?.fields;

describe('ways of writing', () => {
  test.each([
    ['accession_number', '  SL-1 ', 'SL-1'],
    ['exam_description', 'to\u0301rax', 'tórax'],
    ['modality', ' ct ', 'CT'],
    ['exam_datetime', '2026-03-02 08:30-0300', '2026-03-02T08:30:00-03:00'],
    ['exam_datetime', '02/03/2026', '02/03/2026'],
    ['patient_name', ' SILVA^JOAO^^DR ', 'SILVA^JOAO^^DR'],
    ['study_uid', 'urn:oid:1.2.3', '1.2.3'],
    ['study_uid', '1.2.3\0', '1.2.3'],
    ['patient_sex', 'm', 'm'],
    ['series_count', 3, 3],
    ['modality', 'ß\u0301', 'ß\u0301'],
    ['modality', 7, 7],
    ['patient_name', '\ufeffSOUZA\u202e^ANA\u200b', 'SOUZA^ANA'],
    ['patient_name', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['exam_description', 'T\u00adC \u2066tórax\u2069', 'TC tórax'],
    ['patient_id', '00\u200b1', '00\u200b1'],
  ])('%s %j becomes %j', (name, value, normal) => {
    expect(fieldsOf({ [name]: value })).toEqual({ [name]: normal });
  });

  test.each(['', '  ', null])(
    '%j is not an identifier, clears an optional field and stays in a core field',
    (value) => {
      const fields = fieldsOf(Object.fromEntries(itemFieldNames.map((name) => [name, value])))!;
      expect(fields).not.toHaveProperty('accession_number');
      expect(fields).not.toHaveProperty('study_uid');
      for (const name of clearableFieldNames) expect(fields[name]).toBeNull();
      for (const name of coreFieldNames) expect(fields[name]).toBe(value === null ? null : '');
    },
  );

  test.each([undefined, null, 3, 'text', [[]]])('%j is not an item', (value) => {
    expect(normaliseItem(value)).toBeUndefined();
  });

  test('fields that the contract does not name are set apart, whatever their name', () => {
    const { fields, extra } = normaliseItem(
      JSON.parse('{"modality":"ct","priority":"STAT","__proto__":{"polluted":1}}'),
    )!;
    expect(fields).toEqual({ modality: 'CT' });
    expect(Object.entries(extra!)).toEqual([
      ['priority', 'STAT'],
      ['__proto__', { polluted: 1 }],
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(extra)).toBe(Object.prototype);
  });

  test('normalising twice changes nothing', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(' ', '\0', 'urn:oid:', '1', '.', 'ß', '\u0301', 'e', '\u1f80', '\u2126') }),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    );
    const values = fc.oneof(text, fc.constant(null), fc.jsonValue());
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...itemFieldNames), values), (item) => {
        const once = normaliseItem(item)!;
        expect(normaliseItem(once.fields)).toEqual({ fields: once.fields, extra: undefined });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('metadata', () => {
  const merged = (stored: Record<string, unknown> | null, item: Record<string, unknown>) =>
    mergeMetadata(stored, normaliseItem(item)!);

  test.each([
    [null, {}, null],
    [{ a: 1 }, {}, { a: 1 }],
    [{ a: 1 }, { metadata: { b: 2 } }, { b: 2 }],
    [{ a: 1 }, { metadata: null }, null],
    [{ a: 1 }, { x: 1 }, { a: 1, extra: { x: 1 } }],
    [{ a: 1, extra: { x: 1, y: 1 } }, { y: 2 }, { a: 1, extra: { x: 1, y: 2 } }],
    [{ a: 1, extra: { x: 1 } }, { metadata: { b: 2 } }, { b: 2, extra: { x: 1 } }],
    [{ extra: { x: 1 } }, { metadata: { extra: { y: 1 } }, z: 1 }, { extra: { x: 1, y: 1, z: 1 } }],
    [{ extra: { x: 1 } }, { metadata: null, z: 1 }, { extra: { z: 1 } }],
    [null, { metadata: { extra: 'mine' } }, { extra: 'mine' }],
    [null, { metadata: { extra: 'mine' }, z: 1 }, { extra: { extra: 'mine', z: 1 } }],
  ])('%j and then %j make %j', (stored, item, result) => {
    expect(merged(stored, item)).toEqual(result);
  });

  test('keys that reach a prototype stay plain keys', () => {
    const item = JSON.parse(
      '{"metadata":{"__proto__":{"a":1},"extra":{"__proto__":{"b":1}}},"__proto__":{"c":1},"constructor":1}',
    );
    const metadata = merged({ extra: { x: 1 } }, item)!;
    expect(JSON.stringify(metadata)).toBe('{"__proto__":{"a":1},"extra":{"x":1,"__proto__":{"c":1},"constructor":1}}');
    expect(({} as Record<string, unknown>)['c']).toBeUndefined();
  });
});

test('depth counts the value itself', () => {
  expect(isDeeperThan(1, 0)).toBe(false);
  expect(isDeeperThan({ a: [1] }, 2)).toBe(false);
  expect(isDeeperThan({ a: [{}] }, 2)).toBe(true);
});
