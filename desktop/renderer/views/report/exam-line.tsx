/** The exam and patient of the report, in a line above it that stays visible at every size and scroll position. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { ageText, bornText } from '../../state/worklist/exam-facts.ts';

export function ExamLine({ item }: { item: WorklistItem }) {
  const { display_name, patient_id, patient_birth_date, patient_age, exam_description, accession_number } = item;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('exam.patient_id'), patient_id],
    [t('exam.born'), patient_birth_date ? bornText(patient_birth_date) : patient_age && ageText(patient_age)],
    [t('document.exam'), exam_description],
    [t('exam.accession'), accession_number],
  ];
  return (
    <dl class="exam-line" aria-label={t('document.whose')}>
      <div class="exam-line-name">
        <dt class="sr-only">{t('document.patient')}</dt>
        <dd>{display_name}</dd>
      </div>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt class="sr-only">{label}</dt>
              <dd title={label}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
