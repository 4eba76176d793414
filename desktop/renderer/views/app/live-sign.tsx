/**
 * Shows at every size and zoom that the microphone is live: a chip in the top bar, which is always visible, and the
 * title and favicon.
 */
import { effect } from '@preact/signals';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import { liveMicrophone } from '../../state/recorder/live-microphone.ts';
import type { LiveMicrophone } from '../../state/recorder/live-microphone.ts';
import { openItem } from '../../state/route.ts';
import { session } from '../../state/session.ts';
import recordingIcon from '../../style/mark-recording.svg';

const words = { microphone: 'app.live_microphone', disk: 'app.live_disk', none: 'app.live' } as const;
const liveText = ({ fault }: LiveMicrophone): string => t(words[fault ?? 'none']);

/** Links to the exam for which the microphone is live, if it is a dictation. */
export function LiveSign() {
  const live = liveMicrophone.value;
  if (live === null) return null;
  const { itemId, fault } = live;
  const chip = (
    <Chip tone={fault === null ? 'live' : 'warn'} {...(fault === null ? { dot: true } : { icon: 'warn' as const })}>
      {liveText(live)}
    </Chip>
  );
  if (itemId === null) return <span class="top-live">{chip}</span>;
  return (
    <button
      type="button"
      class="top-live"
      aria-label={`${liveText(live)}: ${t('app.go_there')}`}
      onClick={() => {
        openItem(itemId);
        document.querySelector('.recorder')?.scrollIntoView({ block: 'center' });
      }}
    >
      {chip}
    </button>
  );
}

/** The title of a locked page reveals nothing. */
function titleNow(): string {
  if (session.value?.phase === 'locked') return `Laudio · ${t('app.lock')}`;
  const live = liveMicrophone.value;
  return live === null ? 'Laudio' : `${live.fault === null ? '●' : '⚠'} ${liveText(live)} · Laudio`;
}

/** Keeps the title and the favicon current. */
export function followTab(): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const calm = icon?.href;
  effect(() => void (document.title = titleNow()));
  effect(() => {
    const address = liveMicrophone.value === null ? calm : recordingIcon;
    if (icon && address !== undefined) icon.href = address;
  });
}
