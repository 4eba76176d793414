/** The calls for medical records (specification 4.3). */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { records } from '../../src/contract/record.ts';
import type { Call } from '../http/call.ts';
import { exportRecord } from '../delivery/formats/export-record.ts';
import type { ReportDeps } from '../delivery/formats/export-record.ts';
import { readPage } from '../http/paging.ts';
import { periodIn } from '../http/period.ts';
import { serveAudio } from '../records/audio.ts';
import { correctRecord, deleteRecord, updateRecord } from '../records/change.ts';
import type { CorrectionDeps } from '../records/change.ts';
import { generate, generateFromRecording } from '../records/generation.ts';
import type { GenerationDeps } from '../records/generation.ts';
import { readRecord, toRecord, toVersion, versionId } from '../records/stored-record.ts';
import type { RecordDeps } from '../records/deps.ts';
import { eventStreamHeaders } from '../../src/client/events/server-sent-events.ts';
import { createEventStreams } from '../http/event-stream.ts';
import { etagOf } from '../http/versions.ts';
import type { ChangeFeed } from '../storage/feed.ts';
import type { RecordChange } from '../storage/feeds.ts';

interface RecordRouteDeps extends GenerationDeps, CorrectionDeps, ReportDeps, Pick<RecordDeps, 'pins'> {
  readonly recordFeed: ChangeFeed<RecordChange>;
}

export function recordRoutes(services: RecordRouteDeps): Handlers<typeof records, Call> {
  const { store, recordFeed, clock } = services;
  const follow = createEventStreams(recordFeed, { name: 'record', clock });
  return {
    generate: ({ body }, call) => generate(services, body, call),

    dictate: ({ query }, call) => generateFromRecording(services, query, call),

    async list({ query }, { caller: { space } }) {
      const { status, template_id: template, worklist_item_id: item, critical, q: text } = query;
      const conditions = {
        is: { space, status, template, item, critical },
        during: { created: periodIn(query) },
        text,
      };
      return { status: 200, data: await readPage(store, 'records', space, conditions, query, toRecord) };
    },

    async events(_input, { caller, header, whileAllowed }) {
      return {
        status: 200,
        headers: eventStreamHeaders,
        body: follow({ space: caller.space, lastSeen: header('Last-Event-ID'), signal: whileAllowed }),
      };
    },

    async get({ params }, { caller }) {
      const record = await readRecord(store, caller.space, params.id);
      return { status: 200, data: toRecord(record), headers: { ETag: etagOf(record) } };
    },

    update: ({ params, body }, call) => updateRecord(services, params.id, body, call),

    delete: ({ params }, call) => deleteRecord(services, params.id, call),

    correct: ({ params, body }, call) => correctRecord(services, params.id, body, call),

    async versions({ params, query }, { caller }) {
      await readRecord(store, caller.space, params.id);
      const conditions = { is: { record: params.id } };
      return { status: 200, data: await readPage(store, 'versions', caller.space, conditions, query, toVersion) };
    },

    async version({ params }, { caller }) {
      await readRecord(store, caller.space, params.id);
      const version = await store.get('versions', versionId(params.id, params.n));
      if (!version) throw new AppError('NOT_FOUND', { message: 'The record has no such version.' });
      return { status: 200, data: version.record };
    },

    async audio({ params }, call) {
      return serveAudio(services, await readRecord(store, call.caller.space, params.id), call);
    },

    async export({ params, query }, call) {
      return exportRecord(services, await readRecord(store, call.caller.space, params.id), query.format, call);
    },
  };
}
