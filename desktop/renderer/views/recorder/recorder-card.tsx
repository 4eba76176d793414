/** The recorder: its state, readable from two metres; time, waveform and level; its buttons. */
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { bytesPerSecond } from '../../../bridge/sound.ts';
import { insertModes } from '../../../bridge/dictation.ts';
import { duration } from '../../i18n/format.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { IconButton } from '../../parts/button.tsx';
import { Segmented } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import { backSeconds } from '../../state/recorder/dictation-devices.ts';
import { keys } from '../../state/keys.ts';
import type { Recorder } from '../../state/recorder/recorder.ts';
import { canEdit, chooseFace, isSealed, toneOf } from '../../state/recorder/recorder-face.ts';
import type { Face } from '../../state/recorder/recorder-face.ts';
import {
  alarmOf,
  gapsOf,
  isLive,
  lengthOf,
  unkept,
  unsaved,
  wholeLength,
  isRecordedElsewhere,
} from '../../state/recorder/recorder-state.ts';
import type { RecorderState } from '../../state/recorder/recorder-state.ts';
import { soundGoesTo } from '../../state/session.ts';
import { settings } from '../../state/settings.ts';
import { chooseStep } from '../../state/steps.ts';
import { keyName } from '../app/key-name.ts';
import { hasReport } from '../../state/report/open-report.ts';
import { dictationReason, reasonText } from './reason.ts';
import { LevelMeter } from './level-meter.tsx';
import { MicrophoneMenu } from './microphone-menu.tsx';
import { RecorderAlarm } from './recorder-alarm.tsx';
import { SealedState } from './sealed-state.tsx';
import { WaveformView } from './waveform-view.tsx';
import { where } from './where.ts';

/**
 * `isClosed`: another person has the exam, or it is cancelled; nothing can be recorded, but an existing dictation can
 * be played.
 */
export function RecorderCard({ recorder, isClosed }: { recorder: Recorder; isClosed: boolean }) {
  const face = useComputed(() => chooseFace(recorder.state.value)).value;
  const alarm = useComputed(() => alarmOf(recorder.state.value)).value;
  const hasAlarm = alarm !== null && alarm !== 'quiet';
  const device = useComputed(() => recorder.state.value.device).value;
  const isDiscarded = face === 'discarded';
  // The report is there, and plays the audio if it has some; a refusal still covers the place of the wave.
  const isSmall = useComputed(() => {
    const shown = chooseFace(recorder.state.value);
    const isReady = shown === 'done' || (shown === 'idle' && hasReport(recorder.itemId));
    return isReady && recorder.state.value.refused === null;
  }).value;
  return (
    <section
      class={`recorder recorder-${toneOf(face)}${hasAlarm ? ' recorder-alarmed' : ''}`}
      aria-label={t('recorder.title')}
    >
      <header class="recorder-head">
        <FaceWords face={face} />
        {!isSealed(face) && !isDiscarded && <MicrophoneMenu recorder={recorder} device={device} />}
      </header>
      {!isSmall && (
        <div class="recorder-scope">
          <Time recorder={recorder} isShown={!isDiscarded} />
          {!isDiscarded && <WaveformView recorder={recorder} />}
          {!isSealed(face) && !isDiscarded && <LevelMeter recorder={recorder} />}
          <RecorderAlarm recorder={recorder} />
        </div>
      )}
      {isSealed(face) || isDiscarded ? (
        <SealedState recorder={recorder} face={face} />
      ) : (
        <>
          <Controls recorder={recorder} face={face} isClosed={isClosed} isSmall={isSmall} />
          {!isClosed && <SavedAmount recorder={recorder} face={face} />}
          <Gaps recorder={recorder} />
          {!isClosed && soundGoesTo.value !== null && (
            <p class="recorder-note">{t('recorder.sound_goes_to', { host: soundGoesTo.value })}</p>
          )}
        </>
      )}
    </section>
  );
}

/** A shape for each tone: one in twelve men can't rely on colour. */
const faceIcons: Readonly<Partial<Record<Face, IconName>>> = {
  idle: 'microphone',
  paused: 'pause',
  playing: 'play',
  recovered: 'retry',
  asking: 'info',
  failed: 'warn',
  unsaved: 'warn',
  not_heard: 'warn',
  queued: 'clock',
  sending: 'upload',
  processing: 'document',
  waiting: 'clock',
  done: 'check',
  discarded: 'trash',
};

