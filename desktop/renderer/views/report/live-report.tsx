/** The words of a dictation as they are spoken, in the layout of the future report. */
import { useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { withHand } from '../../../../src/reporting/live/hand-edits.ts';
import { moveToTargets, sectionNow } from '../../../../src/reporting/live/speech-targets.ts';
import { withEmpty } from '../../../../src/reporting/live/words.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { Progress } from '../../parts/states.tsx';
import { getTypedEdits } from '../../state/recorder/typed-edits.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import { liveWordsOf, readLiveWords } from '../../state/recorder/live-words.ts';
import { isReportWindow } from '../../state/route.ts';
import { isBegun } from '../../state/report/typed-report.ts';
import { recogniser } from '../../state/session.ts';
import { waitText } from '../recorder/wait.ts';
import { DocumentPane } from './document-pane.tsx';
import { LiveField } from './live-field.tsx';
import type { ReportBasis } from './use-basis.ts';
import type { TypedReport } from './use-typed-report.ts';
import { useSpeechTarget } from './use-speech-target.ts';

/** The words of the dictation. Also reads those recognised before the page was opened. */
export function useLiveWords(dictation: Dictation | undefined): LiveWords | undefined {
  const isLeft = dictation === undefined || dictation.state === 'done';
  const id = isLeft ? undefined : dictation.id;
  useEffect(() => {
    if (id !== undefined) readLiveWords(id).catch(() => undefined);
  }, [id]);
  return liveWordsOf(id);
}

/** The whole pane while there is no report: the sections of the template with the words as they arrive. */
export function LiveReport({
  dictation,
  words,
  basis,
  begun,
  aimed,
}: {
  dictation: Dictation;
  words: LiveWords;
  basis: ReportBasis;
  begun: TypedReport;
  /** Key of the section that the person entered before the take. */
  aimed: RefObject<string | null>;
}) {
  const isSealed = ['queued', 'sending', 'processing'].includes(dictation.state);
  const isRecorded = words.state !== 'still';
  const wait = isSealed ? waitText(dictation) : undefined;
  const state = isSealed
    ? ({ text: t('document.making'), tone: 'busy', icon: 'document' } as const)
    : isRecorded
      ? ({ text: t('document.live_now'), tone: 'plain', icon: 'microphone' } as const)
      : ({ text: t('document.live_so_far'), tone: 'plain', icon: 'pause' } as const);
  const progress = dictation.state === 'processing' && dictation.progress > 0 ? dictation.progress : null;
  const whole = useMemo(() => ({ ...words, sections: withEmpty(words.sections, basis.sections) }), [words, basis]);
  const writing = getTypedEdits(dictation.id);
  const isRead = writing.edits.value !== null;
  // Words typed before speaking become typed edits of the dictation.
  useLayoutEffect(() => {
    const { typed } = begun;
    if (!isRead || !typed || !isBegun(typed)) return;
    writing.adopt(whole, typed);
    begun.forget();
  }, [isRead, begun.typed]);
  return (
    <DocumentPane state={state}>
      <div class="document-page document-begun">
        {isSealed && wait === undefined && <Progress value={progress} label={t('document.making')} />}
        <LiveText dictation={dictation} words={whole} basis={basis} aimed={aimed} />
      </div>
      <footer class="document-foot">
        <p class="document-saving">
          {wait ??
            t(
              isSealed
                ? dictation.state === 'queued'
                  ? 'document.queued'
                  : 'document.making_hint'
                : words.state === 'missing' && recogniser.value !== 'none'
                  ? 'document.live_missing'
                  : words.state === 'hearing' && words.sections.length === 0
                    ? 'document.live_waiting'
                    : 'document.live_hint',
            )}
        </p>
      </footer>
    </DocumentPane>
  );
}

/** The words next to an existing report, or above a text being typed. */
export function LiveAside({ dictation, words }: { dictation: Dictation; words: LiveWords }) {
  return (
    <section class="live-aside" aria-label={t('document.live_so_far')}>
      <h2>{t(words.state !== 'still' ? 'document.live_now' : 'document.live_so_far')}</h2>
      <LiveText dictation={dictation} words={words} />
      {words.state === 'missing' && <p class="field-note">{t('document.live_missing')}</p>}
    </section>
  );
}

/** Distance from the end, in px, within which the page keeps following the text. */
const nearEnd = 120;

function LiveText({
  dictation,
  words,
  basis,
  aimed,
}: {
  dictation: Dictation;
  words: LiveWords;
  basis?: ReportBasis;
  /** Key of the section that the person entered before the take. */
  aimed?: RefObject<string | null>;
}) {
  const text = useRef<HTMLDivElement>(null);
  const isFollowed = useRef(true);
  const writing = getTypedEdits(dictation.id);
  const edits = writing.edits.value;
  const wishes = writing.wishes.value;
  const shown = useMemo(() => withHand(moveToTargets(words, wishes), edits ?? []), [words, wishes, edits]);
  const here = useMemo(() => (basis ? sectionNow(words, wishes) : undefined), [words, wishes, basis]);
  const isOpen = edits !== null && ['recording', 'paused', 'queued'].includes(dictation.state);
  // Another window may record it, and a dictation whose page was closed counts as recorded for a moment.
  const isRecordedHere = useComputed(() => {
    const live = liveRecorder.value;
    return live?.itemId === dictation.item_id && live.state.value.phase !== 'pausing';
  }).value;
  const isRecorded = isReportWindow.value ? dictation.state === 'recording' : isRecordedHere;
  const spoken = useSpeechTarget(
    { words, shown, here },
    { writing, text, aimed, isRecorded, isOpen, language: dictation.language },
  );
  useLayoutEffect(() => {
    const page = text.current?.closest('.document-page');
    if (!page) return undefined;
    const look = (): void => {
      isFollowed.current = page.scrollHeight - page.scrollTop - page.clientHeight < nearEnd;
    };
    page.addEventListener('scroll', look, { passive: true });
    return () => page.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    // The page does not scroll under a person who reads elsewhere; a typing person sees the caret anyway.
    const isTyping = text.current?.contains(globalThis.document.activeElement) === true;
    const news = text.current?.querySelector('.live-partial') ?? text.current?.lastElementChild;
    if (isFollowed.current && !isTyping) news?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <>
      <div
        class="live-text"
        ref={text}
        lang={dictation.language}
        onFocusIn={({ target }) => {
          // The caret is set after the focus.
          if (basis && isOpen && target instanceof HTMLTextAreaElement) requestAnimationFrame(() => spoken.aim(target));
        }}
      >
        {shown.map((section) => (
          <section
            key={section.key}
            class="document-section"
            data-section={section.key}
            tabIndex={-1}
            aria-label={section.title}
          >
            <h2>
              {section.title}
              {basis && isRecorded && section.key === spoken.here && (
                <span class="live-here">
                  <Icon name="microphone" size={14} />
                  {t('document.live_here')}
                </span>
              )}
              {basis && isRecorded && section.key === spoken.next && (
                <span class="live-next">
                  <Icon name="pause" size={14} />
                  {t('document.live_next')}
                </span>
              )}
            </h2>
            <LiveField
              section={section}
              words={words}
              writing={writing}
              isOpen={isOpen}
              placeholder={
                basis && isOpen
                  ? (basis.sections.find(({ key }) => key === section.key)?.text ?? t('document.begin_here'))
                  : undefined
              }
            />
          </section>
        ))}
      </div>
      {/* A screen reader announces each phrase once, when it is final. */}
      <p class="sr-only" role="status" lang={dictation.language}>
        {words.latest}
      </p>
    </>
  );
}
