/** The report: read, edited, corrected by voice, signed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { pagePlayer } from '../../audio/player.ts';
import { Banner, Empty, Skeleton } from '../../parts/states.tsx';
import { Button } from '../../parts/button.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { t } from '../../i18n/index.ts';
import { bridge } from '../../state/bridge.ts';
import { openChecksThread } from '../../state/report/checks-thread.ts';
import { isReady, openReport } from '../../state/report/document.ts';
import type { OpenReport, ReadyReport } from '../../state/report/document.ts';
import { liveRecorder, openRecorder } from '../../state/recorder/recorders.ts';
import { dictations } from '../../state/recorder/dictations.ts';
import { getHolding } from '../../state/worklist/exam.ts';
import { isRecording, retryJob } from '../../state/jobs.ts';
import { onKeyOtherwise } from '../../state/keys.ts';
import { notify } from '../../state/notices.ts';
import { isMadeFrom } from '../../state/report/match-report.ts';
import { isBegun } from '../../state/report/typed-report.ts';
import { announceReport, closeReport } from '../../state/report/opened-report.ts';
import { getPendingKind, isSignatureWaiting, mayChange } from '../../state/report/report-rights.ts';
import { selectedWords } from '../../state/report/selected-words.ts';
import { pageClock } from '../../state/time/page-clock.ts';
import { recogniser, unsent, userName } from '../../state/session.ts';
import { kindInReport } from '../../state/steps.ts';
import { items } from '../../state/worklist/worklist.ts';
import { dictationReason, reasonText } from '../recorder/reason.ts';
import { AddendumField } from './addendum.tsx';
import { BeginReport } from './begin-report.tsx';
import { Meeting } from './conflict.tsx';
import { CorrectionResult } from './correction.tsx';
import { DocumentFoot } from './document-foot.tsx';
import { DocumentPane } from './document-pane.tsx';
import { DocumentTools } from './document-tools.tsx';
import { LiveAside, LiveReport, useLiveWords } from './live-report.tsx';
import { ReportPane } from './report-pane.tsx';
import { Sections } from './sections.tsx';
import { SigningSteps } from './signing-steps.tsx';
import { SoundBar } from './sound-bar.tsx';
import { SpokenSource } from './spoken-source.tsx';
import { useAddendum } from './use-addendum.ts';
import { useBasis } from './use-basis.ts';
import { useTypedReport } from './use-typed-report.ts';
import { useSpelling } from './use-spelling.ts';
import { usePlaybackMarks } from './use-playback-marks.ts';
import { WordNotes } from './word-notes.tsx';

const Clinical = lazily(() => import('../critical/clinical.tsx').then((module) => module.Clinical));

/** The report of an exam, opened for the rest of the page. `isFollowed`: another window edits it. */
export function useReport(itemId: string, isFollowed: boolean): OpenReport {
  const document = useMemo(
    () =>
      openReport(itemId, {
        bridge: bridge(),
        clock: pageClock,
        exam: () => items.value?.get(itemId) ?? null,
        by: () => userName.value ?? '',
        openChecks: openChecksThread,
        player: pagePlayer(),
        isUnsent: (id) => unsent.value.has(id),
        isRecording: () => liveRecorder.peek() !== null || isRecording.peek(),
        isFollowed,
        onChangedElsewhere: ({ version: n }, who) =>
          isFollowed ||
          notify({
            tone: 'info',
            text: who === null ? t('document.changed_elsewhere', { n }) : t('document.changed_by', { who, n }),
          }),
      }),
    [itemId],
  );
  useEffect(() => {
    void document.load();
    const opened = { itemId, document };
    const conceal = announceReport(opened);
    // The page may close before the autosave delay has passed.
    const hurry = (): void => void document.save();
    addEventListener('pagehide', hurry);
    return () => {
      conceal();
      selectedWords.value = null;
      removeEventListener('pagehide', hurry);
      // The last typed words are saved even if the next exam is opened at once.
      closeReport(opened);
    };
  }, [document]);
  return document;
}

export function DocumentView({ itemId }: { itemId: string }) {
  // The report itself handles the key once it is there.
  useLayoutEffect(() => onKeyOtherwise('scores', () => notify({ tone: 'info', text: t('clinical.scores_none') })), []);
  const document = useReport(itemId, false);
  const dictation = dictations.value.find(({ item_id: item }) => item === itemId);
  const words = useLiveWords(dictation);
  const record = document.record.value;
  const isInReport = dictation && document.all.value.some((report) => isMadeFrom(dictation, report));
  const live = dictation && !isInReport && words && isShown(words) && <LiveAside dictation={dictation} words={words} />;
  return (
    <ReportPane
      key={itemId}
      itemId={itemId}
      choices={
        record ? { language: record.language, template_id: null } : (dictation ?? openRecorder(itemId).choices.value)
      }
    >
      {isReady(document) ? (
        <Ready document={document} itemId={itemId}>
          {live}
        </Ready>
      ) : (
        <Waiting itemId={itemId} document={document} words={words} />
      )}
    </ReportPane>
  );
}

