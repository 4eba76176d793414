/** Earlier reports of the patient and the history of this exam. Read when opened. */
import type { ComponentChildren } from 'preact';
import type { HistoryEntry, WorklistItem } from '../../../../src/contract/worklist.ts';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { Skeleton } from '../../parts/states.tsx';
import type { Exam, LoadState } from '../../state/worklist/exam.ts';
import { now } from '../../state/time/now.ts';

const Priors = lazily(
  () => import('../priors/priors.tsx').then((module) => module.Priors),
  () => <Skeleton rows={1} label={t('app.loading')} />,
);

export function ExamPast({ item, exam }: { item: WorklistItem; exam: Exam }) {
  return (
    <section class="past">
      <Priors key={item.id} itemId={item.id} />
      <details onToggle={(event) => event.currentTarget.open && void exam.readHistory()}>
        <summary>
          <Icon name="right" size={16} />
          {t('exam.history')}
        </summary>
        <Section read={exam.history.value} again={() => void exam.readHistory()}>
          {(entries) => (
            <ol class="history">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
              {/* The service lists changes; an exam without any has at least arrived. */}
              {entries.every(({ from, changes }) => from !== null || changes) && <Entry entry={arrivalOf(item)} />}
            </ol>
          )}
        </Section>
      </details>
    </section>
  );
}

function Section<T>({
  read,
  again,
  children,
}: {
  read: LoadState<T>;
  again: () => void;
  children: (value: readonly T[]) => ComponentChildren;
}) {
  if (read.error) {
    return (
      <p class="past-none">
        {t('exam.not_read')}{' '}
        <Button kind="bare" onClick={again}>
          {t('app.try_again')}
        </Button>
      </p>
    );
  }
  return read.value === undefined ? <Skeleton rows={2} label={t('app.loading')} /> : <>{children(read.value)}</>;
}

/** The arrival of the exam in the list, as an entry of its history. */
const arrivalOf = ({ created_at: at, source_system }: WorklistItem): HistoryEntry => ({
  id: 'arrival',
  at,
  who: null,
  from: null,
  to: 'new',
  reason: null,
  source_system,
});

function Entry({ entry: { at, who, from, to, reason, source_system: source, changes } }: { entry: HistoryEntry }) {
  const what = changes
    ? t('exam.patient_changed')
    : from !== null
      ? t(`exam.went_${to}`)
      : source === null
        ? t('exam.entered')
        : t('exam.entered_from', { source });
  const details = [
    from !== null && who !== null ? t('exam.by', { who }) : null,
    ...(changes ? changes.map(({ before, after }) => `${before ?? '–'} → ${after ?? '–'}`) : [reason]),
  ].filter((part) => part !== null);
  return (
    <li>
      <time dateTime={at}>{examTime(at, now.value)}</time>
      <span>
        {what}
        {details.length > 0 && <small>{details.join(' · ')}</small>}
      </span>
    </li>
  );
}
