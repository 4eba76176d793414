/** The report: read, edited, corrected by voice, signed. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import { pagePlayer } from '../../audio/player.ts';
import { Empty, Progress, Skeleton } from '../../parts/states.tsx';
import { Button } from '../../parts/button.tsx';
import { t } from '../../i18n/index.ts';
import { bridge } from '../../state/bridge.ts';
import { openChecksThread } from '../../state/report/checks-thread.ts';
import { openDocument } from '../../state/report/document.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import { dictations } from '../../state/recorder/dictations.ts';
import { holdingOf } from '../../state/worklist/exam.ts';
import { retryJob } from '../../state/jobs.ts';
import { notify } from '../../state/notices.ts';
import { announceDocument } from '../../state/report/opened-document.ts';
import { selectedWords } from '../../state/report/selected-words.ts';
import { pageClock } from '../../state/time/page-clock.ts';
import { recogniser, userName } from '../../state/session.ts';
import { kindInReport } from '../../state/steps.ts';
import { items } from '../../state/worklist/worklist.ts';
import { startWriting, writtenItem } from '../../state/report/writing.ts';
import { dictationReason, reasonText } from '../recorder/reason.ts';
import { waitText } from '../recorder/wait.ts';
import { Conflict } from './conflict.tsx';
import { CorrectionResult } from './correction.tsx';
import { DocumentFoot } from './document-foot.tsx';
import { DocumentPane } from './document-pane.tsx';
import { DocumentTools } from './document-tools.tsx';
import { LiveAside, LiveReport, useLiveWords } from './live-report.tsx';
import { ReportPane } from './report-pane.tsx';
import { Sections } from './sections.tsx';
import { SoundBar } from './sound-bar.tsx';
import { SpokenSource } from './spoken-source.tsx';
import { useSaidMarks } from './use-said-marks.ts';
import { useTyped } from './use-typed.ts';
import { WriteReport } from './write-report.tsx';

export function DocumentView({ itemId }: { itemId: string }) {
  const document = useMemo(
    () =>
      openDocument(itemId, {
        bridge: bridge(),
        clock: pageClock,
        exam: () => items.value?.get(itemId) ?? null,
        by: () => userName.value ?? '',
        openChecks: openChecksThread,
        player: pagePlayer(),
        isRecording: () => liveRecorder.peek() !== null,
        onChangedElsewhere: ({ version }) =>
          notify({ tone: 'info', text: t('document.changed_elsewhere', { n: version }) }),
      }),
    [itemId],
  );
  useEffect(() => {
    void document.load();
    const conceal = announceDocument({ itemId, document });
    // A person who closes the page does not wait until the report is saved.
    const hurry = (): void => void document.save();
    addEventListener('pagehide', hurry);
    return () => {
      conceal();
      selectedWords.value = null;
      removeEventListener('pagehide', hurry);
      // The last typed words are saved even if the next exam is opened at once.
      void document.close();
    };
  }, [document]);

  const dictation = dictations.value.find(({ item_id: item }) => item === itemId);
  const words = useLiveWords(dictation);
  // The report may come before the news that its dictation is done: the words stand in the report then, and nowhere else.
  const becomesReport = useRef<string>(null);
  if (document.phase.value === 'none') becomesReport.current = dictation && isSent(dictation) ? dictation.id : null;
  const isReady = document.phase.value === 'ready';
  const live = dictation && dictation.id !== becomesReport.current && words && isShown(words) && (
    <LiveAside dictation={dictation} words={words} />
  );
  return (
    <ReportPane key={itemId} itemId={itemId} isReady={isReady}>
      {isReady ? (
        <Ready document={document}>{live}</Ready>
      ) : (
        <Waiting itemId={itemId} document={document} words={words} />
      )}
    </ReportPane>
  );
}

/** `children`: what stands above the sections. */
function Ready({ document, children }: { document: OpenDocument; children: ComponentChildren }) {
  const page = useSaidMarks(document);
  const record = document.record.value!;
  const listening = document.listening.value;
  return (
    <DocumentPane state={stateOf(record)} tools={<DocumentTools document={document} />}>
      <div class="document-page" ref={page}>
        {document.theirs.value !== null && <Conflict document={document} theirs={document.theirs.value} />}
        {document.corrected.value !== null && (
          <CorrectionResult document={document} corrected={document.corrected.value} />
        )}
        {children}
        <Sections document={document} />
        <SpokenSource document={document} />
      </div>
      {listening && <SoundBar listening={listening} isDraft={record.status === 'draft'} />}
      <DocumentFoot document={document} />
    </DocumentPane>
  );
}