/** `children`: shown above the sections. */
function Ready({ document, itemId, children }: { document: ReadyReport; itemId: string; children: ComponentChildren }) {
  const spelling = useSpelling(document, itemId);
  const page = usePlaybackMarks(document);
  const record = document.record.value;
  const listening = document.listening.value;
  const addendum = useAddendum(document, itemId);
  return (
    <DocumentPane state={describeState(record)} tools={<DocumentTools document={document} />}>
      <div class="document-page" ref={page}>
        <Meeting document={document} />
        {document.corrected.value !== null && (
          <CorrectionResult document={document} corrected={document.corrected.value} />
        )}
        {(record.status === 'preliminary' || record.sent_back) && <SigningSteps document={document} />}
        {children}
        <Clinical document={document} />
        <Sections document={document} spelling={spelling} />
        <AddendumField document={document} addendum={addendum} />
        <SpokenSource document={document} />
      </div>
      {mayChange(record) && <WordNotes {...{ document, spelling, page }} />}
      {listening && <SoundBar listening={listening} isDraft={mayChange(record)} />}
      <DocumentFoot document={document} addendum={addendum} />
    </DocumentPane>
  );
}

const describeState = (record: MedicalRecord) => {
  const { status, signing, version: n } = record;
  if (signing) return { text: t(pendingChips[getPendingKind(record)]), tone: 'busy', icon: 'sign' } as const;
  if (isSignatureWaiting(record)) return { text: t('signing.unsent'), tone: 'warn', icon: 'offline' } as const;
  return { text: t(`document.${status}`, { n }), ...looks[status] } as const;
};
const pendingChips = {
  preliminary: 'signing.chip_preliminary',
  final: 'signing.chip',
  addendum: 'signing.chip_addendum',
} as const;
const looks = {
  draft: { tone: 'plain', icon: 'edit' },
  preliminary: { tone: 'warn', icon: 'sign' },
  final: { tone: 'ok', icon: 'sign' },
} as const;

const isShown = ({ sections }: LiveWords): boolean => sections.length > 0;

/** The pane while there is no report: the sections that it will have, to type or dictate into; or a failure. */
function Waiting({ itemId, document, words }: { itemId: string; document: OpenReport; words: LiveWords | undefined }) {
  const begun = useTypedReport(itemId);
  const aimed = useRef<string | null>(null);
  const dictation = dictations.value.find(({ item_id: item }) => item === itemId);
  const { choices } = openRecorder(itemId);
  const basis = useBasis(itemId, dictation ?? choices.value);
  const item = items.value?.get(itemId);
  const holding = item && getHolding(item, userName.value);
  // While the list loads, the person can continue a typed report: the service knows who has the exam.
  const mayWrite = holding === undefined ? isBegun(begun.typed ?? []) : holding === 'free' || holding === 'mine';
  if (document.phase.value === 'loading') return <Skeleton rows={4} label={t('app.loading')} />;
  if (document.phase.value === 'failed') {
    return (
      <Empty
        icon="warn"
        level="h1"
        title={t('document.not_loaded')}
        action={
          <Button icon="retry" onClick={() => void document.load()}>
            {t('app.try_again')}
          </Button>
        }
      >
        {document.error.value && reasonText(document.error.value)}
      </Empty>
    );
  }
  if (document.written.value !== null) return <Written text={document.written.value} />;
  if (basis === undefined || begun.typed === null) return <Skeleton rows={4} label={t('app.loading')} />;
  const heard = dictation && (words ?? unheard(dictation));
  const isUnheard = recogniser.value === 'none' && !(heard && isShown(heard));
  if (dictation && heard && !isUnheard && isOpen(dictation))
    return <LiveReport dictation={dictation} words={heard} basis={basis} begun={begun} aimed={aimed} />;
  // Typed words are shown even if another person has taken the exam since.
  if (!mayWrite && !isBegun(begun.typed)) return <Empty icon="document" level="h1" title={t('document.none')} />;
  return (
    <BeginReport itemId={itemId} document={document} begun={begun} basis={basis} mayWrite={mayWrite} aimed={aimed}>
      {dictation?.state === 'failed' && (
        <Banner
          tone="warn"
          icon="warn"
          action={
            <Button kind={kindInReport(itemId)} icon="retry" onClick={() => void retryJob(dictation.id)}>
              {t('app.try_again')}
            </Button>
          }
        >
          <strong>{t('document.making_failed')}</strong> {t('document.making_failed_hint')}{' '}
          {dictation.error && dictationReason(dictation.error)}
        </Banner>
      )}
      {dictation && words && isShown(words) && <LiveAside dictation={dictation} words={words} />}
    </BeginReport>
  );
}

/** The words of a dictation of which none have arrived: everything spoken is kept. */
const unheard = ({ id, item_id }: Dictation): LiveWords => ({
  id,
  item_id,
  state: 'still',
  sections: [],
  heard: [],
  phrases: [],
  latest: '',
  revision: 0,
});
/** Whether the dictation may become a report without a retry. */
const isOpen = ({ state }: Dictation): boolean => state !== 'failed' && state !== 'done';

/** A text written offline. */
function Written({ text }: { text: string }) {
  return (
    <DocumentPane state={{ text: t('recorder.queued'), tone: 'busy', icon: 'offline' }}>
      <div class="document-page">
        <p class="field-note">{t('document.written_waits')}</p>
        <p class="document-text">{text}</p>
      </div>
    </DocumentPane>
  );
}
