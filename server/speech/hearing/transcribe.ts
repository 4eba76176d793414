/** Turns the whole sound of a dictation into text: its pieces are heard within the engine's limits and joined. */
import type { HeardText } from '../../../src/domain/heard-text.ts';
import { cutPieces } from '../sound/pieces.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import type { SoundNotes } from '../sound/sound-notes.ts';
import type { Ear, HearingContext } from './ear.ts';
import { joinPieces, toHeardText } from './join-pieces.ts';
import { createPieceHearing, describeSound } from './piece-hearing.ts';
import type { CheckedPiece, HearingOptions, Run } from './piece-hearing.ts';

export type TranscribeSound<Context extends HearingContext> = (
  sound: AsyncIterable<Float32Array>,
  notes: SoundNotes,
  context: Context,
  signal: AbortSignal,
) => Promise<HeardText>;

export function createTranscription<Context extends HearingContext>(
  ear: Ear<Context>,
  options: HearingOptions = {},
): TranscribeSound<Context> {
  const hearing = createPieceHearing(ear, options);
  return async (sound, notes, context, caller) => {
    const failed = new AbortController();
    const signal = AbortSignal.any([caller, failed.signal]);
    const run: Run<Context> = { context, signal, isGivenUp: false };
    const heard: Promise<CheckedPiece>[] = [];
    const fail = (error: unknown): void => failed.abort(error);
    const hearPiece = async (piece: SoundPiece): Promise<CheckedPiece> =>
      hearing.check(piece, await hearing.hear(piece, run), run);
    try {
      for await (const piece of notes.watch(cutPieces(sound, ear.seconds))) {
        const leave = await ear.places.enter('pieces', signal);
        const hearingPiece = hearPiece(piece).finally(leave);
        hearingPiece.catch(fail);
        heard.push(hearingPiece);
      }
      const pieces = await Promise.all(heard);
      return { ...toHeardText(joinPieces(pieces)), sound: describeSound(pieces, notes.facts) };
    } catch (error) {
      fail(error);
      await Promise.allSettled(heard);
      // The first failure aborted the others.
      throw caller.aborted ? error : failed.signal.reason;
    }
  };
}