const stateOf = ({ status, version: n }: MedicalRecord) =>
  status === 'draft'
    ? ({ text: t('document.draft', { n }), tone: 'plain', icon: 'edit' } as const)
    : ({ text: t('document.final', { n }), tone: 'ok', icon: 'sign' } as const);

const isSent = ({ state }: Dictation): boolean => state === 'sending' || state === 'processing';
const isShown = ({ sections }: LiveWords): boolean => sections.length > 0;

/** The pane while there is no report: its progress, a failure, or how to begin. */
function Waiting({
  itemId,
  document,
  words,
}: {
  itemId: string;
  document: OpenDocument;
  words: LiveWords | undefined;
}) {
  const typed = useTyped('text', itemId);
  const item = items.value?.get(itemId);
  const holding = item && holdingOf(item, userName.value);
  const mayWrite = holding === 'free' || holding === 'mine';
  const dictation = dictations.value.find(({ item_id: item }) => item === itemId);
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
  // The written text is shown even if somebody else has taken the exam meanwhile.
  if (typed.text !== '' || (mayWrite && writtenItem.value === itemId))
    return (
      <WriteReport itemId={itemId} document={document} typed={typed} mayWrite={mayWrite}>
        {dictation && words && isShown(words) && <LiveAside dictation={dictation} words={words} />}
      </WriteReport>
    );
  const write = mayWrite && (
    <Button icon="edit" onClick={() => startWriting(itemId)}>
      {t('recorder.write')}
    </Button>
  );
  if (dictation?.state === 'failed') {
    return (
      <Empty
        icon="warn"
        level="h1"
        title={t('document.making_failed')}
        action={
          <>
            <Button kind={kindInReport(itemId)} icon="retry" onClick={() => void retryJob(dictation.id)}>
              {t('app.try_again')}
            </Button>
            {write}
          </>
        }
      >
        {t('document.making_failed_hint')} {dictation.error && dictationReason(dictation.error)}
      </Empty>
    );
  }
  if (dictation && words && isShown(words)) return <LiveReport dictation={dictation} words={words} write={write} />;
  if (dictation && ['queued', 'sending', 'processing'].includes(dictation.state)) {
    const wait = waitText(dictation);
    const isMoving = dictation.state === 'processing' && dictation.progress > 0;
    return (
      <Empty
        icon="document"
        level="h1"
        title={t(wait === undefined ? 'document.making' : 'document.none')}
        action={
          wait === undefined && <Progress value={isMoving ? dictation.progress : null} label={t('document.making')} />
        }
      >
        {wait ?? t(dictation.state === 'queued' ? 'document.queued' : 'document.making_hint')}
      </Empty>
    );
  }
  if (words?.state === 'hearing')
    return (
      <Empty icon="microphone" level="h1" title={t('document.live_now')} action={write}>
        {t('document.live_waiting')}
      </Empty>
    );
  if (words?.state === 'missing' && recogniser.value !== 'none')
    return (
      <Empty icon="document" level="h1" title={t('document.none')} action={write}>
        {t('document.live_missing')}
      </Empty>
    );
  return (
    <Empty icon="document" level="h1" title={t('document.none')} action={write}>
      {mayWrite && t(recogniser.value === 'none' ? 'document.none_write' : 'document.none_hint')}
    </Empty>
  );
}

/** A text that was written offline. */
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
