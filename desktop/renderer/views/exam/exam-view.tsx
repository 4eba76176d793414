/** The open exam: its header, its dictation and its history. */
import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Banner, Empty, Skeleton } from '../../parts/states.tsx';
import { bridge } from '../../state/bridge.ts';
import { backSeconds } from '../../state/recorder/dictation-devices.ts';
import { createExam, describeReported, getHolding, isReported, mayReport } from '../../state/worklist/exam.ts';
import type { Exam } from '../../state/worklist/exam.ts';
import { onKey } from '../../state/keys.ts';
import { liveRecorder, makeReport, openRecorder, toggleRecording } from '../../state/recorder/recorders.ts';
import { go } from '../../state/route.ts';
import { recogniser, userName } from '../../state/session.ts';
import { models, followModels } from '../../state/models.ts';
import { settings } from '../../state/settings.ts';
import { getStepKind, chooseStep } from '../../state/steps.ts';
import { openSettings } from '../../state/settings-section.ts';
import { isReportVisible } from '../../state/visible-pane.ts';
import { isWhole, items, openNextExam } from '../../state/worklist/worklist.ts';
import { hasReport, hasSignedReport, hasWaitingSignature, isSigningReport } from '../../state/report/open-report.ts';
import { startAddendum, startWriting } from '../../state/report/writing.ts';
import { RecorderCard } from '../recorder/recorder-card.tsx';
import { RecorderFoot } from '../recorder/recorder-foot.tsx';
import { isOwnComputer, whomToAsk, where } from '../recorder/where.ts';
import { formatFacts, Work } from '../settings/speech-models.tsx';
import { ExamHead } from './exam-head.tsx';
import { ExamPast } from './exam-past.tsx';

export function ExamView({ itemId }: { itemId: string }) {
  const item = items.value?.get(itemId);
  const exam = useMemo(() => createExam(itemId, bridge()), [itemId]);
  // The settings hold the language of reports.
  if ((!item && !isWhole.value) || settings.value === undefined) return <Skeleton rows={3} label={t('app.loading')} />;
  if (!item) {
    return (
      <Empty
        icon="exam"
        title={t('exam.gone')}
        action={<Button onClick={() => go({ itemId: null, pane: 'list' })}>{t('exam.to_list')}</Button>}
      >
        {t('exam.gone_hint')}
      </Empty>
    );
  }
  return (
    <article class="exam" key={itemId}>
      <ExamHead item={item} exam={exam} />
      <Dictate item={item} exam={exam} />
      <ExamPast item={item} exam={exam} />
    </article>
  );
}

function Dictate({ item, exam }: { item: WorklistItem; exam: Exam }) {
  const recorder = openRecorder(item.id);
  const holding = getHolding(item, userName.value);
  // A layout effect: the recorder's key must work as soon as the recorder is visible.
  useLayoutEffect(() => {
    const undone = (): void => {
      if (recorder.state.peek().discarded) void recorder.restore();
      else if (recorder.state.peek().dictation?.can_undo && mayReport(item.id)) void recorder.undo();
    };
    const redone = (): void => {
      if (recorder.state.peek().dictation?.taken_back !== undefined && mayReport(item.id)) void recorder.redo();
    };
    const endings = [
      onKey('record', () => void toggleRecording(item.id)),
      onKey('generate', () => void makeReport(item.id)),
      onKey('rewind', () => void recorder.back(backSeconds)),
      onKey('play', () => (recorder.state.peek().isPlaying ? recorder.stopPlaying() : void recorder.play())),
      onKey('undo', undone),
      onKey('next_exam', () => openNextExam(item.id)),
      onKey('redo', redone),
    ];
    return () => {
      recorder.stopPlaying();
      for (const end of endings) end();
    };
  }, [recorder, item.id]);
  const reported = isReported(item.id, holding);
  const isClosed = reported || holding === 'others' || holding === 'cancelled';
  const isLiveElsewhere = useComputed(() => ![null, recorder].includes(liveRecorder.value)).value;
  // There is no dictation, or its report exists.
  const isEmpty = useComputed(() => [undefined, 'done'].includes(recorder.state.value.dictation?.state)).value;
  return (
    <div class="dictate">
      {reported ? <Reported item={item} exam={exam} /> : <Closed item={item} exam={exam} />}
      {!isClosed && recogniser.value === 'none' && <NoRecogniser item={item} />}
      {!(isClosed && isEmpty) && (
        <>
          <RecorderCard recorder={recorder} isClosed={isClosed || isLiveElsewhere} />
          <RecorderFoot recorder={recorder} isClosed={isClosed} />
        </>
      )}
    </div>
  );
}

