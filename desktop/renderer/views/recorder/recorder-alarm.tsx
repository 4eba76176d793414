/**
 * A fault of the microphone or the disk, and what to do. It covers the time and the waveform, so that no button moves
 * under the hand of a person who speaks.
 */
import { useComputed } from '@preact/signals';
import { t } from '../../i18n/index.ts';
import { IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { Recorder } from '../../state/recorder/recorder.ts';
import { alarmOf, isLive, unkept } from '../../state/recorder/recorder-state.ts';
import type { RecorderState } from '../../state/recorder/recorder-state.ts';
import { reasonText } from './reason.ts';

export function RecorderAlarm({ recorder }: { recorder: Recorder }) {
  const alarm = useComputed(() => {
    const state = recorder.state.value;
    const alarm = alarmOf(state);
    return alarm === 'unsaved' && state.trouble?.code === 'STORAGE_UNAVAILABLE' ? 'full' : alarm;
  }).value;
  const stopped = useComputed(() => stoppedText(recorder.state.value)).value;
  const problem = useComputed(() => recorder.state.value.problem).value;
  const refused = useComputed(() => recorder.state.value.refused).value;
  // While the microphone is live, a fault stays visible until it ends.
  const close = useComputed(() => (isLive(recorder.state.value) ? undefined : recorder.seen)).value;
  if (alarm === 'stopped') return <AlarmText title={t('recorder.alarm_stopped')} hint={stopped} close={close} />;
  if (alarm) {
    const hint = t(`recorder.alarm_${alarm}_hint`);
    return <AlarmText title={t(`recorder.alarm_${alarm}`)} hint={hint} quiet={alarm === 'quiet'} close={close} />;
  }
  if (problem) {
    const hint = t(`recorder.problem_${problem}_hint`);
    return <AlarmText title={t(`recorder.problem_${problem}`)} hint={hint} close={close} />;
  }
  if (refused) return <AlarmText title={t('recorder.refused')} hint={reasonText(refused)} close={close} />;
  return null;
}

function stoppedText(state: RecorderState): string {
  if (unkept(state) > 0) return t('recorder.alarm_stopped_page');
  const error = state.rest?.trouble ?? state.trouble;
  return state.stopped === 'refused' && error
    ? t('recorder.alarm_stopped_refused', { reason: reasonText(error) })
    : t(state.stopped === 'unkept' ? 'recorder.alarm_stopped_unkept' : 'recorder.alarm_stopped_full');
}

function AlarmText({
  title,
  hint,
  quiet = false,
  close,
}: {
  title: string;
  hint: string;
  quiet?: boolean;
  close: (() => void) | undefined;
}) {
  return (
    <div class={quiet ? 'recorder-told recorder-told-quiet' : 'recorder-told'} role={quiet ? 'status' : 'alert'}>
      <Icon name={quiet ? 'info' : 'warn'} size={20} />
      <p>
        <strong>{title}</strong>
        <span>{hint}</span>
      </p>
      {close && <IconButton icon="close" label={t('app.close')} onClick={close} />}
    </div>
  );
}
