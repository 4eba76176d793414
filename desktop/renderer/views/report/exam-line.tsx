/** The exam and patient of the report, in a line above it that stays visible at every size and scroll position. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { IconButton } from '../../parts/button.tsx';
import { keys } from '../../state/keys.ts';
import { openReportWindow } from '../../state/report-window.ts';
import { isReportWindow } from '../../state/route.ts';
import { keyName } from '../app/key-name.ts';
import { ageText, bornText } from '../../state/worklist/exam-facts.ts';

/** A page without HTTPS has no locks. */
const canOpen = 'locks' in navigator;

export function ExamLine({ item }: { item: WorklistItem }) {
  const { display_name, patient_id, patient_birth_date, patient_age, exam_description, accession_number } = item;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('exam.patient_id'), patient_id],
    [t('exam.born'), patient_birth_date ? bornText(patient_birth_date) : patient_age && ageText(patient_age)],
    [t('document.exam'), exam_description],
    [t('exam.accession'), accession_number],
  ];
  return (
    <div class="exam-line">
      <dl aria-label={t('document.whose')}>
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
      {canOpen && !isReportWindow.value && (
        <IconButton
          icon="window"
          label={t('app.report_window_open')}
          keyHint={keyName(keys.value.report_window)}
          onClick={() => void openReportWindow()}
        />
      )}
    </div>
  );
}
