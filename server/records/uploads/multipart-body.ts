/** Parses a form with a part `audio`, whose sound is streamed to the sink; the other parts are fields. */
import type { FastifyRequest } from 'fastify';
import { CorrectRequest, GenerateRequest, maxAudioBytes } from '../../../src/contract/record.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { DetailCode } from '../../../src/contract/errors.ts';
import { parseJson } from '../../http/plugins/json-body.ts';
import { maxFieldBytes } from './audio-sink.ts';
import type { AudioSink } from './audio-sink.ts';

const audioPart = 'audio';
/** Fields that contain JSON. */
const jsonParts = new Set(['metadata']);
/** Fields even with a file name, which some clients give every part that they serialise. */
const fieldNames: ReadonlySet<string> = new Set(
  [GenerateRequest, CorrectRequest].flatMap(({ properties = {} }) => Object.keys(properties)),
);
const maxFields = 20;

/** Options of the multipart plugin. It passes one byte over the limit, so that the blob store refuses the file. */
export const multipartOptions = {
  throwFileSizeLimit: false,
  isPartAFile: (name: string | undefined, _type: string | undefined, fileName: string | undefined) =>
    name === audioPart || (fileName !== undefined && !fieldNames.has(name ?? '')),
  limits: { fileSize: maxAudioBytes + 1, files: 1, fields: maxFields, parts: maxFields + 1, fieldSize: maxFieldBytes },
};

const invalidField = (field: string, message: string, code: DetailCode): AppError =>
  validationFailed([{ field, message, code }]);

/** Returns the equivalent JSON body, with an empty `audio.data`. */
export async function readAudioForm(request: FastifyRequest, sink: AudioSink): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      const name = part.fieldname ?? '';
      if (Object.hasOwn(body, name)) throw invalidField(name, `${name.slice(0, 40)} is repeated`, 'INVALID_VALUE');
      if (part.type === 'field') {
        if (part.valueTruncated) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxFieldBytes } });
        body[name] = jsonParts.has(name) ? jsonField(name, part.value) : part.value;
      } else if (name === audioPart && !part.filename && part.mimetype === 'application/json') {
        // The JSON of the same field: clients that are made from the contract send every object so.
        const { readAudioJson } = await import('./json-body.ts');
        Object.assign(body, await readAudioJson(wrapAudio(part.file), sink));
      } else if (name === audioPart) {
        await sink(part.file);
        body[name] = { content_type: part.mimetype, data: '' };
      } else {
        throw invalidField(name, `the file must be the part ${audioPart}`, 'UNKNOWN_FIELD');
      }
    }
  } catch (error) {
    throw toRefusal(error);
  }
  return body;
}

async function* wrapAudio(json: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"${audioPart}":`);
  yield* json;
  yield Buffer.from('}');
}

function jsonField(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(Buffer.from(value));
  } catch (error) {
    if (error instanceof AppError && error.code !== 'INVALID_JSON') throw error;
    throw invalidField(name, `${name} must be JSON`, 'INVALID_FORMAT');
  }
}

/** Converts errors of the form parser to AppErrors. */
function toRefusal(error: unknown): unknown {
  if (error instanceof AppError) return error;
  switch ((error as { code?: string }).code) {
    case 'FST_FILES_LIMIT':
      return invalidField(audioPart, 'a request takes one file', 'INVALID_VALUE');
    case 'FST_FIELDS_LIMIT':
    case 'FST_PARTS_LIMIT':
      return invalidField('', `a form takes at most ${maxFields} fields`, 'TOO_LONG');
    case 'FST_PROTO_VIOLATION':
      return invalidField('', 'the form has a field that is not allowed', 'UNKNOWN_FIELD');
    case 'FST_INVALID_JSON_FIELD_ERROR':
      return invalidField('', 'a field that says it is JSON must be JSON', 'INVALID_FORMAT');
    default:
      // Missing boundary, truncated part, closed connection: busboy has no codes for these.
      return new AppError('VALIDATION_FAILED', { message: 'The form is malformed or ends too early.', cause: error });
  }
}
