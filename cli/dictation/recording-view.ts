/**
 * The display during dictation: on a terminal the level, the time and the live words, with words that may still change
 * faint; on a line-based one (TERM=dumb, as for a screen reader), each phrase once it is final.
 */
import { liveBytesPerSecond, liveSampleRate } from '../../src/contract/transcription.ts';
import {
  alarmAfterMs,
  freshListening,
  hearing,
  listen,
  meterPosition,
  measureSpeechLevel,
} from '../../src/domain/dictation/level.ts';
import { decodeSamples } from '../../src/domain/dictation/samples.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Io } from '../shell/io.ts';
import { openProgressArea } from '../shell/progress-area.ts';
import { wrap } from '../shell/table.ts';
import { duration } from '../shell/time.ts';
import { textBefore } from '../../src/domain/text-before.ts';

export interface RecordingView {
  /** Adds audio: PCM, 16 bits; `seconds`: total length. */
  sound(samples: Uint8Array, seconds: number): void;
  partial(text: string): void;
  final(text: string): void;
  /** Prints a permanent line. */
  tell(text: string): void;
  /** Starts the display; before that, and after `rest`, no recording is shown. */
  start(): void;
  rest(): void;
  /** Removes the changing lines, and shows nothing more. */
  close(): void;
}

export const endingHint = 'Ctrl-C ends and sends, twice discards';

const warnings = {
  none: 'There is no sound from the microphone.',
  dead: 'The microphone is silent. Is it muted?',
  noise: 'There is only steady noise from the microphone. Is it plugged in properly?',
  faint: 'The sound is very quiet. Is it the right microphone?',
} as const;
type Warning = keyof typeof warnings;

/** Milliseconds between redraws, and the maximum width of the meter. */
const frameMs = 100;
const meterWidth = 20;
/** Bytes of audio per level measurement: a tenth of a second. */
const blockBytes = liveBytesPerSecond / 10;
/** Columns that stay free: a terminal that echoes signals writes `^C` there. */
const margin = 3;

/** Maximum amplitude, from 0 to 1. */
function measurePeak(samples: Uint8Array): number {
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  let peak = 0;
  for (let at = 0; at < samples.length; at += 2) peak = Math.max(peak, Math.abs(view.getInt16(at, true)));
  return peak / 0x8000;
}

export interface RecordingStatus {
  readonly seconds: number;
  /** Peak level, from 0 to 1. */
  readonly level: number;
  readonly partial: string;
  readonly warning: string | undefined;
}

/** The changing lines, narrower than `columns`, and at most `rows`. */
export function recordingLines(
  paint: Io['paint'],
  { seconds, level, partial, warning }: RecordingStatus,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): string[] {
  const width = Math.max(1, columns - margin);
  const cut = (text: string): string => textBefore(wrap(text, width), '\n').slice(0, width);
  const time = `● ${duration(Math.floor(seconds))}`;
  const room = Math.min(meterWidth, width - time.length - 2);
  const full = Math.round(meterPosition(level) * room);
  const meter = room < 4 ? '' : `  ${'█'.repeat(full)}${'░'.repeat(room - full)}`;
  const status = `${paint(cut(time), 'bad', 'err')}${meter}`;
  const hints = [...(warning === undefined ? [] : [[warning, 'warn'] as const]), [endingHint, 'faint'] as const];
  const below = hints.flatMap(([text, tone]) => wrapHard(text, width).map((line) => paint(line, tone, 'err')));
  const words = partial === '' ? [] : wrapHard(partial, width).map((line) => paint(line, 'faint', 'err'));
  const left = Math.max(0, rows - 1);
  const foot = [status, ...below].slice(0, left);
  return [...words.slice(Math.max(0, words.length - Math.max(0, left - foot.length))), ...foot];
}

/** Lines of at most `width` characters; a longer word is broken. */
const wrapHard = (text: string, width: number): string[] =>
  wrap(text, width)
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']);

export async function openRecordingView(io: Io, clock: Clock): Promise<RecordingView> {
  const { default: stringWidth } = await import('string-width');
  const canvas = io.progressCanvas;
  const area = canvas && openProgressArea(canvas, stringWidth);
  let listening = freshListening;
  let heardAt = clock.elapsed();
  let isRecording = false;
  let isClosed = false;
  let warned: Warning | undefined;
  const shown = { seconds: 0, level: 0, partial: '' };

  const warning = (): Warning | undefined => {
    if (!isRecording) return undefined;
    if (clock.elapsed() - heardAt >= alarmAfterMs) return 'none';
    const heard = hearing(listening);
    return heard === 'good' || heard === 'quiet' ? undefined : heard;
  };
  const draw = (): void => {
    const present = warning();
    if (present !== warned && present !== undefined) {
      if (!area) io.notice(warnings[present], 'warn');
      // A person who starts to speak later needs no alarm.
      if (present !== 'faint') io.ring();
    }
    warned = present;
    if (!canvas || !area || !isRecording) return;
    area.draw(recordingLines(io.paint, { ...shown, warning: present && warnings[present] }, canvas.size()));
  };
  const keep = (text: string): void => {
    if (isClosed) return;
    if (!canvas || !area || !isRecording) io.notice(text);
    else area.keep(wrapHard(text, Math.max(1, canvas.size().columns - 1)));
  };
  const frames = setInterval(draw, frameMs);
  const stopResizing = canvas?.onResize(draw);

  return {
    sound(samples, seconds) {
      for (let at = 0; at < samples.length; at += blockBytes) {
        const block = samples.subarray(at, at + blockBytes);
        const peak = measurePeak(block);
        const speech = measureSpeechLevel(decodeSamples(block), liveSampleRate);
        listening = listen(listening, { peak, speech, ms: (block.length * 1000) / liveBytesPerSecond });
        // The meter falls more slowly than speech.
        shown.level = Math.max(peak, shown.level * 0.7);
      }
      heardAt = clock.elapsed();
      shown.seconds = seconds;
    },
    partial: (text) => void (shown.partial = text),
    final(text) {
      shown.partial = '';
      if (io.isRead) keep(text);
    },
    tell: (text) => keep(text),
    start() {
      isRecording = true;
      heardAt = clock.elapsed();
      if (!area) io.notice(`${endingHint}.`, 'faint');
      draw();
    },
    rest() {
      isRecording = false;
      listening = freshListening;
      area?.clear();
    },
    close() {
      isClosed = true;
      clearInterval(frames);
      stopResizing?.();
      area?.close();
    },
  };
}
