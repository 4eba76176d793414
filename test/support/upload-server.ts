/** The audio parsers on a real Fastify, with a handler that tells what it was given. */
import { readdir } from 'node:fs/promises';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { onTestFinished } from 'vitest';
import { createIds } from '../../server/storage/ids.ts';
import { registerBodyParsers } from '../../server/http/plugins/json-body.ts';
import { registerErrors } from '../../server/http/plugins/errors.ts';
import { createFileBlobs } from './lowdb-store.ts';
import type { Blobs } from '../../server/storage/blobs/blobs.ts';
import { registerAudioParsers } from '../../server/records/uploads/uploads.ts';
import { records } from '../../src/contract/record.ts';
import { systemClock } from '../../src/node/clock.ts';
import { temporaryDirectory } from './temporary-directory.ts';
import { threads } from './threads.ts';

export interface UploadServer {
  readonly app: FastifyInstance;
  readonly blobs: Blobs;
  readonly log: Record<string, unknown>[];
  /** What lies on disk, half-written files included. */
  files(): Promise<string[]>;
  /** Reads blobs from now on. */
  readBlobs(read: Blobs['read']): void;
  /** Runs inside the handler. */
  handle(work: (request: FastifyRequest) => unknown): void;
}

export const uploadPath = records.endpoints.generate.path;

export async function createUploadServer({
  bodyLimit = records.endpoints.generate.bodyLimit as number,
} = {}): Promise<UploadServer> {
  const directory = await temporaryDirectory();
  const blobs = await createFileBlobs(directory);
  const log: Record<string, unknown>[] = [];
  const app = Fastify({ logger: false });
  onTestFinished(() => app.close());
  let { read } = blobs;
  let work: (request: FastifyRequest) => unknown = () => undefined;
  app.decorateRequest('upload', undefined);
  registerErrors(app, { clock: systemClock, log: (entry) => void log.push(entry) });
  registerBodyParsers(app);
  app.register(async (scope) => {
    registerAudioParsers(scope, {
      blobs: { ...blobs, read: (...wanted) => read(...wanted) },
      ids: createIds(systemClock),
      log: (entry) => void log.push(entry),
      recognition: { require: () => undefined, findRecogniser: () => undefined },
      jobs: { hasRoom: () => true, requireRoom: () => undefined },
      workers: threads,
    });
    scope.post(uploadPath, { bodyLimit }, async (request) => {
      const told = await work(request);
      return { body: request.body ?? null, audio: request.upload?.audio ?? null, told: told ?? null };
    });
  });
  await app.ready();
  return {
    app,
    blobs,
    log,
    files: () => readdir(directory),
    readBlobs: (next) => void (read = next),
    handle: (next) => void (work = next),
  };
}
