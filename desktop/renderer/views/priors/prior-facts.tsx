/** The identifying facts of a prior, in the list and in the reader. */
import type { PriorSummary } from '../../../../src/contract/prior.ts';
import { shortDate, wallTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import { now } from '../../state/time/now.ts';

/** The day of the exam, which identifies a prior. */
export const examDate = ({ exam_datetime: at }: Pick<PriorSummary, 'exam_datetime'>): string =>
  shortDate(wallTime(at), now.value);

/** The status of the report, unless it is signed and ours. */
export function PriorChip({
  prior: { status, origin, source_system: system },
}: {
  prior: Omit<PriorSummary, 'differs'>;
}) {
  if (status === 'preliminary') return <Chip tone="warn">{t('priors.preliminary')}</Chip>;
  if (status === 'corrected') return <Chip>{t('priors.corrected')}</Chip>;
  return origin === 'imported' ? <Chip>{system ?? t('priors.imported')}</Chip> : null;
}
