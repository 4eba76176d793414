/**
 * Banners about a recorder that is not on the screen: its live microphone, or an interrupted dictation. The component
 * is mounted as long as a person is logged in, so it also follows devices and keys.
 */
import { useComputed } from '@preact/signals';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Banner } from '../../parts/states.tsx';
import { recoveredDictations } from '../../state/recorder/dictations.ts';
import { followDevices } from '../../state/recorder/dictation-devices.ts';
import { onKeyOtherwise } from '../../state/keys.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import { openItem } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import { waitingSound } from '../../state/recorder/waiting-sound.ts';
import type { WaitingSound } from '../../state/recorder/waiting-sound.ts';
import { items } from '../../state/worklist/worklist.ts';

export function RecordingBanners({ itemId }: { itemId: string | null }) {
  // Once it pauses, the microphone is off.
  const live = useComputed(() => {
    const recorder = liveRecorder.value;
    return recorder?.state.value.phase === 'pausing' ? null : recorder;
  }).value;
  useEffect(followDevices, []);
  // The open exam handles this itself.
  useLayoutEffect(() => onKeyOtherwise('record', () => void liveRecorder.peek()?.pause()), []);
  const here = session.value?.desk;
  const isElsewhere = ({ take, desk, item_id }: WaitingSound): boolean =>
    desk === here && item_id !== itemId && take !== live?.state.value.take?.id;
  const waiting = waitingSound.value.filter(isElsewhere);
  const [waits] = waiting;
  const others = recoveredDictations.value.filter(
    ({ id, item_id }) => item_id !== itemId && !waiting.some(({ dictation }) => dictation === id),
  );
  const [first] = others;
  const exam = live && items.value?.get(live.itemId);
  return (
    <>
      {live && (
        <div class={live.itemId === itemId ? 'live-banner live-banner-own' : 'live-banner'} role="alert">
          <span class="live-dot" aria-hidden="true" />
          <p>
            {exam
              ? t('recorder.elsewhere_named', { exam: `${exam.exam_description}, ${exam.display_name}` })
              : t('recorder.elsewhere')}
          </p>
          <Button onClick={() => openItem(live.itemId)}>{t('app.go_there')}</Button>
          <Button icon="pause" onClick={() => void live.pause()}>
            {t('recorder.elsewhere_pause')}
          </Button>
        </div>
      )}
      {waits && (
        <Banner
          tone="warn"
          icon="warn"
          action={<Button onClick={() => openItem(waits.item_id)}>{t('recorder.recovered_open')}</Button>}
        >
          {t('recorder.rest_banner', { n: new Set(waiting.map(({ dictation }) => dictation)).size })}
        </Banner>
      )}
      {first && (
        <Banner
          tone="warn"
          icon="retry"
          action={<Button onClick={() => openItem(first.item_id)}>{t('recorder.recovered_open')}</Button>}
        >
          {t('recorder.recovered_banner', { n: others.length })}
        </Banner>
      )}
    </>
  );
}
