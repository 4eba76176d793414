/** A monitor that asks and a list of channels cost as much with 10,000 messages that wait as with none: nobody reads them. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../../../server/storage/store.ts';
import { Table } from '../../../../server/storage/tables/table.ts';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';

test('10,000 messages are counted by state and channel, and none is read', async () => {
  const api = await startApi({ isPrompt: true }, onTestFinished);
  const { channels, system, maintenance } = contract;
  const add = async (name: string): Promise<string> => {
    const settings = { path: '/nowhere' };
    const body = { name, kind: 'folder-out', enabled: false, settings };
    return succeeded(await api.call(channels.endpoints.add, { body }), 201).id;
  };
  const [ris, archive] = [await add('ris'), await add('archive')];
  const start = Date.parse('2026-03-02T11:00:00.000Z');
  const lines = Array.from({ length: 10_000 }, (_, n) => {
    const id = `msg_01J${String(n).padStart(23, '0')}`;
    const state = n % 10 === 0 ? 'refused' : n % 10 === 1 ? 'delivered' : 'waiting';
    const at = new Date(start + n).toISOString();
    const error = { code: 'AE', message: 'Unknown order.' };
    const document = {
      id,
      space: 'default',
      channel_id: n % 4 === 0 ? archive : ris,
      direction: 'out',
      state,
      at,
      updated_at: at,
      key: null,
      error: state === 'refused' ? error : null,
      warnings: [],
      event: 'worklist.document.completed',
      lane: `lane ${n}`,
    };
    return JSON.stringify({ collection: 'messages', document });
  });
  const exported = await api.call(maintenance.endpoints.export, { query: { collections: 'jobs' } });
  const body = [exported.text.split('\n', 1)[0], ...lines, ''].join('\n');
  succeeded(await api.call(maintenance.endpoints.seed, { body, headers: { 'content-type': 'application/x-ndjson' } }));
  const read = vi.spyOn(Table.prototype, 'documentAt');
  onTestFinished(() => read.mockRestore());
  const { items } = succeeded(await api.call(channels.endpoints.list));
  const counts = Object.fromEntries(items.map(({ name, counts: each }) => [name, each]));
  // The first of ris is delivered.
  const oldest = Object.fromEntries(items.map(({ name, oldest_open_at: since }) => [name, since]));
  expect(oldest).toEqual({ ris: new Date(start + 2).toISOString(), archive: new Date(start).toISOString() });
  expect(counts).toEqual({ ris: { waiting: 6000, refused: 500 }, archive: { waiting: 2000, refused: 500 } });
  const { text } = await api.call(system.endpoints.metrics);
  expect(text).toContain('laudio_channel_messages_open{state="waiting"} 8000\n');
  expect(text).toContain('laudio_channel_messages_open{state="refused"} 1000\n');
  expect(text).toContain('laudio_channel_messages{channel="ris",state="waiting"} 6000\n');
  expect(text).toContain('laudio_channel_oldest_open_seconds{channel="archive"} 1800\n');
  expect(text).not.toContain('laudio_channel_last_message_seconds{');
  expect(read.mock.calls.length).toBeLessThan(100);
});

test('a list of channels lets others have their turn between two channels', async () => {
  let asked = 0;
  const counting: Pick<Store, 'count'> = { count: async () => (asked += 1) };
  const api = await startApi({ isPrompt: true, store: (real) => ({ ...real, ...counting }) }, onTestFinished);
  const { channels } = contract;
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const body = { name, kind: 'folder-out', enabled: false, settings: { path: '/nowhere' } };
    succeeded(await api.call(channels.endpoints.add, { body }), 201);
  }
  // Each look at the time is 5 ms later.
  let ms = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 5));
  onTestFinished(() => now.mockRestore());
  asked = 0;
  let [before, most, isDone] = [0, 0, false];
  const turn = (): void => {
    most = Math.max(most, asked - before);
    before = asked;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  succeeded(await api.call(channels.endpoints.list));
  isDone = true;
  turn();
  expect([asked, most]).toEqual([10, 2]);
});
