/** The calls for worklists: ingest, status, reading. */
import { messageTypes } from '../../src/contract/endpoint.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { WorklistItemInput } from '../../src/contract/worklist.ts';
import type { Colleague, worklists } from '../../src/contract/worklist.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { isFit } from '../../src/domain/characters.ts';
import type { Call } from '../http/call.ts';
import { readPage } from '../http/paging.ts';
import type { WorklistDeps } from '../worklists/deps.ts';
import type { Workers } from '../runtime/workers/workers.ts';
import type { ChangeFeed } from '../storage/feed.ts';
import type { ItemChange } from '../storage/feeds.ts';
import type { ItemRules, Zone } from '../worklists/check-item.ts';
import { eventStreamHeaders } from '../../src/client/events/server-sent-events.ts';
import type { Compile } from '../runtime/validation.ts';
import { createEventStreams } from '../http/event-stream.ts';
import { listItems } from '../worklists/filters.ts';
import { UnreadJson } from '../http/plugins/json-body.ts';
import type { Bundle } from '../storage/tables/bundle.ts';
import { ingestBundle } from '../worklists/ingest/bundling.ts';
import type { Bundling, PackedExams } from '../worklists/ingest/bundling.ts';
import { ingest, readBatch } from '../worklists/ingest/ingest.ts';
import type { Batch } from '../worklists/ingest/ingest.ts';
import { readSourceSystem } from '../worklists/source-system.ts';
import { createReaders } from '../worklists/ingest/readers.ts';
import type { Readers } from '../worklists/ingest/readers.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import { whoIs } from '../http/caller.ts';
import { assignItem, moveItem, toMover, readOwnItem } from '../worklists/item-status.ts';
import { readReport } from '../../src/domain/item-report.ts';
import type { Documents } from '../storage/collections.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import { findEntry } from '../../src/domain/find-entry.ts';
import { textBefore } from '../../src/domain/text-before.ts';

interface WorklistRouteDeps extends WorklistDeps {
  readonly feed: ChangeFeed<ItemChange>;
  readonly workers: Workers;
  /** Time zone of exam times without an offset. */
  readonly timeZone?: string;
  /** Parses large bodies in threads. Default: none. */
  readonly bundling?: Bundling;
}

