/** A recording as the whole body of a request (docs/decisions/0064-a-recording-is-a-body.md). */
import { endpoint } from './endpoint.ts';
import { Job } from './job.ts';
import { bytes, object } from './schema.ts';
import type { Schema } from './schema.ts';
import { ItemId, languageField } from './shared.ts';
import { TemplateId } from './template.ts';

/** Largest audio, in bytes. */
export const maxAudioBytes = 200 * 1024 * 1024;

const recording: Schema<AsyncIterable<Uint8Array> | Uint8Array> = bytes(
  'The recording: wav, webm, ogg, mp3, m4a or flac, at most 200 MiB. The service looks at the content: its media type may also be given as `audio/…`.',
);

export const dictate = endpoint({
  method: 'POST',
  path: '/api/v1/medical-records/dictations',
  summary: 'Send a recording',
  description:
    'Takes a recording as the whole body, and answers 202 with the job that makes the medical record of it; the address of the job is in the `Location` header. The same as `POST /api/v1/medical-records/generate` with `audio` and `mode: async`, in a form that every client can send, and with one kind of answer.',
  access: 'bearer',
  scope: 'medical_records:write',
  query: object(
    {},
    {
      template_id: {
        ...TemplateId,
        description: 'Id of the document template. Default: the one that fits the exam best, else the general one.',
      },
      language: languageField(
        'Language of the recording and of the document. Default: the language of the exam description, else `en-US`. It is one of',
      ),
      worklist_item_id: {
        ...ItemId,
        description: 'Id of the worklist item whose exam the record reports on. Default: no exam.',
      },
    },
  ),
  body: recording,
  bodyTypes: ['application/octet-stream'],
  bodyLimit: maxAudioBytes,
  takesAudio: true,
  idempotent: true,
  answer: 'envelope',
  responses: { 202: Job },
  headers: { 202: ['Location'] },
  errors: ['INVALID_TRANSITION', 'SERVER_BUSY', 'ENGINE_UNAVAILABLE'],
  extension: true,
});
