/**
 * Transcribes live with a streaming model. Once somebody has spoken, the model hears the sound again, in other cuts: while
 * it does so it would be late with the words.
 */
import type { Language } from '../../../src/contract/shared.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import type { SoundSpan } from '../../../src/domain/heard-text.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import { joinPieces, toHeardText } from '../hearing/join-pieces.ts';
import type { Transcript } from '../hearing/join-pieces.ts';
import { checkFinals, takePlaces, toHeardPiece } from '../hearing/listen.ts';
import type { AnsweredPiece } from '../hearing/listen.ts';
import { createPieceHearing, describeSound } from '../hearing/piece-hearing.ts';
import type { CheckedPiece, HearingOptions } from '../hearing/piece-hearing.ts';
import { moveTimes } from '../hearing/transcripts.ts';
import { soundRate, toFloats } from '../sound/samples.ts';
import { createVoiceDetector, frameSamples, frameSeconds } from '../sound/voice.ts';
import type { LiveRecogniser } from '../recogniser.ts';
import type { LocalEar } from './local-ear.ts';
import type { DecodedTokens } from './model-messages.ts';
import type { ModelProcess } from './model-process.ts';
import { joinTokens } from './words.ts';
import type { Word } from './words.ts';

/** Seconds around a word that must contain a voice. */
const margin = 0.4;
/** Seconds of sound that are checked at once. */
const checkedTogether = 20;
/** Seconds of a dictation whose sound is kept for the check, about 30 MB: what follows is heard once. */
const maxChecked = 900;

export function createLiveTranscription(
  process: ModelProcess,
  ear: LocalEar,
  options: HearingOptions,
  check: (language: Language) => void,
): LiveRecogniser['listen'] {
  const hearing = createPieceHearing(takePlaces(ear), options);
  return async ({ sound, language }, onHeard, signal) => {
    signal.throwIfAborted();
    check(language);
    const stream = await abortable(process.open(language), signal);
    const voices = createVoiceTimeline();
    const kept: Int16Array[] = [];
    const finals: AnsweredPiece[] = [];
    let seconds = 0;
    let begin = 0;
    const emit = (decoded: readonly DecodedTokens[]): void => {
      for (const each of decoded) {
        const words = joinTokens(each);
        if (each.until === undefined) onHeard({ kind: 'partial', text: words.map(({ text }) => text).join(' ') });
        else {
          const until = Math.min(each.until, seconds);
          const span = { from: begin, to: until };
          const final = {
            piece: openSpan(span),
            answer: moveTimes(separateInvented(words, voices), (at) => at - span.from),
          };
          const isUnchecked = options.twice !== false && until <= maxChecked;
          if (isUnchecked) finals.push(final);
          const heard = toHeardText(joinPieces([toHeardPiece(final)]));
          onHeard({ kind: 'final', heard, until, ...(isUnchecked && { isUnchecked }) });
          voices.forget(until);
          begin = until;
        }
      }
    };
    try {
      const pieces = sound[Symbol.asyncIterator]();
      for (;;) {
        const piece = await abortable(pieces.next(), signal);
        if (piece.done) break;
        const samples = toFloats(piece.value);
        seconds += samples.length / soundRate;
        if (options.twice !== false && seconds <= maxChecked) kept.push(piece.value);
        voices.hear(samples);
        emit(await abortable(stream.hear(samples), signal));
      }
      emit(await abortable(stream.finish(), signal));
    } finally {
      stream.drop();
    }
    if (finals.length === 0) return;
    onHeard({ kind: 'complete', sound: {} });
    const samples = joinSamples(kept);
    const checked: CheckedPiece[] = [];
    for (const group of groupFinals(finals)) {
      const heard = group.map(({ piece, answer }) => [{ piece: fillPiece(piece, samples), answer }]);
      const run = { context: { language }, signal, isGivenUp: false };
      const { pieces, texts } = await checkFinals(heard, (piece, answer) => hearing.check(piece, answer, run));
      checked.push(...pieces);
      onHeard({ kind: 'checked', finals: texts, sound: describeSound(checked, {}) });
    }
  };
}

/** A piece of the sound, without its samples. */
const openSpan = ({ from, to }: SoundSpan): AnsweredPiece['piece'] => ({
  samples: new Float32Array(),
  parts: [{ at: 0, from }],
  voiced: to - from,
  voices: [],
  until: to,
});

const fillPiece = (piece: AnsweredPiece['piece'], samples: Int16Array): AnsweredPiece['piece'] => {
  const { from } = elementAt(piece.parts, 0);
  return {
    ...piece,
    samples: toFloats(samples.subarray(Math.round(from * soundRate), Math.round(piece.until * soundRate))),
  };
};

function joinSamples(pieces: readonly Int16Array[]): Int16Array {
  const joined = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

function groupFinals(finals: readonly AnsweredPiece[]): AnsweredPiece[][] {
  const groups: AnsweredPiece[][] = [];
  let together = Infinity;
  for (const final of finals) {
    if (together + final.piece.voiced > checkedTogether) {
      groups.push([]);
      together = 0;
    }
    groups.at(-1)?.push(final);
    together += final.piece.voiced;
  }
  return groups;
}

interface VoiceTimeline {
  hear(samples: Float32Array): void;
  /** Whether there is a voice between these seconds. */
  between(from: number, to: number): boolean;
  /** Forgets what is before this second. */
  forget(until: number): void;
}

function createVoiceTimeline(): VoiceTimeline {
  const classify = createVoiceDetector();
  let frames: boolean[] = [];
  let first = 0;
  let rest: Float32Array = new Float32Array();
  return {
    hear(samples) {
      const all = new Float32Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      for (; at + frameSamples <= all.length; at += frameSamples) {
        frames.push(classify(all.subarray(at, at + frameSamples)).isVoice);
      }
      rest = all.slice(at);
    },
    between(from, to) {
      const start = Math.max(0, Math.floor(from / frameSeconds) - first);
      return frames.slice(start, Math.ceil(to / frameSeconds) - first).includes(true);
    },
    forget(until) {
      const gone = Math.min(frames.length, Math.floor((until - 2 * margin) / frameSeconds) - first);
      if (gone <= 0) return;
      frames = frames.slice(gone);
      first += gone;
    },
  };
}

/** Moves words without a voice to `suppressed`: the model made them up. */
function separateInvented(words: readonly Word[], voices: VoiceTimeline): Transcript {
  const said: Transcript['words'][number][] = [];
  const suppressed: Transcript['suppressed'][number][] = [];
  for (const { text, from, to } of words) {
    if (voices.between(from - margin, to + margin)) said.push({ text, data: { from, to } });
    else suppressed.push({ text, from, to, after: said.length, reason: 'silence' });
  }
  return { words: said, suppressed };
}