function FaceWords({ face }: { face: Face }) {
  const icon = faceIcons[face];
  return (
    <div class="recorder-face" role="status">
      {toneOf(face) === 'live' || icon === undefined ? (
        <span class={toneOf(face) === 'live' ? 'live-dot' : 'spinner'} aria-hidden="true" />
      ) : (
        <Icon name={icon} size={20} />
      )}
      <h2>{t(`recorder.${face}`)}</h2>
    </div>
  );
}

function Time({ recorder, isShown }: { recorder: Recorder; isShown: boolean }) {
  const length = useComputed(() => duration(wholeLength(recorder.state.value))).value;
  const at = useComputed(() => (canEdit(recorder.state.value) ? duration(recorder.state.value.cursor) : null)).value;
  const size = useComputed(() => {
    const { state } = recorder;
    // A dictation being processed shows no size.
    if (isSealed(chooseFace(state.value))) return null;
    const rate = state.value.dictation?.sample_rate ?? 16_000;
    return sizeText(
      Math.floor(wholeLength(state.value)) * bytesPerSecond[settings.value?.upload_format ?? 'wav'](rate),
    );
  }).value;
  if (!isShown) return null;
  return (
    <p class="recorder-time">
      <span class="timer" role="timer" aria-live="off">
        {length}
      </span>
      <span class="timer-unit">{t('recorder.of_sound')}</span>
      {at !== null && at !== length && <span class="timer-place">{t('recorder.position_of', { at, length })}</span>}
      <span class="spacer" />
      {size !== null && <span class="timer-size">{t('recorder.size', { size })}</span>}
    </p>
  );
}

