/** Plays the dictation of a report, from a word and with the current word marked. Independent of the DOM. */
import { batch, computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Finding } from '../../../../src/contract/finding.ts';
import type { Origin } from '../../../../src/contract/provenance.ts';
import {
  saidAt,
  secondBefore,
  timedWords,
  findTime,
  wordAt,
} from '../../../../src/reporting/versions/word-positions.ts';
import type { Place, SaidWord, TimedWord } from '../../../../src/reporting/versions/word-positions.ts';
import type { Span } from '../../../../src/reporting/words/token.ts';
import type { Player, PlayerListener } from '../../audio/player.ts';

/**
 * Why nothing plays. An origin: the words were not spoken. `untimed`: the recogniser gave no times. `recording`: the
 * microphone is live. `away`: the audio is unreachable.
 */
export type Silence = Exclude<Origin, 'said' | 'converted'> | 'untimed' | 'recording' | 'away';

export interface Listening {
  readonly isPlaying: ReadonlySignal<boolean>;
  /** Playback position in the audio, in seconds. */
  readonly at: ReadonlySignal<number>;
  /** Length of the audio in seconds; `null` if unknown. */
  readonly length: number | null;
  readonly speed: ReadonlySignal<number>;
  /** The word being spoken; `null` in a pause and while nothing plays. */
  readonly word: ReadonlySignal<TimedWord | null>;
  /** Whether any word has a known time. */
  readonly isTimed: ReadonlySignal<boolean>;
  readonly silence: ReadonlySignal<Silence | null>;
  toggle(): void;
  pause(): void;
  back(): void;
  moveTo(second: number): void;
  setSpeed(speed: number): void;
  /** Plays from shortly before this second. */
  hear(second: number): void;
  /** Plays from the first of these words of the report, or from those around a caret. */
  hearPlace(place: Place): void;
  /** Plays from these words of the transcript, or from those around a caret. */
  hearTranscript(span: Span): void;
  /** When the words of a finding were spoken; `undefined` if unknown. */
  secondOf(finding: Finding): number | undefined;
}

export interface ListeningDeps {
  readonly player: Player;
  /** Address of the audio. */
  readonly address: string;
  readonly length: number | null;
  readonly words: ReadonlySignal<readonly SaidWord[]>;
  /** The origin of words of the report. */
  readonly originOf: (place: Place) => Origin | undefined;
  readonly isRecording: () => boolean;
}

export const speeds = [0.75, 1, 1.25, 1.5, 1.75, 2] as const;
/** Lead-in before the word, so that a listener catches its start. */
const leadSeconds = 0.3;
export const stepBack = 3;
/** This close to the end there is nothing left to play. */
const endSeconds = 0.05;

/** Chosen once for all reports. */
const speed: Signal<number> = signal(1);

export function createListening(deps: ListeningDeps): Listening {
  const { player, address, length, words } = deps;
  const isPlaying = signal(false);
  const at = signal(0);
  const silence = signal<Silence | null>(null);
  const timed = computed(() => timedWords(words.value));
  const listener: PlayerListener = {
    time: (seconds) => void (at.value = seconds),
    ended: (why) =>
      batch(() => {
        isPlaying.value = false;
        if (why === 'failed') silence.value = 'away';
      }),
  };
  const playFrom = (second: number): void => {
    const isOver = length !== null && second >= length - endSeconds;
    batch(() => {
      silence.value = deps.isRecording() ? 'recording' : null;
      if (silence.value !== null) return;
      at.value = isOver ? 0 : Math.max(0, second);
      isPlaying.value = true;
    });
    if (isPlaying.peek()) void player.play(address, at.peek(), listener, { speed: speed.peek(), isLasting: true });
  };
  const pause = (): void => {
    if (isPlaying.peek()) player.stop();
  };
  const moveTo = (second: number): void => {
    if (isPlaying.peek()) playFrom(second);
    else at.value = Math.min(Math.max(0, second), length ?? Infinity);
  };
  const hear = (second: number): void => playFrom(second - leadSeconds);
  const hearWord = (word: TimedWord | undefined, otherwise: Silence): void => {
    if (word) return hear(word.from);
    pause();
    silence.value = otherwise;
  };
  return {
    isPlaying,
    at,
    length,
    speed,
    word: computed(() => (isPlaying.value ? (wordAt(timed.value, at.value) ?? null) : null)),
    isTimed: computed(() => timed.value.length > 0),
    silence,
    toggle: () => (isPlaying.peek() ? pause() : playFrom(at.peek())),
    pause,
    back: () => moveTo(Math.max(0, at.peek() - stepBack)),
    moveTo,
    setSpeed(chosen) {
      speed.value = chosen;
      if (isPlaying.peek()) player.setSpeed(chosen);
    },
    hear,
    hearPlace(place) {
      const origin = deps.originOf(place);
      const isSaid = origin === undefined || origin === 'said' || origin === 'converted';
      hearWord(saidAt(timed.peek(), place), isSaid ? 'untimed' : origin);
    },
    hearTranscript({ start, end }) {
      const word = timed.peek().find((each) => each.start < Math.max(end, start + 1) && start < each.end);
      hearWord(word ?? timed.peek().find((each) => each.end === start), 'untimed');
    },
    secondOf({ section, start, end, transcript }) {
      const place = end > start ? saidAt(timed.value, { section, start, end }) : undefined;
      if (place) return place.from;
      if (!transcript) return undefined;
      return transcript.end > transcript.start
        ? findTime(timed.value, transcript)?.from
        : secondBefore(timed.value, transcript.start);
    },
  };
}
