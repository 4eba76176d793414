/** Joins pieces of transcriptions to the audio and words of a record. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { liveBytesPerSecond, liveSampleBytes, liveSampleRate } from '../../../src/contract/transcription.ts';
import { wavHead, wavHeadBytes } from '../../../src/domain/dictation/wav.ts';
import { cutHeard, cutSound, joinHeard, joinSounds } from '../../../src/domain/heard-text.ts';
import type { HeardSound, HeardText, SoundSpan } from '../../../src/domain/heard-text.ts';
import type { RecordDeps } from '../deps.ts';
import { secondsOf, stretchOf } from './stored-transcription.ts';
import type { SpokenSession } from './stored-session.ts';
import type { DictatedSound } from './transcriptions.ts';
import { elementAt } from '../../../src/domain/elements.ts';

/** A piece with its transcription. */
export interface DictatedPiece extends SpokenPiece {
  readonly session: SpokenSession;
}

/** The byte range of the piece, in whole samples. */
function computeRange({ start = 0, end = Infinity, session }: DictatedPiece): { from: number; to: number } {
  const at = (seconds: number): number =>
    Math.min(session.sound.size, Math.round(seconds * liveSampleRate) * liveSampleBytes);
  return { from: at(start), to: end === Infinity ? session.sound.size : at(end) };
}

/** VALIDATION_FAILED if a piece has no audio; `fieldOf` names the piece. */
export function requireSound(pieces: readonly DictatedPiece[], fieldOf: (at: number) => string): void {
  const empty = pieces.map(computeRange).findIndex(({ from, to }) => to <= from);
  if (empty < 0) return;
  const field = fieldOf(empty);
  throw validationFailed([{ field, message: `${field}: there is no sound in this piece`, code: 'INVALID_VALUE' }]);
}

/** Writes the pieces as one WAV file to the blob store. */
export async function writeSound(
  { blobs, ids }: Pick<RecordDeps, 'blobs' | 'ids'>,
  pieces: readonly DictatedPiece[],
): Promise<DictatedSound> {
  const ranges = pieces.map(computeRange);
  const bytes = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes + wavHeadBytes > maxAudioBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxAudioBytes } });
  }
  const blob = ids('blb');
  const written = await blobs.write(
    blob,
    (async function* () {
      yield wavHead({ rate: liveSampleRate, bytes });
      for (const [at, { session }] of pieces.entries())
        yield* session.sound.read(elementAt(ranges, at).from, elementAt(ranges, at).to);
    })(),
    maxAudioBytes,
  );
  const { language, template_id, worklist_item_id } = elementAt(pieces, 0).session.stored;
  return {
    audio: { blob, ...written, content_type: 'audio/wav', seconds: bytes / liveBytesPerSecond },
    language,
    ...(template_id !== null && { template_id }),
    ...(worklist_item_id !== null && { worklist_item_id }),
  };
}

/**
 * The words of the pieces, with times in the joined audio, and where they are unchecked. `undefined` if they are in
 * another language, incomplete, or cannot be cut at a piece's edges.
 */
export function joinWords(pieces: readonly DictatedPiece[], language: Language): HeardText | undefined {
  const parts: { heard: HeardText; by: number }[] = [];
  const sounds: { sound: HeardSound; by: number }[] = [];
  const unchecked: SoundSpan[] = [];
  let length = 0;
  for (const piece of pieces) {
    const { stored, phrases } = piece.session;
    if (stored.error || stored.language !== language) return undefined;
    const { from, to } = computeRange(piece);
    const by = length - secondsOf(from);
    const span = { from: secondsOf(from), to: secondsOf(to) };
    for (const phrase of phrases) {
      // The last words may end after the audio, because recognisers are inexact.
      const end = to === piece.session.sound.size ? Infinity : span.to;
      const heard = cutHeard(stretchOf(phrase), span.from, end);
      if (!heard) return undefined;
      parts.push({ heard, by });
      if (!phrase.unchecked || heard.text === '') continue;
      unchecked.push({ from: Math.max(span.from, phrase.from) + by, to: Math.min(span.to, phrase.to) + by });
    }
    const { heard_sound: sound } = stored;
    if (sound) sounds.push({ sound: cutSound(sound, span, secondsOf(piece.session.sound.size)), by });
    length += secondsOf(to - from);
  }
  // Some recognisers say nothing about the sound.
  const known = sounds.length === pieces.length ? joinSounds(sounds) : undefined;
  const sound = unchecked.length > 0 ? { ...known, unchecked } : known;
  return { ...joinHeard(parts), ...(sound && { sound }) };
}
