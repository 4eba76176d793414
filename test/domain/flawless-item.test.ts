/** The glance must never say yes where the closer look would change something or object. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { maxMetadataWeight } from '../../src/contract/shared.ts';
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import { isFlawless } from '../../src/domain/flawless-item.ts';
import { isFit } from '../../src/domain/characters.ts';
import { itemFieldNames, normaliseItem } from '../../src/domain/normalise.ts';
import { exam, validateItem } from '../support/worklist.ts';

const examples = Object.values(WorklistItemInput.properties ?? {}).flatMap(({ examples = [] }) => examples);
const near = [
  ' CT',
  'ct',
  'XRAY',
  '',
  null,
  0,
  -1,
  1.5,
  2_000_000,
  '2026-02-30',
  '2026-03-02 08:30',
  '1.02',
  'urn:oid:1.2',
];
const values = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...examples) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...near) },
  fc.string({
    unit: fc.constantFrom('a', ' ', '\u00a0', '\u00ad', '\u0301', '\0', '\u200b', 'é', '^', '1', '.', '😀'),
    maxLength: 6,
  }),
  fc.string({ unit: 'binary', maxLength: 70 }),
  fc.jsonValue(),
);
const items = fc
  .tuple(fc.dictionary(fc.constantFrom(...itemFieldNames), values, { maxKeys: 5 }), fc.boolean(), fc.boolean())
  .map(([fields, isWhole, isFree]): Record<string, unknown> => ({
    ...(isWhole && exam()),
    ...fields,
    ...(isFree && { ward: 1 }),
  }));

test('a flawless item is normal and faultless', () => {
  let flawless = 0;
  fc.assert(
    fc.property(items, (item) => {
      if (!isFlawless(item)) return;
      flawless++;
      expect(normaliseItem(item)).toEqual({ fields: item, extra: undefined });
      expect(validateItem(item)).toEqual([]);
      const texts = Object.values(item).filter((value) => typeof value === 'string');
      expect(texts.filter((text) => !isFit('identifier', text) || !isFit('line', text))).toEqual([]);
    }),
    { numRuns: 3000 },
  );
  expect(flawless).toBeGreaterThan(100);
});

test('the quick and the full check agree on metadata', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '\0', '\u200b', '\u0301', 'é', '\ud800', '😀'),
    maxLength: 4,
  });
  const { metadata } = fc.letrec<{ metadata: unknown; value: unknown }>((tie) => ({
    metadata: fc.oneof(fc.dictionary(text, tie('value'), { maxKeys: 3 }), fc.constant(null), tie('value')),
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.constantFrom<unknown>(null, true, 1.5, 'a'.repeat(maxMetadataWeight - 100), 'a'.repeat(maxMetadataWeight)),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(text, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(metadata, (value) => {
      const item = exam({ metadata: value });
      expect(isFlawless(item)).toBe(validateItem(item).length === 0);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['a complete item', exam(), true],
  ['a part of one', { accession_number: 'A1', exam_room: null, series_count: 3 }, true],
  ['accents, spaces and punctuation', exam({ exam_description: 'TC de  tórax (s/ contraste), Ângulo' }), true],
  ['no identifier', { patient_name: 'Test Patient' }, false],
  ['a field of its own', exam({ ward: 'north' }), false],
  ['metadata with orders', exam({ metadata: { orders: [{ status: 'open' }], keep_absent: true } }), true],
  ['metadata that is to be deleted', exam({ metadata: null }), true],
  ['metadata that is a list', exam({ metadata: ['A-17'] }), false],
  ['metadata with a control character', exam({ metadata: { note: ['\u0007'] } }), false],
  ['metadata with an unseen name', exam({ metadata: { 'ward\u200b': 1 } }), false],
  ['metadata that is too large', exam({ metadata: { note: 'a'.repeat(maxMetadataWeight) } }), false],
  ['an empty text, which clears', exam({ exam_room: '' }), false],
  ['a date-time in another way of writing', exam({ exam_datetime: '2026-03-02 08:30' }), false],
  ['a text of another alphabet, which may be in need of NFC', exam({ patient_name: '山田' }), false],
  ['no object', [exam()], false],
])('%s', (_what, item, expected) => {
  expect(isFlawless(item)).toBe(expected);
});
