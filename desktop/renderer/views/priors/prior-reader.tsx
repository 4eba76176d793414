/** A prior report, shown next to the current one: its sentences and measurements can be copied. */
import { useEffect, useRef } from 'preact/hooks';
import type { Prior, PriorSummary } from '../../../../src/contract/prior.ts';
import { comparisonWords, sentencesOf } from '../../../../src/reporting/priors/comparisons.ts';
import type { Comparison } from '../../../../src/reporting/priors/comparisons.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { isWide } from '../../state/visible-pane.ts';
import { keys } from '../../state/keys.ts';
import { notifyError } from '../../state/notices.ts';
import { draftOf, insertComparison, openComparisons } from '../../state/priors.ts';
import type { Priors } from '../../state/priors.ts';
import { isReady } from '../../state/report/document.ts';
import type { OpenReport, ReadyReport } from '../../state/report/document.ts';
import { keyName } from '../app/key-name.ts';
import { examDate, PriorChip } from './prior-facts.tsx';
import { elementAt } from '../../../../src/domain/elements.ts';

/** A sentence of a prior, and the kind of its section. */
export interface Sentence {
  readonly sentence: string;
  readonly key: string | null;
}

export function PriorReader({
  priors,
  all,
  at,
  document,
  onTake,
  onClose,
  onLook,
}: {
  priors: Priors;
  /** The priors of the exam, and the place of the open one. */
  all: readonly PriorSummary[];
  at: number;
  document: OpenReport | undefined;
  onTake: (sentence: Sentence) => void;
  onClose: () => void;
  onLook: (sentence: Sentence) => void;
}) {
  const summary = elementAt(all, at);
  const prior = priors.open.value;
  const draft = draftOf(document);
  const reader = useRef<HTMLElement>(null);
  useEffect(() => reader.current?.scrollIntoView({ block: 'nearest' }), [at]);
  // Next to the report the caret stays in the report; on a narrow screen the reader takes the focus.
  useEffect(() => void (isWide.peek() || reader.current?.focus()), []);
  return (
    <section
      class="prior-reader"
      aria-label={t('exam.prior')}
      ref={reader}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && (event.stopPropagation(), onClose())}
    >
      <header class="prior-head">
        <h2>
          <time dateTime={summary.exam_datetime}>{examDate(summary)}</time> {summary.exam_description}
        </h2>
        <PriorChip prior={summary} />
        <div class="prior-steps">
          <span class="prior-position">{t('priors.position', { at: at + 1, n: all.length })}</span>
          <IconButton
            icon="up"
            label={t('priors.newer')}
            keyHint={keyName(keys.value.previous_prior)}
            disabled={at === 0}
            onClick={() => void priors.step(-1)}
          />
          <IconButton
            icon="down"
            label={t('priors.older')}
            keyHint={keyName(keys.value.next_prior)}
            disabled={at === all.length - 1}
            onClick={() => void priors.step(1)}
          />
          <IconButton icon="close" label={t('priors.close')} keyHint={keyName(keys.value.priors)} onClick={onClose} />
        </div>
      </header>
      <Differing prior={summary} />
      {prior === null ? (
        priors.error.value === null ? (
          <Skeleton rows={4} label={t('app.loading')} />
        ) : (
          <p class="past-none" role="status">
            {t(priors.error.value.code === 'NETWORK' ? 'priors.needs' : 'exam.not_read')}{' '}
            <Button kind="bare" onClick={() => void priors.show(at)}>
              {t('app.try_again')}
            </Button>
          </p>
        )
      ) : (
        <>
          {draft ? (
            <Comparisons document={draft} prior={prior} />
          ) : (
            <p class="past-none">{t(document && isReady(document) ? 'priors.read_only' : 'priors.no_report')}</p>
          )}
          <Words prior={prior} isTaken={draft !== null} onTake={onTake} onLook={onLook} />
        </>
      )}
    </section>
  );
}

/** The patient data in the prior that differ from the exam. */
function Differing({ prior: { differs } }: { prior: PriorSummary }) {
  if (differs.length === 0) return null;
  const what = differs.map((fact) => t(`priors.fact_${fact}`)).join(', ');
  return <p class="prior-differs">{t('priors.differs', { what })}</p>;
}

function Comparisons({ document, prior }: { document: ReadyReport; prior: Prior }) {
  const sections = document.sections.value;
  const found = openComparisons(sections, prior);
  if (found.length === 0) return null;
  const { language } = document.record.value;
  const label = ({ present, prior: former }: Comparison): string =>
    t('priors.compare_one', { present: present.text, words: comparisonWords(language, former) });
  /** The section, where another one reads the same. */
  const place = (each: Comparison): string =>
    found.some((other) => other !== each && label(other) === label(each))
      ? ` · ${elementAt(sections, each.present.section).title}`
      : '';
  return (
    <div class="prior-compare">
      <h3>
        {t('priors.compare')} <kbd>{keyName(keys.value.compare)}</kbd>
      </h3>
      <ul>
        {found.map((each) => (
          <li key={`${each.present.section} ${each.present.start}`}>
            <Button
              icon="plus"
              onClick={() => {
                insertComparison(document, prior, each).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
              }}
            >
              {label(each)}
              {place(each)}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Words({
  prior,
  isTaken,
  onTake,
  onLook,
}: {
  prior: Prior;
  isTaken: boolean;
  onTake: (sentence: Sentence) => void;
  onLook: (sentence: Sentence) => void;
}) {
  return (
    <div class="prior-words" lang={prior.language ?? undefined}>
      {isTaken && (
        <p class="field-note" lang={shownLanguage()}>
          {t('priors.take_hint')} <kbd>{keyName(keys.value.take_over)}</kbd>
        </p>
      )}
      {prior.sections.map(({ key, title, text }, section) => (
        <div key={section} class="prior-section">
          <h3>{title ?? (key === null ? t('priors.body') : sectionTitle(prior.language ?? shownLanguage(), key))}</h3>
          {text.split('\n').map((line, at) => (
            <p key={at}>
              {isTaken
                ? sentencesOf(line).map((sentence, each) => (
                    <button
                      key={each}
                      type="button"
                      class="prior-sentence"
                      onClick={() => onTake({ sentence, key })}
                      onFocus={() => onLook({ sentence, key })}
                      onPointerEnter={() => onLook({ sentence, key })}
                    >
                      {sentence}
                    </button>
                  ))
                : line}
            </p>
          ))}
        </div>
      ))}
      {prior.author !== null && <p class="prior-author">{t('priors.signed_by', { who: prior.author })}</p>}
    </div>
  );
}
