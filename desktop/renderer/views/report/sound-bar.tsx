/** The audio of a dictated report: its player, and why nothing plays. */
import { useComputed } from '@preact/signals';
import { t } from '../../i18n/index.ts';
import { duration } from '../../i18n/format.ts';
import { IconButton } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { keys } from '../../state/keys.ts';
import { speeds } from '../../state/report/listening.ts';
import type { Listening } from '../../state/report/listening.ts';
import { keyName } from '../app/key-name.ts';

const tenth = (seconds: number): number => Math.round(seconds * 10) / 10;

/** `isDraft`: a plain click on a word places the caret instead of playing. */
export function SoundBar({ listening, isDraft }: { listening: Listening; isDraft: boolean }) {
  const { isPlaying, length } = listening;
  // Updated only as often as the movement is visible.
  const at = useComputed(() => tenth(listening.at.value)).value;
  const end = tenth(length ?? at);
  const place =
    length === null ? duration(at) : t('document.listen_of', { at: duration(at), length: duration(length) });
  return (
    <div class="sound" role="group" aria-label={t('document.listen_group')}>
      <IconButton
        framed
        icon={isPlaying.value ? 'pause' : 'play'}
        label={t(isPlaying.value ? 'document.listen_pause' : 'document.listen')}
        keyHint={keyName(keys.value.listen)}
        onClick={listening.toggle}
      />
      <IconButton icon="rewind" label={t('document.listen_back')} disabled={at === 0} onClick={listening.back} />
      <input
        type="range"
        class="sound-place"
        style={{ '--heard': `${(at / Math.max(end, 0.1)) * 100}%` }}
        min={0}
        max={end}
        step={0.1}
        value={at}
        disabled={length === null}
        aria-label={t('document.listen_at')}
        aria-valuetext={place}
        onInput={({ currentTarget }) => listening.moveTo(currentTarget.valueAsNumber)}
      />
      <span class="sound-time" aria-hidden="true">
        {duration(at)}
        {length !== null && ` / ${duration(length)}`}
      </span>
      <Select
        label={t('document.listen_speed')}
        labelHidden
        value={String(listening.speed.value)}
        choices={speeds.map((speed) => ({ value: String(speed), label: `${speed.toLocaleString()}×` }))}
        onValue={(chosen) => listening.setSpeed(Number(chosen))}
      />
      <p class="sound-note" role="status">
        {getNote(listening, isDraft)}
      </p>
    </div>
  );
}

function getNote({ silence, isTimed }: Listening, isDraft: boolean): string {
  if (silence.value !== null) return t(`document.silent_${silence.value}`);
  if (!isTimed.value) return t('document.listen_untimed');
  return isDraft ? t('document.listen_field', { key: keyName('Alt') }) : t('document.listen_word');
}