/** Warns before dictation that no recogniser is available. If there is no report yet, it can be typed. */
function NoRecogniser({ item }: { item: WorklistItem }) {
  const mayWrite = !hasReport(item.id);
  return (
    <Banner
      tone="warn"
      icon="info"
      action={
        <div class="banner-actions">
          {mayWrite && (
            <Button kind={getStepKind('write', item.id)} icon="edit" onClick={() => startWriting(item.id)}>
              {t('recorder.write')}
            </Button>
          )}
          {isOwnComputer() && (
            <Button icon="download" onClick={() => openSettings('speech')}>
              {t('recorder.unheard_offer')}
            </Button>
          )}
        </div>
      }
    >
      <strong>{t('recorder.unheard')}</strong>
      {t('recorder.unheard_hint', { where: where() })} {mayWrite && t('recorder.unheard_instead')}
      {isOwnComputer() ? (
        <OfferedSpeech />
      ) : (
        <details>
          <summary>{t('recorder.unheard_way')}</summary>
          {whomToAsk()}
        </details>
      )}
    </Banner>
  );
}

/** The best model for this computer, or the one being installed, with its progress. */
function OfferedSpeech() {
  useEffect(followModels, []);
  const { items = [] } = models.value ?? {};
  const model = items.find(({ work }) => work !== null) ?? items[0];
  if (!model) return null;
  return (
    <span class="offered-model">
      {t('recorder.unheard_model', { model: model.id })}
      <span class="field-note">{formatFacts(model)}</span>
      {model.work && <Work work={model.work} />}
    </span>
  );
}

/** A signed report can receive an addendum; a completed exam without a report here can be reopened. */
function Reported({ item, exam }: { item: WorklistItem; exam: Exam }) {
  const isWaiting = hasWaitingSignature(item.id);
  const isSigned = hasSignedReport(item.id) || isWaiting;
  const { text, hint } = describeReported(item.id);
  return (
    <Banner
      tone={isWaiting ? 'warn' : 'info'}
      icon={isWaiting ? 'offline' : isSigned ? 'sign' : 'check'}
      action={
        isSigned ? (
          <div class="banner-actions">
            {chooseStep(item.id) === 'read' && (
              <Button kind="primary" icon="document" onClick={() => go({ pane: 'document' })}>
                {t('recorder.done_open')}
              </Button>
            )}
            {!isSigningReport(item.id) && !isReportVisible.value && (
              <Button icon="plus" onClick={() => startAddendum(item.id)}>
                {t('document.addendum_add')}
              </Button>
            )}
          </div>
        ) : (
          <Button kind={getStepKind('reopen', item.id)} onClick={() => void exam.reopen()}>
            {t('exam.reopen')}
          </Button>
        )
      }
    >
      <strong>{text}</strong>
      {hint}
    </Banner>
  );
}

/** Why nothing can be recorded now, and what to do. */
function Closed({ item, exam }: { item: WorklistItem; exam: Exam }) {
  const holding = getHolding(item, userName.value);
  if (holding === 'others') {
    const who = item.assigned_to ?? t('exam.held_someone');
    return (
      <Banner
        tone="info"
        icon="person"
        action={
          <Button kind={getStepKind('take_over', item.id)} onClick={() => void exam.take(true)}>
            {t('exam.take_over')}
          </Button>
        }
      >
        <strong>{t('exam.held', { who })}</strong>
        {t('exam.held_hint', { who })}
      </Banner>
    );
  }
  if (holding !== 'cancelled') return null;
  const { reason } = item;
  return (
    <Banner
      tone="warn"
      icon="warn"
      action={
        <Button kind={getStepKind('reinstate', item.id)} onClick={() => void exam.reinstate()}>
          {t('exam.reinstate')}
        </Button>
      }
    >
      <strong>{reason === null ? t('exam.is_cancelled') : t('exam.is_cancelled_because', { reason })}</strong>
      {t('exam.is_cancelled_hint')}
    </Banner>
  );
}
