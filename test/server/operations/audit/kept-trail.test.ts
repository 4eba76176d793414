/** A trail of which a part lies in segments, as the operator backs it up, restores, exports, resets, checks and shortens it. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../../src/contract/audit.ts';
import { contract } from '../../../../src/contract/index.ts';
import { startApi, succeeded } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { backupOf, exportOf, restoreTo } from '../../../support/maintenance.ts';
import { checkDirectory } from '../../../support/lowdb-store.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const { list, verify } = contract.audit.endpoints;
const { maintenance, system } = contract;
const look = 15 * 60_000;
const day = 24 * 3600_000;

const entriesOf = async (api: Api): Promise<AuditEntry[]> =>
  succeeded(await api.call(list, { query: { limit: 1000 } })).items;
const numbersOf = async (api: Api): Promise<number[]> => (await entriesOf(api)).map(({ number }) => number);
const verdictOf = async (api: Api, query = {}) => succeeded(await api.call(verify, { query }));
const listSegments = async (api: Api): Promise<number> =>
  Number(succeeded(await api.call(system.endpoints.status)).stored['audit_segments']);

/** Lets the server look again and again until it has done it. */
const until = (api: Api, isDone: () => Promise<boolean>): Promise<void> =>
  expect
    .poll(async () => {
      api.clock.advance(look);
      return isDone();
    })
    .toBe(true);

/** A server whose entries were all moved to a segment, after a week. */
async function withSegment(options: ApiOptions = {}): Promise<Api> {
  const api = await startApi(options, onTestFinished);
  await api.exam();
  await entriesOf(api);
  api.clock.advance(8 * day);
  await until(api, async () => (await listSegments(api)) === 1);
  return api;
}

const oneToTheNewest = (newest: number): number[] => Array.from({ length: newest }, (_, nth) => newest - nth);

test('a backup has the segments; its restore replaces those that were there, and they go', async () => {
  const [directory, otherDirectory] = [await temporaryDirectory(), await temporaryDirectory()];
  const api = await withSegment({ dataDir: directory });
  const other = await withSegment({ dataDir: otherDirectory });
  const bytes = await backupOf(api);
  const replaced = (await verdictOf(other)).head;
  const restored = await restoreTo(other, bytes);
  expect(restored).toMatchObject({ status: 200, data: { audio_files: 0, missing_audio: 0 } });
  const entries = await entriesOf(other);
  expect(entries[0]).toMatchObject({ action: 'maintenance.restore', replaced });
  expect(entries.slice(1)).toEqual((await entriesOf(api)).slice(-entries.length + 1));
  expect(await verdictOf(other)).toMatchObject({ sound: true, entries: entries.length });
  const blobs = async (path: string) => (await readdir(join(path, 'audio'))).filter((name) => name.startsWith('blb_'));
  expect(await blobs(otherDirectory)).toEqual(await blobs(directory));
});

test('a reset and a named snapshot keep the segments, and an export has their entries', async () => {
  const api = await withSegment();
  const params = { name: 'morning' };
  succeeded(await api.call(maintenance.endpoints.saveSnapshot, { params }));
  succeeded(await api.call(maintenance.endpoints.reset, { body: {} }));
  const entries = await entriesOf(api);
  expect(entries.map(({ number }) => number)).toEqual(oneToTheNewest(entries.length));
  expect(await verdictOf(api)).toMatchObject({ sound: true });
  const lines = (await exportOf(api, { collections: 'audit' })).trimEnd().split('\n').slice(1);
  const exported = lines.map((line) => (JSON.parse(line) as { document: AuditEntry & { id: string } }).document);
  expect(exported.map(({ id: _id, ...entry }) => entry)).toEqual((await entriesOf(api)).slice(1).toReversed());
  expect((await api.call(maintenance.endpoints.export, { query: { collections: 'audit_segments' } })).status).toBe(400);
  succeeded(await api.call(maintenance.endpoints.loadSnapshot, { params }));
  expect((await entriesOf(api))[0]).toMatchObject({ action: 'maintenance.loadSnapshot' });
  expect(await verdictOf(api)).toMatchObject({ sound: true });
});

