/** `updated_since`: what changed, by the order of commits, whatever the clock and the disk do. */
import * as fc from '../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { orderMessage } from '../../support/mllp.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { createDocumentStore } from '../../../server/storage/transactions/document-store.ts';
import { createGroupCommit } from '../../../server/storage/lowdb/group-commit.ts';
import { createTables, revertChanges } from '../../../server/storage/transactions/tables.ts';
import { openLowdbStore } from '../../support/lowdb-store.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

/** A worklist whose commits become durable only when they are let through. */
function onSlowDisk() {
  const waiting: (() => void)[] = [];
  const worklist = createWorklist((clock) => {
    const tables = createTables();
    const log = createGroupCommit({
      write: () => new Promise((resolve) => void waiting.push(resolve)),
      replace: async () => {},
      compact: async () => {},
      probe: async () => {},
      undo: (changes, former) => revertChanges(tables, changes, former),
    });
    return createDocumentStore('slow', tables, log, { clock, log: () => {} });
  });
  return { ...worklist, letThrough: () => waiting.shift()?.() };
}

/** What a RIS knows that asks again and again, by accession number. */
function follower(list: ReturnType<typeof createWorklist>['list']) {
  const known = new Map<string, number>();
  let since: string | undefined;
  return {
    known,
    async ask(limit = 2) {
      let cursor: string | undefined;
      let until = '';
      do {
        const page = await list({ limit, ...(since && { updated_since: since }), ...(cursor && { cursor }) });
        for (const { accession_number, version } of page.items) known.set(accession_number!, version);
        cursor = page.next_cursor ?? undefined;
        until = page.updated_until;
      } while (cursor !== undefined);
      since = until;
    },
  };
}

const settled = () => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