/** In MB with one decimal; `null` without audio. */
function sizeText(bytes: number): string | null {
  if (bytes === 0) return null;
  const options = { style: 'unit', unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return bytes < 1_000_000
    ? new Intl.NumberFormat(shownLanguage(), { ...options, unit: 'kilobyte', maximumFractionDigits: 0 }).format(
        bytes / 1000,
      )
    : new Intl.NumberFormat(shownLanguage(), { ...options, unit: 'megabyte' }).format(bytes / 1_000_000);
}

/** `isSmall`: nothing has been dictated, and the report is there. */
function Controls({
  recorder,
  face,
  isClosed,
  isSmall,
}: {
  recorder: Recorder;
  face: Face;
  isClosed: boolean;
  isSmall: boolean;
}) {
  const mode = useComputed(() => recorder.state.value.mode).value;
  const hasSound = useComputed(() => lengthOf(recorder.state.value) > 0).value;
  const canUndo = useComputed(
    () => canEdit(recorder.state.value) && recorder.state.value.dictation?.can_undo === true,
  ).value;
  const canRedo = useComputed(
    () => canEdit(recorder.state.value) && recorder.state.value.dictation?.taken_back !== undefined,
  ).value;
  const live = useComputed(() => isLive(recorder.state.value)).value;
  const isRecording = face === 'recording';
  // A recording can be ended before its first audio is stored.
  const mayPause = isRecording || face === 'starting';
  const isNext = chooseStep(recorder.itemId) === 'record';
  const label = mayPause ? t('recorder.pause') : hasSound ? t('recorder.go_on') : t('recorder.record');
  return (
    <div class="recorder-controls">
      <button
        type="button"
        class={`record-button${isRecording ? ' record-button-live' : isNext ? ' record-button-next' : ''}`}
        aria-label={label}
        title={`${label} (${keyName(keys.value.record)})`}
        aria-busy={live && !isRecording}
        disabled={(live && !mayPause) || (isClosed && !mayPause)}
        onClick={() => void recorder.toggle()}
      >
        <RecordSign isRecording={mayPause} />
      </button>
      {!isSmall && (
        <>
          <div class="recorder-keys">
            <Key
              icon="rewind"
              label={t('recorder.back')}
              action="rewind"
              off={!hasSound}
              run={() => recorder.back(backSeconds)}
            />
            {face === 'playing' ? (
              <Key
                icon="stop"
                label={t('recorder.stop')}
                action="play"
                off={false}
                run={() => recorder.stopPlaying()}
              />
            ) : (
              <Key
                icon="play"
                label={t('recorder.play')}
                action="play"
                off={!hasSound || live}
                run={() => recorder.play()}
              />
            )}
            <Key icon="undo" label={t('recorder.undo')} action="undo" off={!canUndo} run={() => recorder.undo()} />
            <Key icon="redo" label={t('recorder.redo')} action="redo" off={!canRedo} run={() => recorder.redo()} />
          </div>
          <Segmented
            label={t('recorder.place')}
            value={mode}
            disabled={live || isClosed}
            choices={insertModes.map((value) => ({ value, label: t(`recorder.${value}`) }))}
            onValue={(value) => recorder.setMode(value)}
          />
        </>
      )}
    </div>
  );
}

function Key({
  icon,
  label,
  action,
  off,
  run,
}: {
  icon: IconName;
  label: string;
  action: 'rewind' | 'play' | 'undo' | 'redo';
  off: boolean;
  run: () => unknown;
}) {
  return (
    <IconButton
      framed
      icon={icon}
      label={label}
      keyHint={keyName(keys.value[action])}
      disabled={off}
      onClick={() => void run()}
    />
  );
}

const RecordSign = ({ isRecording }: { isRecording: boolean }): ComponentChildren =>
  isRecording ? (
    <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
      <path d="M9 6v12M15 6v12" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
    </svg>
  ) : (
    <Icon name="microphone" size={26} />
  );

/** Gaps in the audio. */
function Gaps({ recorder }: { recorder: Recorder }) {
  const gaps = useComputed(() => gapsOf(recorder.state.value)).value;
  return (
    <>
      {gaps.map(({ at, seconds }) => (
        <p key={at} class="recorder-kept recorder-kept-behind" role="alert">
          <Icon name="warn" size={18} />
          <span>{t('recorder.gap', { at: duration(at), seconds: Math.max(1, Math.round(seconds)) })}</span>
        </p>
      ))}
    </>
  );
}

/** How much of the audio is on disk, and where the rest is. */
function SavedAmount({ recorder, face }: { recorder: Recorder; face: Face }) {
  const hasSound = useComputed(() => lengthOf(recorder.state.value) > 0).value;
  const { text, isBehind } = useComputed(() => savedText(recorder.state.value, face)).value;
  if (face === 'asking') return <p class="recorder-kept">{t('recorder.asking_hint')}</p>;
  if (face === 'starting') return <p class="recorder-kept">{t('recorder.starting_hint')}</p>;
  if (face === 'not_heard') return null;
  const { rest, dictation } = recorder.state.value;
  if (!hasSound && face !== 'recording' && rest === null && dictation?.taken_back === undefined) {
    // A touch device has no keyboard.
    const isTouched = matchMedia('(pointer: coarse), (max-width: 480px)').matches;
    const hint = isTouched ? t('recorder.pre_hint_touch') : t('recorder.pre_hint', { key: keyName(keys.value.record) });
    return <p class="recorder-kept">{hint}</p>;
  }
  return (
    <p class={isBehind ? 'recorder-kept recorder-kept-behind' : 'recorder-kept'}>
      <Icon name={isBehind ? 'warn' : 'check'} size={18} />
      <span>{text}</span>
    </p>
  );
}

/** Seconds, rounded up to tenths, so that the page never understates them. */
const tenths = (seconds: number): number => Math.max(0.1, Math.ceil(seconds * 10) / 10);

/** `isBehind`: the person should read this. */
function savedText(state: RecorderState, face: Face): { readonly text: string; readonly isBehind: boolean } {
  const { rest } = state;
  if (isLive(state)) {
    const [lag, lost] = [tenths(unsaved(state)), tenths(unkept(state))];
    if (lag < 2) return { text: t('recorder.saved', { where: where(), seconds: lag }), isBehind: false };
    const isKept = lost < 2;
    const text = t(isKept ? 'recorder.saving_waits' : 'recorder.saving_page', { seconds: isKept ? lag : lost });
    return { text, isBehind: true };
  }
  if (isRecordedElsewhere(state)) return { text: t('recorder.elsewhere_now'), isBehind: true };
  if (rest) {
    const seconds = tenths(rest.seconds);
    const text =
      rest.isRefused && rest.trouble
        ? t('recorder.rest_refused', { seconds, reason: reasonText(rest.trouble) })
        : t('recorder.rest_waits', { seconds });
    return { text, isBehind: true };
  }
  const takenBack = state.dictation?.taken_back;
  if (takenBack !== undefined && face === 'paused') {
    const text = t('recorder.taken_back', { seconds: tenths(takenBack), key: keyName(keys.value.redo) });
    return { text, isBehind: false };
  }
  if (face === 'recovered') return { text: t('recorder.recovered_hint'), isBehind: false };
  if (face === 'failed') return { text: failedText(state), isBehind: true };
  return { text: t('recorder.saved_all', { where: where() }), isBehind: false };
}

function failedText({ dictation }: RecorderState): string {
  return dictation?.error
    ? t('recorder.failed_with', { reason: dictationReason(dictation.error), where: where() })
    : t('recorder.failed_hint', { where: where() });
}
