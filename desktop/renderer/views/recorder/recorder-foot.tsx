/** Generates the report of the dictation, or discards the dictation. */
import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { keys } from '../../state/keys.ts';
import type { Recorder } from '../../state/recorder/recorder.ts';
import { chooseFace, isSealed } from '../../state/recorder/recorder-face.ts';
import { lengthOf } from '../../state/recorder/recorder-state.ts';
import { makeReport } from '../../state/recorder/recorders.ts';
import { hasReport } from '../../state/report/open-report.ts';
import { recogniser } from '../../state/session.ts';
import { getStepKind } from '../../state/steps.ts';
import { keyName } from '../app/key-name.ts';
import { ReportFields } from './report-fields.tsx';

/** `isClosed`: no report can be generated; the dictation can be discarded. */
export function RecorderFoot({ recorder, isClosed }: { recorder: Recorder; isClosed: boolean }) {
  const face = useComputed(() => chooseFace(recorder.state.value)).value;
  const hasSound = useComputed(() => lengthOf(recorder.state.value) > 0).value;
  if (isSealed(face) || face === 'discarded') return null;
  // The report was written, and nothing is dictated yet.
  if (face === 'idle' && hasReport(recorder.itemId)) return null;
  const isBusy = ['asking', 'starting', 'pausing', 'unsaved'].includes(face);
  const isUnheard = recogniser.value === 'none';
  const discard = (
    <Button large disabled={isBusy} onClick={() => void recorder.discard()}>
      {t('recorder.discard')}
    </Button>
  );
  if (isClosed) return hasSound ? <div class="recorder-foot recorder-send">{discard}</div> : null;
  // Without a recogniser the report can be typed, which the banner above offers, or the dictation waits.
  if (isUnheard) return hasSound ? <UnheardFoot recorder={recorder} isBusy={isBusy} discard={discard} /> : null;
  return (
    <div class="recorder-foot">
      <ReportFields choices={recorder.choices} choose={recorder.choose} />
      {hasSound && (
        <div class="recorder-send">
          <Button
            kind={getStepKind(face === 'failed' ? 'retry' : 'make', recorder.itemId)}
            large
            wide
            keyHint={keyName(keys.value.generate)}
            disabled={isBusy}
            onClick={() => void makeReport(recorder.itemId)}
          >
            {t(face === 'failed' ? 'recorder.retry' : 'recorder.send')}
          </Button>
          {discard}
        </div>
      )}
      {recogniser.value === 'simulated' && <p class="recorder-note">{t('recorder.simulated_hint')}</p>}
    </div>
  );
}

function UnheardFoot({ recorder, isBusy, discard }: { recorder: Recorder; isBusy: boolean; discard: VNode }) {
  return (
    <div class="recorder-foot">
      <ReportFields choices={recorder.choices} choose={recorder.choose} />
      <div class="recorder-send">
        <Button large wide icon="clock" disabled={isBusy} onClick={() => void recorder.send()}>
          {t('recorder.unheard_send')}
        </Button>
        {discard}
      </div>
      <p class="recorder-note">{t('recorder.unheard_send_hint')}</p>
    </div>
  );
}
