/** Merge fields of a template: filled in from the order, the exam and the prior to compare with, each with its origin. */
import { expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';

const api = await startApi();
const { create } = contract.templates.endpoints;
const { import: importPriors } = contract.priors.endpoints;
const { provenance } = contract.reviews.endpoints;

const template = {
  id: 'merged_chest_ct',
  name: 'CT of the chest',
  language: 'en-US',
  sections: [
    { key: 'indication', title: 'Indication', text: '{indication}.' },
    { key: 'technique', title: 'Technique', text: '{procedure}, by {modality}, [__ mm] slices.' },
    { key: 'comparison', title: 'Comparison', text: '{comparison}.' },
    { key: 'findings', title: 'Findings' },
    { key: 'impression', title: 'Impression' },
  ],
};
const patient = { patient_id: 'P-7', patient_name: 'PATIENT^TEST', patient_birth_date: '1970-01-02' };
const priorOf = (report_id: string, exam_description: string, exam_datetime: string) => ({
  ...patient,
  report_id,
  modality: 'CT',
  exam_description,
  exam_datetime,
  status: 'final',
  text: 'FINDINGS:\nClear.',
});

succeeded(await api.call(create, { body: template }), 201);
succeeded(
  await api.call(importPriors, {
    body: {
      items: [
        priorOf('old', 'CT CHEST', '2023-05-04T09:10:00-03:00'),
        priorOf('newer', 'CT CHEST', '2024-01-13T22:10:00-03:00'),
        priorOf('other', 'CT HEAD', '2025-06-01T09:10:00-03:00'),
        priorOf('later', 'CT CHEST', '2026-12-01T09:10:00-03:00'),
      ],
    },
  }),
);
const generate = async (fields: object) => {
  const exam = { ...patient, modality: 'CT', exam_description: 'CT CHEST', exam_datetime: '2026-03-01T09:00:00-03:00' };
  const worklist_item_id = await api.exam({ ...exam, ...fields });
  const text = 'Test Patient. Findings: lungs are clear. Impression: normal.';
  const record = await api.generate({ text, language: 'en-US', template_id: template.id, worklist_item_id });
  return { record, textIn: (key: string) => record.sections.find((section) => section.key === key)?.text };
};

test('are filled in, and say where each value comes from', async () => {
  const { record, textIn } = await generate({ metadata: { indication: 'Cough for 3 weeks' } });
  expect(textIn('indication')).toBe('Cough for 3 weeks.');
  expect(textIn('technique')).toBe('CT CHEST, by computed tomography, [__ mm] slices.');
  expect(textIn('comparison')).toBe('CT CHEST of January 13, 2024.');
  const { words, operations } = succeeded(await api.call(provenance, { params: { id: record.id } }));
  const originsIn = (key: string) =>
    words
      .filter(({ section }) => section === key)
      .map(({ start, end, origin }) => [textIn(key)?.slice(start, end), origin]);
  expect(originsIn('comparison')).toEqual([
    ['CT CHEST of January 13, 2024', 'prior'],
    ['.', 'template'],
  ]);
  expect(originsIn('technique')).toContainEqual(['computed tomography', 'exam']);
  const { operation } = words.find(({ origin }) => origin === 'prior')!;
  expect(operations.find(({ id }) => id === operation)).toMatchObject({
    rule: 'prior',
    prior: { exam_datetime: '2024-01-13T22:10:00-03:00' },
  });
});

test('that end as the text around them goes on have one mark there', async () => {
  const read = async (indication: string) => (await generate({ metadata: { indication } })).textIn('indication');
  expect(await read('Cough for 3 weeks. ')).toBe('Cough for 3 weeks.');
  expect(await read('Pneumonia?')).toBe('Pneumonia?');
});

test('without a value leave their text out, and what was dictated stands in its place', async () => {
  const { textIn } = await generate({ patient_id: 'P-8', patient_birth_date: '1981-03-04' });
  expect([textIn('indication'), textIn('comparison')]).toEqual([undefined, undefined]);
});

test('that nothing fills in are refused, with those that there are', async () => {
  const [indication, ...rest] = template.sections;
  const body = { ...template, id: 'wrong', sections: [{ ...indication, text: '{referrer}' }, ...rest] };
  const answer = await api.call(create, { body });
  expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
  expect(answer.text).toContain('use {indication}, {procedure}, {modality}, {comparison}');
});
