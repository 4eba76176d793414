/** The checks of a draft in the page. What they find is tested with them (test/domain/report/checks.test.ts). */
import { signal } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import { followChecks } from '../../../desktop/renderer/state/report/checks.ts';
import { prepareChecks } from '../../../src/domain/report/checks/check.ts';
import { base } from './report-service.ts';

vi.mock('../../../src/domain/report/checks/check.ts', { spy: true });

test('what was said is read once, however many versions are saved and however the worklist changes', async () => {
  const record = signal({ ...base, transcript: 'findings nodule of six millimeters' });
  const sections = signal(base.sections);
  const item = signal({ modality: 'CT', exam_description: 'CT chest', status: 'pending' });
  const { findings, close } = followChecks({ record, sections, exam: () => item.value });
  const type = (text: string): void => {
    sections.value = base.sections.map((section, at) => (at === 0 ? { ...section, text } : section));
  };
  type('Nodule of 8 mm.');
  await vi.waitFor(() => expect(findings.value.map(({ kind }) => kind)).toEqual(['number_changed']));
  record.value = { ...record.value, version: 2, sections: sections.value };
  item.value = { ...item.value, status: 'in_progress' };
  type('Nodule of 9 mm.');
  expect(findings.value.map(({ kind }) => kind)).toEqual(['number_changed']);
  expect(prepareChecks).toHaveBeenCalledTimes(1);
  record.value = { ...record.value, version: 3, transcript: 'findings nodule of nine millimeters' };
  expect(findings.value).toEqual([]);
  item.value = { ...item.value, exam_description: 'CT right knee' };
  type('Nodule of 9 mm in the left knee.');
  expect(findings.value.map(({ kind }) => kind)).toContain('side_differs_from_exam');
  close();
});
