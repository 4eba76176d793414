/** The past: earlier reports of the patient, and the history of this exam. Read when it is opened. */
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { HistoryEntry } from '../../../../src/contract/worklist.ts';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/states.tsx';
import type { Exam, Read } from '../../state/worklist/exam.ts';
import { now } from '../../state/time/now.ts';

export function ExamPast({ exam }: { exam: Exam }) {
  const prior = exam.prior.value;
  useEffect(() => {
    void exam.readPrior();
  }, [exam]);
  return (
    <section class="past">
      <details>
        <summary>
          <Icon name="right" size={16} />
          {t('exam.prior')}
          {prior.value !== undefined && <span class="past-count">{prior.value.length}</span>}
        </summary>
        <Shown read={prior} again={() => void exam.readPrior()}>
          {(records) =>
            records.length === 0 ? (
              <p class="past-none">{t('exam.no_prior')}</p>
            ) : (
              records.map((record) => <Prior key={record.id} record={record} />)
            )
          }
        </Shown>
      </details>
      <details onToggle={(event) => event.currentTarget.open && void exam.readHistory()}>
        <summary>
          <Icon name="right" size={16} />
          {t('exam.history')}
        </summary>
        <Shown read={exam.history.value} again={() => void exam.readHistory()}>
          {(entries) => (
            <ol class="history">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          )}
        </Shown>
      </details>
    </section>
  );
}

function Shown<T>({
  read,
  again,
  children,
}: {
  read: Read<T>;
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

function Prior({ record }: { record: MedicalRecord }) {
  return (
    <details class="prior">
      <summary>
        <Icon name="right" size={16} />
        <span class="prior-title">{record.title}</span>
        <time dateTime={record.created_at}>{examTime(record.created_at, now.value)}</time>
      </summary>
      {record.sections
        .filter(({ text }) => text !== '')
        .map((section) => (
          <div key={section.key} class="prior-section">
            <h4>{section.title}</h4>
            <p>{section.text}</p>
          </div>
        ))}
    </details>
  );
}

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
