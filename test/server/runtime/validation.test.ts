/** What a check costs does not depend on how much is wrong. */
import { expect, test } from 'vitest';
import { createValidation } from '../../../server/runtime/validation.ts';
import { GenerateRequest, RecordUpdate } from '../../../src/contract/record.ts';

const check = createValidation()(RecordUpdate);

/** Sections without anything that a section needs, and how often one was looked at. */
function emptySections(count: number): { sections: unknown[]; looked: () => number } {
  let looked = 0;
  const section = new Proxy(
    {},
    { get: () => void looked++, has: () => (looked++, false), ownKeys: () => (looked++, []) },
  );
  return { sections: Array.from({ length: count }, () => section), looked: () => looked };
}

test('all errors of a small body are reported, each once', () => {
  expect(check({ sections: [{}], title: '', status: 'open' }).map(({ field, code }) => [field, code])).toEqual([
    ['title', 'INVALID_VALUE'],
    ['sections.0.key', 'FIELD_REQUIRED'],
    ['sections.0.title', 'FIELD_REQUIRED'],
    ['sections.0.text', 'FIELD_REQUIRED'],
    ['status', 'INVALID_VALUE'],
  ]);
});

test('a list that is far too long is refused for that, and its entries are not looked at', () => {
  const { sections, looked } = emptySections(1_000_000);
  expect(check({ sections })).toEqual([expect.objectContaining({ field: 'sections', code: 'TOO_LONG' })]);
  expect(looked()).toBe(0);
});

test('at most a hundred errors are reported', () => {
  expect(check({ sections: Array.from({ length: 90 }, () => ({})) })).toHaveLength(100);
  const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field${at}`, 1]));
  expect(check(extra)).toHaveLength(100);
});

const fits = createValidation()(GenerateRequest);
test.each([
  ['a text', { note: 'x'.repeat(255_000) }, []],
  ['many values', { many: Array(15_000).fill(1) }, []],
  ['too long a text', { note: 'x'.repeat(257_000) }, ['TOO_LONG']],
  ['too many values', { many: Array(17_000).fill(1) }, ['TOO_LONG']],
])('free-form data is bounded by what it weighs: %s', (_what, metadata, codes) => {
  expect(fits({ text: 'Test Patient.', metadata }).map(({ code }) => code)).toEqual(codes);
});
