/** Words for the place of a remark in a worklist file, and for how the file was read. */
import { worklistFormats } from '../../../../src/domain/worklist-formats.ts';
import type { ImportRemark, ImportResult } from '../../../bridge/worklist-import.ts';
import { t } from '../../i18n/index.ts';
import { remarkParagraph } from '../../state/explain-remark.ts';
import type { MessageKey } from '../../i18n/index.ts';

/** Where a person finds the entry: by line, message or exam, whichever the file has; and which exam it is. */
export function placeWords({ place, accession_number: accession }: ImportRemark): string {
  const { line, message, item, offset = 0 } = place;
  const where =
    message !== undefined
      ? line === undefined
        ? t('worklist.at_message', { n: message })
        : t('worklist.at_message_line', { n: message, line })
      : line !== undefined
        ? t('worklist.at_line', { n: line })
        : item === undefined
          ? t('worklist.at_byte', { n: offset })
          : t('worklist.at_item', { n: item });
  return accession === null ? where : `${where} · ${accession}`;
}

/** Remarks that a person can act on, in the language of the page; all others as their readers or their codes say. */
const reasons = {
  PATIENT_MISMATCH: 'worklist.why_patient_mismatch',
  PATIENT_CORRECTED: 'worklist.why_patient_corrected',
  PATIENT_CHANGED: 'worklist.why_patient_changed',
  STUDY_CHANGED: 'worklist.why_study_changed',
  EXAM_CANCELLED: 'worklist.why_exam_cancelled',
  ORDER_DUPLICATED: 'worklist.why_order_duplicated',
  MODALITY_RETIRED: 'worklist.why_modality_retired',
} as const satisfies Partial<Record<NonNullable<ImportRemark['code']>, MessageKey>>;

const hasReason = (code: ImportRemark['code']): code is keyof typeof reasons =>
  code !== undefined && Object.hasOwn(reasons, code);

export const reasonWords = (remark: ImportRemark): string =>
  hasReason(remark.code) ? t(reasons[remark.code]) : remarkParagraph(remark);

/** The guesses of the reader that may be wrong. */
export function readAs({ format, guesses }: Pick<ImportResult, 'format' | 'guesses'>): string {
  const parts = guesses.flatMap(({ what, value }) => {
    if (what === 'compression') return value;
    if (what === 'encoding') return value === 'utf-8' ? [] : value;
    if (what === 'times') return t('worklist.times_of', { zone: value });
    if (what === 'dates') return t(value.startsWith('day') ? 'worklist.dates_dmy' : 'worklist.dates_mdy');
    return [];
  });
  return t('worklist.read_as', { what: [worklistFormats[format].title, ...parts].join(', ') });
}