export function worklistRoutes(services: WorklistRouteDeps, compile: Compile): Handlers<typeof worklists, Call> {
  const { store, clock, ids, feed, timeZone, workers, bundling } = services;
  const readers = createReaders(workers);
  let zone: Zone | undefined;
  /** The time zone of the server; its offsets are loaded for the first ingest. */
  const loadZone = async (name: string): Promise<Zone> =>
    (zone = { name, offsetAt: (await import('../../src/files/worklist/zone.ts')).createOffsets(name) });
  // Each item is validated separately, so that an invalid one does not affect the others.
  const validate = compile(WorklistItemInput);
  const follow = createEventStreams(feed, { name: 'item', clock });
  return {
    async ingest({ body }, call) {
      const { space, test_mode: testMode, scopes } = call.caller;
      const mayManage = scopes.includes('worklists:manage');
      const source_system = readSourceSystem(call);
      const known = zone ?? (timeZone === undefined ? undefined : await loadZone(timeZone));
      const rules = { validate, testMode, ...(known && { zone: known }) };
      const sent: unknown = body;
      const read = (): Promise<Batch> => {
        if (sent instanceof Uint8Array) return messageBatch(sent, call, rules, readers);
        return sent instanceof UnreadJson ? readUnread(sent, rules) : readBatch(sent, rules);
      };
      const ingestAll = async (packed: PackedExams<Bundle> | undefined) => {
        const batch = packed ? undefined : await read();
        return await call.commit(async (tx) => {
          const arrival = { space, source_system, who: whoIs(call.caller), at: isoNow(clock), mayManage };
          const bundled = packed && ingestBundle(tx, ids, packed, arrival);
          if (sent instanceof UnreadJson) bundling?.note(space, bundled !== undefined);
          return { status: 200 as const, data: bundled ?? (await ingest(tx, ids, batch ?? (await read()), arrival)) };
        });
      };
      if (!bundling) return ingestAll(undefined);
      return bundling.during(async () => {
        const about = { space, source_system, testMode };
        const packed = sent instanceof UnreadJson ? await bundling.pack(sent.bytes, about) : undefined;
        return ingestAll(packed).finally(() => packed?.bundle.close());
      });
    },

    async setStatus({ params, body }, call) {
      const { space } = call.caller;
      const mover = {
        ...toMover(call.caller),
        reason: readReason(body.reason),
        source_system: readSourceSystem(call),
        take_over: body.metadata?.['take_over'] === true,
        metadata: body.metadata,
      };
      return call.commit(async (tx) => {
        const before = await readOwnItem(tx, space, params.id);
        checkIfMatch(call.header('if-match'), before);
        const item = await moveItem(tx, services, before, body.status, mover);
        const { id, accession_number, status, updated_at, reason } = item;
        return {
          status: 200,
          data: { id, accession_number, status, previous_status: before.status, updated_at, reason },
        };
      });
    },

    async assign({ params, body }, call) {
      const { space } = call.caller;
      const mover = {
        ...toMover(call.caller),
        reason: readReason(body.reason),
        source_system: readSourceSystem(call),
        take_over: body.take_over ?? false,
      };
      return call.commit(async (tx) => {
        const before = await readOwnItem(tx, space, params.id);
        checkIfMatch(call.header('if-match'), before);
        const colleague = await tx.get('users', body.to);
        if (colleague?.space !== space) {
          const message = 'to must be the id of a user of this space';
          throw validationFailed([{ field: 'to', message, code: 'INVALID_VALUE' }]);
        }
        const item = await assignItem(tx, services, before, colleague.display_name, mover);
        return { status: 200, data: withReport(item), headers: { ETag: etagOf(item) } };
      });
    },

    async colleagues({ query }, { caller: { space } }) {
      return { status: 200, data: await readPage(store, 'users', space, { is: { space } }, query, toColleague) };
    },

    async list({ query }, { caller: { space } }) {
      return { status: 200, data: await listItems(services, space, query, withReport) };
    },

    async get({ params }, call) {
      const item = await readOwnItem(store, call.caller.space, params.id);
      return { status: 200, data: withReport(item), headers: { ETag: etagOf(item) } };
    },

    async history({ params, query }, call) {
      const { id, space } = await readOwnItem(store, call.caller.space, params.id);
      return { status: 200, data: await readPage(store, 'history', space, { is: { item: id } }, query, toContract) };
    },

    async events(_input, { caller, header, whileAllowed }) {
      return {
        status: 200,
        headers: eventStreamHeaders,
        body: follow({ space: caller.space, lastSeen: header('Last-Event-ID'), signal: whileAllowed }),
      };
    },
  };
}

const readUnread = async (unread: UnreadJson, rules: ItemRules): Promise<Batch> =>
  readBatch(await unread.read(), rules);

async function messageBatch(raw: Uint8Array, { header, caller }: Call, rules: ItemRules, readers: Readers) {
  const type = textBefore(header('content-type') ?? '', ';')
    .trim()
    .toLowerCase();
  const format = findEntry(messageTypes, type);
  if (!format) throw new AppError('UNSUPPORTED_MEDIA_TYPE', { details: { supported: Object.keys(messageTypes) } });
  const { readMessageBatch } = await import('../worklists/ingest/message-batch.ts');
  return readMessageBatch(raw, format, rules, (whole, options) => readers.file(whole, options, caller.space));
}

/** The exam with its report, even if it was stored before the field existed. */
function withReport(item: Documents['items']): Documents['items'] {
  const report = readReport(item);
  return report === item.report ? item : { ...item, ...(report && { report }) };
}

const toColleague = ({ id, display_name }: Documents['users']): Colleague => ({ id, display_name });

/** Types the document as the contract's, which strips the space. */
const toContract = <D>(document: D): D => document;

function readReason(reason: string | undefined): string | null {
  const text = normalForm(reason ?? '').trim();
  if (!isFit('prose', text)) {
    throw validationFailed([
      { field: 'reason', message: 'reason must not contain control characters', code: 'INVALID_FORMAT' },
    ]);
  }
  return text === '' ? null : text;
}
