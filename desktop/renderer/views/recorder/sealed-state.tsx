/** The progress of a sent dictation, or a discarded one with a button to restore it. */
import { useComputed } from '@preact/signals';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Progress } from '../../parts/states.tsx';
import type { Recorder } from '../../state/recorder/recorder.ts';
import type { Face } from '../../state/recorder/recorder-face.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import { go } from '../../state/route.ts';
import { isOnline } from '../../state/session.ts';
import { getStepKind, chooseStep } from '../../state/steps.ts';
import { waitText } from './wait.ts';
import { where } from './where.ts';

export function SealedState({ recorder, face }: { recorder: Recorder; face: Face }) {
  const progress = useComputed(() => recorder.state.value.dictation?.progress ?? 0).value;
  const wait = useComputed(() => waitText(recorder.state.value.dictation ?? {})).value;
  const isUnheard = useComputed(() => isNothingHeard(recorder.itemId)).value;
  const isOnTheWay = ['queued', 'sending', 'processing', 'waiting'].includes(face);
  return (
    <div class="sealed">
      {isOnTheWay && face !== 'waiting' && (
        <Progress value={face === 'queued' ? 0 : progress > 0 ? progress : null} label={t('recorder.progress')} />
      )}
      <p>{wait ?? (face === 'done' && isUnheard ? t('recorder.done_unheard') : getHint(face))}</p>
      {recorder.cannotEncode.value && isOnTheWay && <p class="sealed-note">{t('recorder.wav_instead')}</p>}
      <div class="sealed-actions">
        {isOnTheWay && <Button onClick={() => void recorder.cancel()}>{t('recorder.cancel_sending')}</Button>}
        {face === 'done' && (
          <>
            {chooseStep(recorder.itemId) === 'read' && (
              <Button kind="primary" icon="document" onClick={() => go({ pane: 'document' })}>
                {t('recorder.done_open')}
              </Button>
            )}
            <Button icon="microphone" onClick={() => void recorder.record()}>
              {t('recorder.again')}
            </Button>
          </>
        )}
        {face === 'discarded' && (
          <>
            <Button kind={getStepKind('restore', recorder.itemId)} icon="undo" onClick={() => void recorder.restore()}>
              {t('recorder.restore')}
            </Button>
            <Button icon="microphone" onClick={() => void recorder.record()}>
              {t('recorder.again')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** Whether the report of the exam has a finding that no speech was recognised. */
function isNothingHeard(itemId: string): boolean {
  const opened = openedReport.value;
  return opened?.itemId === itemId && opened.document.findings.value.some(({ kind }) => kind === 'nothing_heard');
}

function getHint(face: Face): string {
  switch (face) {
    case 'queued':
      return isOnline.value ? t('recorder.queued_online_hint') : t('recorder.queued_hint', { where: where() });
    case 'sending':
      return t('recorder.sending_hint');
    case 'processing':
      return t('recorder.processing_hint');
    case 'done':
      return t('recorder.done_hint');
    default:
      return t('recorder.discarded_hint');
  }
}
