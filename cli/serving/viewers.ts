/** Reads the viewers that the operator names: `ADDRESS`, or `HOSPITAL; ADDRESS`. */
import { AppError } from '../../src/contract/errors.ts';
import type { Viewer } from '../../src/contract/viewer.ts';
import { findViewerFault, viewerFields } from '../../src/domain/viewer-address.ts';

const fields = viewerFields.map((field) => `{${field}}`).join(' and ');
const hints = {
  scheme: 'Begin it with https:// or with the scheme of a viewer on the physicians’ computers, such as weasis://.',
  field: `Only ${fields} stand for numbers of an exam. Nothing else of a patient goes into an address.`,
  no_field: `Say where the numbers of the exam go, by ${fields}: https://pacs.example.com/viewer?StudyInstanceUIDs={study_uid}`,
} as const;

/** AppError USAGE where an address can't be used. */
export const readViewers = (values: readonly string[]): Viewer[] =>
  values.map((value) => {
    const cut = value.indexOf(';');
    const address = value.slice(cut + 1).trim();
    const hospital = cut < 0 ? null : value.slice(0, cut).trim() || null;
    const fault = findViewerFault(address);
    if (fault)
      throw new AppError('USAGE', { message: `--viewer has no usable address: ${address}`, hint: hints[fault] });
    return { hospital, address };
  });
