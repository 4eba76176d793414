/** The name of an exported document: it tells the exam, and never the patient. */
import * as fc from '../support/properties.ts';
import { expect, test } from 'vitest';
import { reportFileName } from '../../src/reporting/report-file-name.ts';

const record = { id: 'rec_01JNBK4V9Q00000000XW8Q2DX7', created_at: '2026-03-02T11:30:00.000Z' };
const exam = {
  exam_datetime: '2026-03-01T22:30:00-03:00',
  modality: 'CT',
  exam_description: 'Tórax com contraste',
  patient_name: 'PRADO^HELENA',
  display_name: 'Helena Prado',
  patient_id: '4711',
  accession_number: 'ACC-2026-0007',
  patient_birth_date: '1971-06-14',
};

test.each([
  ['day by the exam’s own clock, modality, description and the end of the id', {}, '2026-03-01_CT_torax-com-contraste'],
  [
    'not the patient, where the description names one',
    { exam_description: 'Tórax de HELENA Prado, 4711, nascida 14/06/1971' },
    '2026-03-01_CT_torax-de-nascida',
  ],
  ['no letters that a disk refuses', { exam_description: 'US: "abdome"/pelve\\..' }, '2026-03-01_CT_us-abdome-pelve'],
  ['nothing where it is in other letters', { exam_description: '胸部' }, '2026-03-01_CT'],
])('has the %s', (_name, changes, begin) => {
  expect(reportFileName(record, { ...exam, ...changes })).toBe(`${begin}_XW8Q2DX7`);
});

test('of a document without an exam it has the day on which the document was made', () => {
  expect(reportFileName(record, null)).toBe('2026-03-02_report_XW8Q2DX7');
});

test('whatever the exam contains: a short name of plain letters, without a word of the patient’s name', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('José-Ángel', 'ÅSA Öst', '../..'),
  );
  fc.assert(
    fc.property(text, text, fc.string({ unit: 'binary', maxLength: 30 }), (patient_name, more, modality) => {
      const exam_description = `${more} ${patient_name} ${more}`;
      const name = reportFileName(record, {
        ...exam,
        patient_name,
        display_name: patient_name,
        exam_description,
        modality: 'CT',
      });
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
      const [, , ...rest] = name.split('_');
      const told = rest.slice(0, -1).join('_').split('-');
      for (const word of patient_name
        .normalize('NFD')
        .toLowerCase()
        .match(/[a-z0-9]{3,}/g) ?? [])
        expect(told).not.toContain(word);
      expect(reportFileName(record, { ...exam, modality })).toMatch(/^[A-Za-z0-9_-]{1,120}$/);
    }),
  );
});
