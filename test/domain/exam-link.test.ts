import { expect, test } from 'vitest';
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { findLinkedExams, formatExamLink, parseExamLink } from '../../src/domain/exam-link.ts';
import * as fc from '../support/properties.ts';

const exam = (id: string, fields: Partial<WorklistItem>) =>
  ({
    id,
    accession_number: null,
    study_uid: null,
    patient_id: 'p',
    status: 'new',
    metadata: null,
    ...fields,
  }) as WorklistItem;

const items = [
  exam('a', { accession_number: 'A1', study_uid: '1.2', patient_id: 'p1' }),
  exam('b', { accession_number: 'A2', accession_issuer: 'X', patient_id: 'p1', status: 'completed' }),
  exam('c', { accession_number: 'A2', accession_issuer: 'Y', patient_id: 'p2' }),
  exam('e', { accession_number: 'A6', patient_id: 'p4', status: 'completed' }),
  exam('f', { accession_number: 'A6', patient_id: 'p4' }),
  exam('d', { accession_number: 'A4', patient_id: 'p3', metadata: { orders: [{ accession_number: 'A5' }] } }),
];
const found = (query: string) => {
  const link = parseExamLink(query);
  const result = link && findLinkedExams(items, link);
  if (!result) return 'no link';
  if (result.kind === 'one') return result.item.id;
  return result.kind === 'several' ? result.items.map(({ id }) => id).join(' ') : result.kind;
};

test.each([
  ['accession=A1', 'a'],
  ['study_uid=1.2', 'a'],
  ['accession=A1&study_uid=1.2', 'a'],
  ['accession=A1&study_uid=1.3', 'none'],
  ['accession=A1&patient_id=p1', 'a'],
  ['accession=A1&patient_id=p2', 'other_patient'],
  ['accession=A2&accession_issuer=Y', 'c'],
  // Two hospitals gave the number to two patients: a person chooses, whichever waits.
  ['accession=A2', 'b c'],
  // Of those of one patient the one that waits.
  ['accession=A6', 'f'],
  ['accession=A2&patient_id=p1', 'b'],
  // The number of one of the orders of an exam.
  ['accession=A5', 'd'],
  ['patient_id=p1', 'a'],
  ['patient_id=p9', 'none'],
  ['patient_name=Silva', 'no link'],
  ['accession=%00', 'no link'],
  ['', 'no link'],
])('%s → %s', (query, expected) => {
  expect(found(query)).toBe(expected);
});

test('what is written is read again', () => {
  const value = fc
    .string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
    .filter((text) => text.trim() === text);
  fc.assert(
    fc.property(fc.record({ accession: value, patient_id: value, issuer: value }), (link) => {
      expect(parseExamLink(formatExamLink(link))).toEqual(link);
    }),
  );
});
