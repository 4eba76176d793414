/**
 * Turns sound into text while it is spoken, with any engine. Pieces end at pauses, and their words are final at once;
 * what is doubtful about them is heard again behind them, several pieces together, since it takes other cuts.
 */
import type { HeardText, LiveHeard, SoundSpan } from '../../../src/domain/heard-text.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { abortable } from '../../runtime/processes/abortable.ts';
import { cutPieces, mergePieces, originalTime } from '../sound/pieces.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate, toFloats } from '../sound/samples.ts';
import { createSoundNotes } from '../sound/sound-notes.ts';
import type { Answer, Ear, HearingContext } from './ear.ts';
import { joinPieces, toHeardText } from './join-pieces.ts';
import type { HeardPiece } from './join-pieces.ts';
import { createOpenPiece } from './open-piece.ts';
import { createPieceHearing, describeSound, findLanguage } from './piece-hearing.ts';
import type { CheckedPiece, HearingOptions, Run } from './piece-hearing.ts';
import { moveTimes } from './transcripts.ts';
import type { Word } from './words.ts';

export type ListenToSound<Context extends HearingContext> = (
  sound: AsyncIterable<Int16Array>,
  context: Context,
  onHeard: (heard: LiveHeard) => void,
  signal: AbortSignal,
) => Promise<void>;

/**
 * Seconds of silence that end a piece. At a short one, a short piece goes on, since it is heard worse and costs a request
 * as a long one does, and so does any piece while the engine is busy. Commands have a long one on both sides.
 */
const pause = { short: 0.3, long: 0.8 };
const shortPiece = 2;
/** No word comes sooner than a short piece. */
export const liveChunkMs = 1000 * shortPiece;
/** Seconds of a piece at most: words of somebody who never pauses come as well. */
const maxPieceSeconds = 10;
/** Pieces that wait for the engine, or that it hears. */
const maxUnheard = 2;
/** Seconds of pieces that are checked together. */
const checkedTogether = 12;

/** A piece with the engine's answer; times are those of the piece. */
export interface AnsweredPiece {
  readonly piece: SoundPiece;
  readonly answer: Answer;
}

/** The pieces of one final text: several where nobody paused. */
type Final = readonly AnsweredPiece[];

export function createListening<Context extends HearingContext>(
  ear: Ear<Context>,
  options: HearingOptions = {},
): ListenToSound<Context> {
  const inPlaces = takePlaces(ear);
  const { hear } = inPlaces;
  const hearing = createPieceHearing(inPlaces, options);
  let listeners = 0;

  return async (sound, given, onHeard, caller) => {
    const context = { ...given, lane: `live ${(listeners += 1)}` };
    const failed = new AbortController();
    const fail = (error: unknown): void => failed.abort(error);
    const signal = AbortSignal.any([caller, failed.signal]);
    const first: Run<Context> = { context, signal, isGivenUp: false };
    const notes = createSoundNotes();
    const inOrder = createOrder({ endsWithFailure: true });
    const checksInOrder = createOrder({ endsWithFailure: true });
    const underWay: Promise<void>[] = [];
    const checked: CheckedPiece[] = [];
    let unheard = 0;
    let spoken: AnsweredPiece[] = [];
    let unchecked: Final[] = [];

    const open = createOpenPiece({
      hear: (piece) => hear(piece, context, signal),
      onWords: (words) => showPartial(words),
    });
    const showPartial = (words: readonly Word[]): void => {
      const { text } = toHeardText(joinPieces(spoken.map(toHeardPiece)));
      onHeard({ kind: 'partial', text: [text, ...words.map((word) => word.text)].filter(Boolean).join(' ') });
    };

    const checkTogether = (): void => {
      const finals = unchecked;
      unchecked = [];
      if (finals.length === 0) return;
      checksInOrder(async () => {
        const { pieces, texts } = await checkFinals(finals, (piece, answer) =>
          hearing.check(piece, answer, { context, signal: caller, isGivenUp: false }),
        );
        checked.push(...pieces);
        onHeard({ kind: 'checked', finals: texts, sound: describeSound(checked, notes.facts) });
      }).catch(fail);
    };
    const finish = (): void => {
      const final = spoken;
      const last = final.at(-1);
      if (!last) return;
      spoken = [];
      const heard = toHeardText(joinPieces(final.map(toHeardPiece)));
      onHeard({ kind: 'final', heard, until: last.piece.until, isUnchecked: true });
      const together = [...unchecked, final].flat().reduce((sum, { piece }) => sum + measureSeconds(piece), 0);
      if (final.length > 1 || together > ear.seconds()) checkTogether();
      unchecked.push(final);
      if (final.length > 1 || together >= checkedTogether) checkTogether();
    };
    const add = (piece: SoundPiece): void => {
      unheard += 1;
      const answered = hearing.hear(piece, first, open.close(piece));
      const taken = inOrder(async () => {
        const answer = await answered;
        unheard -= 1;
        spoken.push({ piece, answer });
        if (piece.continues) showPartial([]);
        else finish();
      });
      answered.catch(fail);
      underWay.push(taken.catch(fail));
    };

    try {
      const pieces = cutPieces(toSound(sound, signal), () => Math.min(maxPieceSeconds, ear.seconds()), {
        ends: (seconds, silence) =>
          silence >= pause.long || (silence >= pause.short && seconds >= shortPiece && unheard === 0),
        onGrown: (seconds, look) => {
          if (ear.hearsOpen === true && unheard === 0) open.grow(seconds, look);
        },
      });
      for await (const piece of notes.watch(pieces)) {
        add(piece);
        if (underWay.length >= maxUnheard) await underWay.shift();
        signal.throwIfAborted();
      }
      await Promise.all(underWay);
      signal.throwIfAborted();
      finish();
      onHeard({ kind: 'complete', sound: describeSound(checked, notes.facts) });
    } catch (error) {
      fail(error);
      await Promise.all(underWay);
    }
    // Words that are final are checked even if later ones failed.
    if (!caller.aborted) checkTogether();
    await checksInOrder.idle();
    signal.throwIfAborted();
    if (checked.length === 0) onHeard({ kind: 'checked', finals: [], sound: notes.facts });
  };
}