describe('updated_since', () => {
  test('nothing is missed, however commits, a clock that is set back, and questions interleave', async () => {
    const step = fc.oneof(
      fc.record({ send: fc.constantFrom('A', 'B', 'C', 'D'), room: fc.integer({ min: 0, max: 3 }) }),
      fc.record({ move: fc.constantFrom('A', 'B') }),
      fc.record({ clock: fc.integer({ min: -5000, max: 1000 }) }),
      fc.constant('durable' as const),
      fc.constant('ask' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { list, ingest, setStatus, clock, letThrough } = onSlowDisk();
        const ris = follower(list);
        const sent: Promise<unknown>[] = [];
        for (const each of steps) {
          if (each === 'ask') await ris.ask();
          else if (each === 'durable') letThrough();
          else if ('clock' in each) clock.set(clock.now() + each.clock);
          else if ('send' in each) {
            sent.push(ingest(exam({ accession_number: each.send, exam_room: String(each.room) })));
          } else {
            const { items } = await list({ accession_number: each.move });
            const status = items[0]?.status === 'cancelled' ? 'new' : 'cancelled';
            if (items[0]) sent.push(setStatus(items[0].id, { status }).catch(() => undefined));
          }
          await settled();
        }
        let isDone = false;
        void Promise.all(sent).then(() => (isDone = true));
        for (; !isDone; await settled()) letThrough();
        await ris.ask();
        const { items } = await list();
        expect(Object.fromEntries(ris.known)).toEqual(
          Object.fromEntries(items.map(({ accession_number, version }) => [accession_number, version])),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('returns changes only; a date begins, and all pages have one end', async () => {
    const { ingest, list, clock, setStatus } = createWorklist();
    const numbers = async (query: Parameters<typeof list>[0]) =>
      (await list(query)).items.map(({ accession_number }) => accession_number);
    const { items } = await ingest(['A', 'B', 'C'].map((accession_number) => exam({ accession_number })));
    const { updated_until } = await list();
    expect(await numbers({ updated_since: updated_until })).toEqual([]);
    await ingest(exam({ accession_number: 'A' }));
    expect(await numbers({ updated_since: updated_until })).toEqual([]);
    clock.advance(60_000);
    const at = new Date(clock.now()).toISOString();
    await setStatus(items[1]!.id!, { status: 'cancelled' });
    expect(await numbers({ updated_since: updated_until })).toEqual(['B']);
    expect(await numbers({ updated_since: at })).toEqual(['B']);
    expect(await numbers({ updated_since: at, status: 'new' })).toEqual([]);
    expect(await numbers({ updated_since: '2026-03-02' })).toEqual(['C', 'B', 'A']);
    expect(await numbers({ updated_since: '2026-03-03' })).toEqual([]);
    const first = await list({ limit: 1 });
    await ingest(exam({ accession_number: 'D' }));
    const second = await list({ limit: 1, cursor: first.next_cursor! });
    expect(second.updated_until).toBe(first.updated_until);
    expect(await numbers({ updated_since: second.updated_until })).toEqual(['D']);
  });

  test.each(['', 'u', 'yesterday', 'u0', 'uzzzzzzzzzzz', 'U1', '2026-13-01', 'abc'])(
    '%j is refused: neither a time nor of these items',
    async (updated_since) => {
      const { ingest, list, store } = createWorklist();
      await ingest(exam());
      await store.overhaul(async () => {});
      await ingest(exam({ accession_number: 'SL-2' }));
      expect(fieldErrorsOf(await refusal(list({ updated_since })))).toMatchObject([{ field: 'updated_since' }]);
    },
  );

  test('a position from before a restore is refused: its reader lists all again', async () => {
    const { ingest, list, store } = createWorklist();
    await ingest(exam());
    const { updated_until: before } = await list();
    await store.overhaul(async () => {});
    await ingest(exam({ exam_room: 'Sala 2' }));
    const error = await refusal(list({ updated_since: before }));
    expect(error.message).toContain('list all items again');
    const { updated_until } = await list();
    expect((await list({ updated_since: updated_until })).items).toEqual([]);
  });

  test('continues over a restart, also if the last message repeated an order in the same words', async () => {
    const dataDir = await temporaryDirectory();
    const { ingest, list } = contract.worklists.endpoints;
    const headers = { 'content-type': 'application/hl7-v2' };
    const before = await startApi({ dataDir }, onTestFinished);
    for (const minute of ['28', '29']) {
      before.clock.advance(1000);
      const body = orderMessage().replace('|20260302083000', `|2026030208${minute}00`);
      succeeded(await before.call(ingest, { body, headers }));
    }
    const { updated_until: updated_since } = succeeded(await before.call(list));
    await before.close();
    const after = await startApi({ dataDir, clock: before.clock }, onTestFinished);
    expect(succeeded(await after.call(list, { query: { updated_since } })).items).toEqual([]);
    await after.exam({ accession_number: 'A2' });
    const { items } = succeeded(await after.call(list, { query: { updated_since } }));
    expect(items.map(({ accession_number }) => accession_number)).toEqual(['A2']);
  });

  test('goes on over a restart where the item that was changed last was removed before it', async () => {
    const dataDir = await temporaryDirectory();
    const { list } = contract.worklists.endpoints;
    const before = await startApi({ dataDir }, onTestFinished);
    await before.exam({ accession_number: 'A1' });
    before.clock.advance(1000);
    await before.exam({ accession_number: 'A2' });
    const { items, updated_until: updated_since } = succeeded(await before.call(list));
    await before.close();
    const store = await openLowdbStore({ directory: dataDir });
    await store.transact(async (tx) => tx.remove('items', items[0]!.id));
    await store.close();
    before.clock.advance(1000);
    const after = await startApi({ dataDir, clock: before.clock }, onTestFinished);
    expect(succeeded(await after.call(list, { query: { updated_since } })).items).toEqual([]);
    await after.exam({ accession_number: 'A3' });
    const changed = succeeded(await after.call(list, { query: { updated_since } })).items;
    expect(changed.map(({ accession_number }) => accession_number)).toEqual(['A3']);
  });
});