test('survives a restart, and a check names a segment that is gone', async () => {
  const directory = await temporaryDirectory();
  const first = await withSegment({ dataDir: directory });
  const { head } = await verdictOf(first);
  await first.close();
  expect(await checkDirectory({ directory })).toMatchObject({ sound: true, audio: { named: 1, bad: 0 } });
  const api = await startApi({ dataDir: directory, clock: first.clock }, onTestFinished);
  const { number, hash } = head;
  expect(await verdictOf(api, { number, hash })).toMatchObject({ sound: true });
  expect(await numbersOf(api)).toEqual(oneToTheNewest((await verdictOf(api)).entries));
  await api.close();
  const [blob] = (await readdir(join(directory, 'audio'))).filter((name) => name.startsWith('blb_'));
  await writeFile(join(directory, 'audio', blob!), 'x');
  expect(await checkDirectory({ directory })).toMatchObject({
    sound: false,
    problems: [{ file: `audio/${blob}`, what: expect.stringContaining('segment of the audit trail') }],
  });
  const damaged = await startApi({ dataDir: directory, clock: first.clock }, onTestFinished);
  expect(await verdictOf(damaged)).toMatchObject({ sound: false, broken: { number: 1 } });
  expect((await damaged.call(list, { query: { limit: 1000 } })).error).toMatchObject({ code: 'INTERNAL_ERROR' });
});

test('is kept for ever unless retention was asked for; then whole segments go, and the trail says so', async () => {
  const kept = await withSegment();
  await kept.exam({}, { token: (await kept.tokens()).access_token });
  kept.clock.advance(5000 * day);
  await until(kept, async () => (await listSegments(kept)) > 1);
  expect(await numbersOf(kept)).toEqual(oneToTheNewest((await verdictOf(kept)).head.number));

  const api = await withSegment({ retention: { audit: 30 * day } });
  const noted = (await verdictOf(api)).head;
  const moved = noted.number - (await numbersOf(api)).indexOf(noted.number);
  api.clock.advance(29 * day);
  await until(api, async () => (await verdictOf(api)).removed !== null);
  const { sound, removed, head, entries } = await verdictOf(api);
  expect({ sound, removed }).toEqual({
    sound: true,
    removed: { number: expect.any(Number), hash: expect.stringMatching(/^[\w-]{43}$/), kept_s: 30 * 24 * 3600 },
  });
  const gone = removed!.number;
  expect(gone).toBeLessThanOrEqual(moved);
  expect(entries).toBe(head.number - gone);
  const rest = await entriesOf(api);
  expect(rest.map(({ number }) => number)).toEqual(oneToTheNewest(head.number).slice(0, entries));
  expect(rest.filter((entry) => entry.removed)).toMatchObject([
    { by: 'service', action: 'audit.remove', kind: 'audit', ids: [], removed },
  ]);
  expect(api.logged).toContainEqual({ level: 'info', event: 'audit_entries_removed', entries: gone });
  // A head that was noted is compared as long as there is something to compare it with.
  expect(await verdictOf(api, { number: gone, hash: removed!.hash })).toMatchObject({ sound: true });
  expect(await verdictOf(api, { number: gone, hash: 'A'.repeat(43) })).toMatchObject({ broken: { number: gone } });
  expect((await api.call(verify, { query: { number: 1, hash: 'A'.repeat(43) } })).error).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining(`up to ${gone}`),
  });
});

test('a clock that is ahead removes no entry, and the log says which it would remove', async () => {
  const directory = await temporaryDirectory();
  const first = await withSegment({ dataDir: directory });
  const { head } = await verdictOf(first);
  await first.close();
  first.clock.advance(400 * day);
  const api = await startApi(
    { dataDir: directory, clock: first.clock, retention: { audit: 30 * day } },
    onTestFinished,
  );
  await until(api, async () => api.logged.some(({ event }) => event === 'retention_waits'));
  api.clock.advance(2 * day);
  await until(api, async () => (await verdictOf(api)).head.number >= head.number);
  expect(await verdictOf(api)).toMatchObject({ removed: null, sound: true });
  expect(api.logged.find(({ event }) => event === 'retention_waits')).toMatchObject({
    reason: 'clock_ahead',
    audit_entries: expect.any(Number),
  });
});