/** Each request takes a place, so that words come before checks of earlier ones, and dictations take turns. */
export function takePlaces<Context extends HearingContext>(ear: Ear<Context>): Ear<Context> {
  const inPlace =
    (hear: Ear<Context>['hear']): Ear<Context>['hear'] =>
    async (stretch, context, signal) => {
      const { lane = '', isRepeated = false } = context;
      const leave = await ear.places.enter(isRepeated ? `${lane} again` : lane, signal);
      try {
        return await hear(stretch, context, signal);
      } finally {
        leave();
      }
    };
  const { hear, hearSecond } = ear;
  return { ...ear, hear: inPlace(hear), ...(hearSecond && { hearSecond: inPlace(hearSecond) }) };
}

/** The sound as it arrives; rejects with the signal's reason as soon as it is aborted. */
async function* toSound(sound: AsyncIterable<Int16Array>, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const pieces = sound[Symbol.asyncIterator]();
  for (;;) {
    const next = await abortable(pieces.next(), signal);
    if (next.done) return;
    yield toFloats(next.value);
  }
}

const measureSeconds = ({ samples }: SoundPiece): number => samples.length / soundRate;

/** Times are those of the whole sound. */
export const toHeardPiece = ({ piece, answer }: AnsweredPiece): HeardPiece => ({
  ...moveTimes(answer, (at) => originalTime(piece, at)),
  ...(piece.overlap && { overlap: piece.overlap }),
});

/** Checks finals that are one after the other: pieces without an overlap as one, others each alone. */
export async function checkFinals(
  finals: readonly Final[],
  check: (piece: SoundPiece, answer: Answer) => Promise<CheckedPiece>,
): Promise<{ pieces: readonly CheckedPiece[]; texts: readonly HeardText[] }> {
  const all = finals.flat();
  if (all.length > finals.length) {
    const pieces: CheckedPiece[] = [];
    for (const { piece, answer } of all) pieces.push(await check(piece, answer));
    return { pieces, texts: [toHeardText(joinPieces(pieces))] };
  }
  const piece = await check(mergePieces(all.map((each) => each.piece)), mergeAnswers(all));
  const once: SoundSpan[] = [...piece.once];
  let at = 0;
  const texts = all.map((each) => {
    const { suppressed } = toHeardPiece(each);
    const words = piece.words.slice(at, (at += each.answer.words.length)).map((word, index, { length }): Word => {
      if (!word.other || index + word.other.words <= length) return word;
      // Another reading of words on both sides of a pause belongs to neither text: the place is asked about.
      const { other: _other, ...rest } = word;
      once.push(findPlace(word, piece));
      return rest;
    });
    return toHeardText({ words, suppressed });
  });
  return { pieces: [{ ...piece, once }], texts };
}

function mergeAnswers(all: readonly AnsweredPiece[]): Answer {
  const language = findLanguage(all.map(({ answer }) => answer));
  const merged: { words: Word[]; suppressed: Answer['suppressed'][number][] } = { words: [], suppressed: [] };
  let by = 0;
  for (const { piece, answer } of all) {
    const { words, suppressed } = moveTimes(answer, (at) => at + by);
    merged.suppressed.push(...suppressed.map((each) => ({ ...each, after: each.after + merged.words.length })));
    merged.words.push(...words);
    by += measureSeconds(piece);
  }
  return { ...merged, ...(language !== undefined && { language }) };
}

/** Where the word is; if unknown, somewhere in the piece. */
function findPlace({ data }: Word, { coverage: { voices } }: CheckedPiece): SoundSpan {
  const { from = voices[0]?.from ?? 0, to = voices.at(-1)?.to ?? from } = data ?? {};
  return { from, to };
}
