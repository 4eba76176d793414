/** A stored transcription with its final phrases. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import { keptHours, liveBytesPerSecond, liveSampleRate, quietMinutes } from '../../../src/contract/transcription.ts';
import type { Phrase, Transcription } from '../../../src/contract/transcription.ts';
import type { HeardSound, HeardText, HeardStretch } from '../../../src/domain/heard-text.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Transaction } from '../../storage/store.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export type StoredTranscription = Documents['transcriptions'];
export type StoredPhrase = Documents['phrases'];

/** Ids of phrases sort in order. */
export const phraseId = (transcription: string, n: number): string => `${transcription}.${String(n).padStart(6, '0')}`;

export const secondsOf = (bytes: number): number => bytes / liveBytesPerSecond;

/** Whether all its words are final, or no more come. */
export const isSettled = ({ status, error }: StoredTranscription): boolean => status === 'ended' || error !== null;

/** The status of an open transcription once it gets no more sound. */
export const endedStatus = ({ error }: StoredTranscription): 'settling' | 'ended' => (error ? 'ended' : 'settling');

export const alreadyEnded = (status: string): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'The transcription has ended and accepts no more audio.',
    details: { status },
    hint: 'Begin another one and generate the record from both.',
  });

export const quietMs = quietMinutes * 60_000;
export const retentionMs = keptHours * 3_600_000;

export const stretchOf = ({
  text,
  words,
  suppressed,
  other_readings: otherReadings,
  from,
  to,
}: StoredPhrase): HeardStretch => ({
  heard: {
    text,
    ...(words && { words }),
    ...(suppressed && { suppressed }),
    ...(otherReadings && { otherReadings }),
  } satisfies HeardText,
  from,
  to,
});

/** The words whose times are known. */
const toPhraseWords = (text: string, words: NonNullable<StoredPhrase['words']>): Phrase['words'] =>
  words.flatMap(({ start, end, from, to = from, confidence }) =>
    from === undefined || to === undefined
      ? []
      : [{ text: text.slice(start, end), start: from, end: to, ...(confidence !== undefined && { confidence }) }],
  );

/** The phrase as the API shows it. */
export const toPhrase = ({ n, text, from, to, words = [] }: StoredPhrase): Phrase => ({
  n,
  text,
  start: from,
  end: to,
  words: toPhraseWords(text, words),
});

/** The transcription as the API shows it. `quietSince`: time of the last audio, ms since 1970. */
export const toTranscription = (
  stored: StoredTranscription,
  now: { phrases: readonly StoredPhrase[]; offset: number; chunkMs: number; quietSince: number },
): Transcription => ({
  id: stored.id,
  status: stored.status,
  language: stored.language,
  template_id: stored.template_id,
  worklist_item_id: stored.worklist_item_id,
  offset: now.offset,
  format: 'pcm_s16le',
  sample_rate: liveSampleRate,
  chunk_ms: now.chunkMs,
  phrases: now.phrases.map(toPhrase),
  error: stored.error,
  created_at: stored.created_at,
  expires_at: new Date(computeExpiry(stored, now.quietSince)).toISOString(),
});

/** When an open transcription ends automatically, or an ended one is deleted; ms since 1970. */
export const computeExpiry = ({ status, updated_at }: StoredTranscription, quietSince: number): number =>
  status === 'open' ? quietSince + quietMs : Date.parse(updated_at) + retentionMs;

/** The request's field that names the piece. */
export const nameField = (pieces: readonly SpokenPiece[], at: number): string =>
  pieces.length === 1 && elementAt(pieces, 0).start === undefined ? 'transcription_id' : `transcriptions.${at}.id`;

/** VALIDATION_FAILED: the piece names no transcription of the caller, or one that became a record. */
export function refusedPiece(pieces: readonly SpokenPiece[], at: number): AppError {
  const field = nameField(pieces, at);
  const message = `${field} is not the id of a transcription of this login`;
  return validationFailed([{ field, message, code: 'INVALID_VALUE' }]);
}

/** VALIDATION_FAILED if another request made a record of one of the pieces: each is used once. */
export async function checkUnused(tx: Transaction, pieces: readonly SpokenPiece[]): Promise<void> {
  for (const [at, { id }] of pieces.entries()) {
    const found = await tx.get('transcriptions', id);
    if (!found || isUsed(found)) throw refusedPiece(pieces, at);
  }
}

/** Whether it became a record, and stays only for the check of its words. */
export const isUsed = ({ record_id }: StoredTranscription): boolean => record_id !== undefined;

/** Deletes transcriptions that became a record; those that the record still needs are kept for their check. */
export async function removeUsed(
  tx: Transaction,
  pieces: readonly SpokenPiece[],
  { id: record_id, checking }: Pick<Documents['records'], 'id' | 'checking'>,
): Promise<void> {
  for (const { id } of pieces) {
    const used = checking && (await tx.get('transcriptions', id));
    if (used) tx.put('transcriptions', { ...used, record_id });
    else tx.remove('transcriptions', id);
  }
}

/** The facts about heard sound, as they are stored. */
export const toStoredSound = ({
  unheard,
  once,
  unchecked,
  foreign,
  gaps,
  ...sound
}: HeardSound): NonNullable<StoredTranscription['heard_sound']> => ({
  ...sound,
  ...(unheard && { unheard: [...unheard] }),
  ...(once && { once: [...once] }),
  ...(unchecked && { unchecked: [...unchecked] }),
  ...(foreign && { foreign: [...foreign] }),
  ...(gaps && { gaps: [...gaps] }),
});
