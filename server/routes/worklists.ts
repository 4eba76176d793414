/** Worklists: ingest, status, reading. */
import type { Handlers, Input } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import type { worklists } from '../../src/contract/worklist.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { instantOf, periodOf } from '../../src/domain/iso-time.ts';
import { hasControlCharacters } from '../../src/domain/normalise.ts';
import { textSearch } from '../../src/domain/search-text.ts';
import { isOver } from '../../src/domain/worklist-state.ts';
import type { Call } from '../call.ts';
import { pageOf } from '../paging.ts';
import type { PageQuery } from '../paging.ts';
import type { Services } from '../services.ts';
import { key } from '../store/collections.ts';
import type { Documents } from '../store/collections.ts';
import type { ItemValidator } from '../worklists/check-item.ts';
import { eventStream } from '../event-stream.ts';
import { ingest, readBatch } from '../worklists/ingest.ts';
import { sourceSystemOf } from '../worklists/source-system.ts';
import { moveItem, ownItem, whoIs } from '../worklists/item-status.ts';

type WorklistServices = Pick<Services, 'store' | 'clock' | 'ids' | 'feed'>;
type ListQuery = Input<(typeof worklists)['endpoints']['list']>['query'];

/** `validate` checks a single item against `WorklistItemInput`, so that one bad item of a batch leaves the others be. */
export function worklistRoutes(services: WorklistServices, validate: ItemValidator): Handlers<typeof worklists, Call> {
  const { store, clock, ids, feed } = services;
  return {
    async ingest({ body }, call) {
      const { space, test_mode: testMode } = call.caller;
      const source_system = sourceSystemOf(call);
      const batch = readBatch(body, { validate, testMode });
      const { status, data, changes } = await call.commit(async (tx) => {
        const { result, changes } = await ingest(tx, ids, batch, { space, source_system, at: isoNow(clock) });
        return { status: 200 as const, data: result, changes };
      });
      feed.publish(changes);
      return { status, data };
    },

    async setStatus({ params, body }, call) {
      const { space } = call.caller;
      const mover = {
        who: whoIs(call.caller),
        reason: reasonOf(body.reason),
        source_system: sourceSystemOf(call),
        take_over: body.metadata?.['take_over'] === true,
        metadata: body.metadata,
      };
      const { status, data, change } = await call.commit(async (tx) => {
        const before = await ownItem(tx, space, params.id);
        const { item, change } = await moveItem(tx, services, before, body.status, mover);
        const { id, accession_number, status, updated_at, reason } = item;
        return {
          status: 200 as const,
          data: { id, accession_number, status, previous_status: before.status, updated_at, reason },
          change,
        };
      });
      if (change) feed.publish([change]);
      return { status, data };
    },

    async list({ query }, call) {
      const { space } = call.caller;
      const isTimed = query.from !== undefined || query.to !== undefined;
      const period = isTimed ? periodOf(query) : undefined;
      const page = { ...rangeOf(space, query.status, period), where: filterOf(query, period) };
      return { status: 200, data: await pageOf(store, 'items', space, page, query) };
    },

    async get({ params }, call) {
      return { status: 200, data: await ownItem(store, call.caller.space, params.id) };
    },

    async history({ params, query }, call) {
      const { id, space } = await ownItem(store, call.caller.space, params.id);
      return { status: 200, data: await pageOf(store, 'history', space, { index: 'item', key: id }, query) };
    },

    async events(_input, { caller, header, whileAllowed }) {
      return {
        status: 200,
        headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store' },
        body: eventStream({
          feed,
          name: 'item',
          clock,
          space: caller.space,
          lastSeen: header('Last-Event-ID'),
          signal: whileAllowed,
        }),
      };
    },
  };
}

function reasonOf(reason: string | undefined): string | null {
  const text = reason?.normalize('NFC').trim() ?? '';
  // Line ends and tabs may stand in a reason.
  if (hasControlCharacters(text.replace(/\s/g, ' '))) {
    throw validationFailed([
      { field: 'reason', message: 'reason must not contain control characters', code: 'INVALID_FORMAT' },
    ]);
  }
  return text === '' ? null : text;
}

const dayMs = 24 * 3600 * 1000;

type Period = ReturnType<typeof periodOf>;

/** Where to look. Open exams are few at any time, those that are over become ever more. */
function rangeOf(space: string, status: ListQuery['status'], period: Period | undefined): PageQuery<'items'> {
  if (status && !(period && isOver(status))) return { index: 'status', key: key(space, status) };
  if (!period) return { index: 'space', key: space };
  const { from, to } = period;
  // A day too many at both ends, since it begins and ends elsewhere at other instants.
  return { index: 'day', key: key(space, dayOf(from - dayMs)), until: dayOf(to + dayMs) };
}

/** `YYYY-MM-DD`; the first and the last one there are for what lies beyond. */
const dayOf = (instant: number): string =>
  new Date(Math.min(Math.max(instant, firstInstant), lastInstant)).toISOString().slice(0, 10);
const firstInstant = Date.parse('0000-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T23:59:59Z');

/** What the range has not seen to. */
function filterOf(query: ListQuery, period: Period | undefined): (item: Documents['items']) => boolean {
  const { status, source_system, assigned_to } = query;
  const modality = query.modality?.trim().toUpperCase();
  const matches = query.q === undefined ? undefined : textSearch(query.q);
  return (item) => {
    if (status !== undefined && item.status !== status) return false;
    if (modality !== undefined && item.modality !== modality) return false;
    if (source_system !== undefined && item.source_system !== source_system) return false;
    if (assigned_to !== undefined && item.assigned_to !== assigned_to) return false;
    if (period) {
      const at = instantOf(item.exam_datetime);
      if (!(at >= period.from && at <= period.to)) return false;
    }
    return (
      !matches ||
      matches([item.patient_name, item.display_name, item.patient_id, item.accession_number, item.exam_description])
    );
  };
}
