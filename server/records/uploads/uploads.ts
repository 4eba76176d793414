/**
 * Receives the audio of requests: streams it to the blob store, and deletes it after the request unless a committed
 * document refers to it.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AudioType } from '../../../src/contract/document.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import type { Upload } from '../../http/call.ts';
import type { SpeechRecognition } from '../../speech/speech-recognition.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Log } from '../../runtime/log.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Blobs } from '../../storage/blobs/blobs.ts';
import type { Workers } from '../../runtime/workers/workers.ts';
import { withDetectedType } from '../../speech/audio-content.ts';
import { blobSeconds } from './blob-seconds.ts';
import type { Requester } from './blob-seconds.ts';
import { multipartOptions, readAudioForm } from './multipart-body.ts';
import { removeBlob } from './remove-blob.ts';
import { valueAt } from '../../../src/domain/elements.ts';

interface Deps {
  readonly blobs: Blobs;
  readonly ids: Ids;
  readonly log: Log;
  readonly recognition: Pick<SpeechRecognition, 'require' | 'findRecogniser'>;
  readonly jobs: Pick<JobRunner, 'hasRoom' | 'requireRoom'>;
  readonly workers: Workers;
}

/**
 * Registers the parsers for endpoints with `takesAudio`; `app` must contain no other endpoints. Sets `request.upload`
 * to the audio, and the body to the contract's body with an empty `audio.data`, or to nothing where the whole body is a
 * recording.
 */
export function registerAudioParsers(app: FastifyInstance, deps: Deps): void {
  const received = new WeakMap<FastifyRequest, StoredUpload>();
  const discard = async (request: FastifyRequest): Promise<void> => {
    const upload = received.get(request);
    received.delete(request);
    if (upload && !upload.kept) await removeBlob(deps, upload.audio.blob);
  };
  /** Aborted when the caller disconnects. */
  const disconnects = new WeakMap<FastifyRequest, AbortSignal>();
  const unkept = new WeakSet<FastifyRequest>();
  /** Refuses audio only after the request is read: a client that is still sending would miss the answer. */
  const refuseUnkept = (request: FastifyRequest, body: unknown): void => {
    const { caller } = request;
    if (!unkept.has(request) || !caller) return;
    if ((body as { mode?: unknown } | undefined)?.mode === 'async') deps.jobs.requireRoom(caller, minAudioBytes);
    deps.recognition.require(caller);
  };
  const createSink = (request: FastifyRequest) => async (bytes: AsyncIterable<Uint8Array>) => {
    if (!mayKeep(request, deps)) {
      unkept.add(request);
      return drain(bytes);
    }
    const client = request.caller?.client_id ?? '';
    const upload = await receive(deps, bytes, { client, signal: valueAt(disconnects, request) });
    received.set(request, upload);
    request.upload = upload;
  };

  app.addHook('preParsing', async (request, reply) => {
    const controller = new AbortController();
    disconnects.set(request, controller.signal);
    reply.raw.once('close', () => controller.abort());
    if (!(Number(request.headers['content-length']) > request.routeOptions.bodyLimit)) return;
    // The body is not read, so the connection cannot be reused.
    reply.header('connection', 'close');
    throw tooLarge(request.routeOptions.bodyLimit);
  });
  app.removeContentTypeParser(['application/json', 'multipart/form-data']);
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
    try {
      const { readAudioJson } = await import('./json-body.ts');
      const body = await readAudioJson(limitBytes(payload, request.routeOptions.bodyLimit), createSink(request));
      refuseUnkept(request, body);
      return body;
    } catch (error) {
      await discard(request);
      throw error;
    }
  });
  app.removeContentTypeParser('application/octet-stream');
  app.addContentTypeParser(
    /^(?:application\/octet-stream|audio\/)/,
    async (request: FastifyRequest, payload: AsyncIterable<Uint8Array>) => {
      try {
        await createSink(request)(payload);
        refuseUnkept(request, { mode: 'async' });
        return null;
      } catch (error) {
        await discard(request);
        throw error;
      }
    },
  );
  void app.register(multipart, multipartOptions);
  app.addHook('preValidation', async (request, reply) => {
    // A simulated drop sends no answer, so onSend doesn't run.
    reply.raw.once('close', () => {
      if (reply.sent) void discard(request);
    });
    if (!request.isMultipart()) return;
    try {
      request.body = await readAudioForm(request, createSink(request));
    } catch (error) {
      // The rest of the form is not read, so the connection cannot be reused.
      reply.header('connection', 'close');
      throw error;
    }
    refuseUnkept(request, request.body);
  });
  // The answer means that the handler is done, even if the caller disconnected.
  app.addHook('onSend', (request) => discard(request));
}

/** Size of the shortest audio. */
const minAudioBytes = 1;

/** Whether the caller has a recogniser, or the audio may wait as a job. The fields may not be parsed yet. */
function mayKeep({ caller, routeOptions }: FastifyRequest, { recognition, jobs }: Deps): boolean {
  if (!caller || recognition.findRecogniser(caller)) return true;
  const { endpoint } = routeOptions.config as { endpoint: Endpoint };
  const makesJobs = 202 in endpoint.responses;
  return makesJobs && jobs.hasRoom(caller, minAudioBytes);
}

interface StoredUpload extends Upload {
  readonly kept: boolean;
}

async function receive(deps: Deps, bytes: AsyncIterable<Uint8Array>, asker: Requester): Promise<StoredUpload> {
  const blob = deps.ids('blb');
  let type: AudioType | undefined;
  const written = await deps.blobs.write(
    blob,
    withDetectedType(bytes, (recognisedType) => (type = recognisedType)),
    maxAudioBytes,
  );
  try {
    const audio = { blob, ...written, content_type: type! };
    const seconds = await blobSeconds(deps, audio, asker);
    let isKept = false;
    return {
      audio: { ...audio, seconds },
      get kept() {
        return isKept;
      },
      keep: () => void (isKept = true),
    };
  } catch (error) {
    await removeBlob(deps, blob);
    throw error;
  }
}

/** Reads and discards the bytes. */
async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

async function* limitBytes(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > limit) throw tooLarge(limit);
    yield piece;
  }
}

const tooLarge = (limit: number): AppError => new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: limit } });
