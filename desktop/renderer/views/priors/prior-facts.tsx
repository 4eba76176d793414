/** What a prior is known by, in the list as in the reader. */
import type { PriorSummary } from '../../../../src/contract/prior.ts';
import { shortDate, wallTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import { now } from '../../state/time/now.ts';

/** The day of the exam: what a prior is known by. */
export const examDate = ({ exam_datetime: at }: Pick<PriorSummary, 'exam_datetime'>): string =>
  shortDate(wallTime(at), now.value);

/** How far the report is, where that is not signed and ours. */
export function PriorChip({
  prior: { status, origin, source_system: system },
}: {
  prior: Omit<PriorSummary, 'differs'>;
}) {
  if (status === 'preliminary') return <Chip tone="warn">{t('priors.preliminary')}</Chip>;
  if (status === 'corrected') return <Chip>{t('priors.corrected')}</Chip>;
  return origin === 'imported' ? <Chip>{system ?? t('priors.imported')}</Chip> : null;
}
