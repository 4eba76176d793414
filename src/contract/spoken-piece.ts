/** The words and the sound of live transcriptions, as the input of a medical record (extension). */
import { array, named, number, object } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { TranscriptionId } from './shared.ts';

/** The largest number of pieces in a dictation. */
const maxPieces = 1000;
const seconds = (description: string, example: number) =>
  number({ minimum: 0, description: `${description}, in seconds of the sound.`, examples: [example] });

/** A part of the sound of a live transcription, and the words in it. */
export const SpokenPiece = named(
  'SpokenPiece',
  object(
    { id: TranscriptionId },
    {
      start: seconds('Where the piece begins. Default: at the beginning', 0),
      end: seconds('Where the piece ends. Default: at the end', 12.5),
    },
  ),
  'A piece of the sound of a live transcription.',
);
export type SpokenPiece = TypeOf<typeof SpokenPiece>;

const instead: Schema<string> = {
  ...TranscriptionId,
  description:
    'Id of a live transcription, instead of audio. It ends, its words and its sound become the record’s, and then it is gone.',
};

/** Fields of a request to generate a record. */
export const fromTranscriptions = {
  transcription_id: instead,
  transcriptions: array(SpokenPiece, {
    'x-empty-is-absent': true,
    minItems: 1,
    maxItems: maxPieces,
    description:
      'Pieces of live transcriptions, instead of one, in the order in which the document’s sound is put together: a dictation with takes that were inserted or overwritten.',
  }),
};
