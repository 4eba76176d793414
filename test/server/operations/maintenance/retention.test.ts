/** What is over goes when it has been kept for long enough; what is open never does. */
import { createLoneMember } from '../../../../server/storage/members.ts';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as fc from '../../../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { createHeldBlobs } from '../../../../server/operations/maintenance/held-blobs.ts';
import { collectOrphans } from '../../../../server/operations/maintenance/orphans.ts';
import { createPurge, purge } from '../../../../server/operations/maintenance/retention.ts';
import { restoreEntry, emptyTrash, trashDays } from '../../../../server/operations/maintenance/trash.ts';
import { openLowdbStore } from '../../../support/lowdb-store.ts';
import { isoNow, manualClock } from '../../../../src/domain/clock.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import { dictated, startApi, startOfTests, succeeded } from '../../../support/api.ts';
import { wav } from '../../../support/audio.ts';
import { createRecordService } from '../../../support/record-service.ts';
import { exportOf } from '../../../support/maintenance.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const day = 24 * 3600 * 1000;
const { records, worklists } = contract;

/** Exams and documents of one service, and what retention leaves of them. */
async function service() {
  const made = await createRecordService();
  const { store, clock, blobs, log, worklist } = made;
  const sign = async (id: string): Promise<void> => {
    await made.routes.records.update({ params: { id }, body: { status: 'final' } }, made.call());
  };
  const logged = made.log_entries;
  return {
    ...made,
    sign,
    /** An exam with a spoken document. */
    async spoken(options: { signed: boolean; status?: 'completed' | 'cancelled' }) {
      const item = await made.exam({ accession_number: `SL-${logged.length}-${Math.random()}` });
      const upload = await made.upload();
      const record = await made.generate(
        { audio: { content_type: 'audio/wav', data: '' }, worklist_item_id: item },
        { upload },
      );
      if (options.signed) await sign(record.id);
      if (options.status) await worklist.setStatus(item, { status: options.status });
      return { item, record: record.id, blob: upload.audio.blob };
    },
    /** What goes to the trash goes for good, unless that is `kept`. */
    async purge({ kept = false, ...days }: { completed?: number; audio?: number; kept?: boolean }): Promise<void> {
      await purge(
        { store, clock, blobs, log },
        {
          completed: days.completed === undefined ? undefined : days.completed * day,
          audio: days.audio === undefined ? undefined : days.audio * day,
          audit: undefined,
        },
      );
      const later = { ...clock, now: () => clock.now() + trashDays * day + 1 };
      if (!kept) await emptyTrash({ store, clock: later, blobs, log: () => {} });
    },
    async left() {
      const ids = async (name: 'items' | 'history' | 'records' | 'versions' | 'jobs') =>
        (await store.find(name, {})).map(({ id }) => id);
      return {
        items: await ids('items'),
        history: await ids('history'),
        records: await ids('records'),
        versions: await ids('versions'),
        jobs: await ids('jobs'),
        audio: await blobs.list(),
      };
    },
  };
}

const nothing = { items: [], history: [], records: [], versions: [], jobs: [], audio: [] };

describe('exams that are over', () => {
  test('go with all that belongs to them, on the day and not before', async () => {
    const made = await service();
    await made.spoken({ signed: true });
    const before = await made.left();
    made.clock.advance(90 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(before);
    made.clock.advance(1);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(nothing);
    expect(made.log_entries).toEqual([
      { level: 'info', event: 'retention_removed', items: 1, records: 1, jobs: 0, audio: 1 },
    ]);
  });

  test('cancelled ones too', async () => {
    const made = await service();
    const item = await made.exam();
    await made.worklist.setStatus(item, { status: 'cancelled' });
    made.clock.advance(91 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(nothing);
  });

  test('stay for ever where nothing else was said', async () => {
    const made = await service();
    await made.spoken({ signed: true });
    const before = await made.left();
    made.clock.advance(5000 * day);
    await made.purge({});
    expect(await made.left()).toEqual(before);
  });

  test('stay while a document of theirs is not signed', async () => {
    const made = await service();
    const { record } = await made.spoken({ signed: false, status: 'completed' });
    const before = await made.left();
    made.clock.advance(1000 * day);
    await made.purge({ completed: 90, audio: 30 });
    expect(await made.left()).toEqual(before);
    await made.sign(record);
    made.clock.advance(91 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(nothing);
  });

  test('stay while a document of theirs had an addendum later', async () => {
    const made = await service();
    const { record } = await made.spoken({ signed: true });
    made.clock.advance(80 * day);
    const { sections } = await made.get(record);
    const body = { sections: [...sections, { key: 'addendum', title: 'Addendum', text: 'Compared with 2025.' }] };
    await made.routes.records.update({ params: { id: record }, body }, made.call());
    const before = await made.left();
    made.clock.advance(20 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(before);
  });

  test('stay while a job works for them', async () => {
    const made = await service();
    made.engine.hold();
    await made.jobs.start();
    const item = await made.exam();
    await made.enqueue({ text: dictated, worklist_item_id: item });
    await made.engine.called(1);
    await made.worklist.setStatus(item, { status: 'completed' });
    made.clock.advance(1000 * day);
    await made.purge({ completed: 90, audio: 30 });
    expect((await made.left()).items).toEqual([item]);
    made.engine.release();
    await made.jobs.stop();
  });

  test('go many at a time, and open ones among them stay', async () => {
    const made = await service();
    for (let at = 0; at < 250; at++) {
      const item = await made.exam({ accession_number: `SL-${at}`, study_uid: `1.2.${at}` });
      if (at % 2 === 0) await made.worklist.setStatus(item, { status: 'cancelled' });
    }
    made.clock.advance(91 * day);
    await made.purge({ completed: 90 });
    expect((await made.left()).items).toHaveLength(125);
  });
});

describe('documents without an exam', () => {
  test('signed documents and ended jobs go, drafts and failed dictations of today stay', async () => {
    const made = await service();
    await made.jobs.start();
    const signed = await made.generate();
    await made.sign(signed.id);
    await made.enqueue();
    await made.jobs.idle();
    made.clock.advance(91 * day);
    const draft = await made.generate();
    await made.purge({ completed: 90 });
    const left = await made.left();
    // What the job made is a draft, so the job stays with it.
    expect(left.records.toSorted()).toEqual([draft.id, left.records.find((id) => id !== draft.id)!].toSorted());
    expect(left.records).not.toContain(signed.id);
    expect(left.jobs).toHaveLength(1);
    await made.jobs.stop();
  });
});

describe('audio', () => {
  test('goes earlier than the document, which then has none', async () => {
    const made = await service();
    const { record } = await made.spoken({ signed: true });
    const draft = await made.spoken({ signed: false });
    made.clock.advance(31 * day);
    await made.purge({ completed: 90, audio: 30 });
    expect(await made.blobs.list()).toEqual([draft.blob]);
    const kept = await made.get(record);
    expect(kept).toMatchObject({ status: 'final', version: 2, source: { kind: 'audio' } });
    await expect(made.routes.records.audio({ params: { id: record } }, made.call())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(made.log_entries).toEqual([
      { level: 'info', event: 'retention_removed', items: 0, records: 0, jobs: 0, audio: 1 },
    ]);
  });
});

test('deleted items leave the disk as well: at once, or within a day of the last time', async () => {
  const directory = await temporaryDirectory();
  const { clock, blobs, log } = await createRecordService();
  const store = await openLowdbStore({ directory, clock });
  const put = (accession_number: string, changes = {}) =>
    store.transact(async (tx) =>
      tx.put('items', storedItem(`wli_${accession_number}`, { accession_number, ...changes })),
    );
  const cancelled = () => ({ status: 'cancelled' as const, updated_at: new Date(clock.now()).toISOString() });
  const work = createPurge({ store, clock, blobs, log }, { completed: 90 * day, audio: undefined, audit: undefined });
  const onDisk = async (): Promise<string> => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.laudio'));
    return (await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))).join('');
  };

  await put('OPEN-1');
  await put('FIRST-1', cancelled());
  clock.advance(3600_000);
  await put('SECOND-1', cancelled());
  clock.advance(90 * day - 1800_000);
  await work();
  clock.advance(3600_000);
  await work();
  expect(await store.find('items', {})).toHaveLength(1);
  clock.advance(trashDays * day - 1800_000);
  await work();
  expect(await onDisk()).not.toContain('FIRST-1');
  clock.advance(3600_000);
  await work();
  expect(await store.find('trash', {})).toEqual([]);
  expect(await onDisk()).toContain('SECOND-1');
  clock.advance(day);
  await work();
  expect(await onDisk()).not.toContain('SECOND-1');
  expect(await onDisk()).toContain('OPEN-1');
  await store.close();
});

const look = 15 * 60 * 1000;

test('a server does it by itself, every quarter of an hour', async () => {
  const api = await startApi({ retention: { completed: 90 * day } }, onTestFinished);
  const id = await api.exam();
  succeeded(await api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'cancelled' } }));
  api.clock.advance(90 * day);
  await expect
    .poll(() => {
      api.clock.advance(look);
      return api.logged;
    })
    .toContainEqual(expect.objectContaining({ event: 'retention_removed', items: 1 }));
  expect(await exportOf(api, { collections: 'items' })).not.toContain(id);
});

describe('the trash', () => {
  test('gives back an exam with its report and its audio as they were, and keeps it as long again', async () => {
    const made = await service();
    const { item, record, blob } = await made.spoken({ signed: true });
    const [before, report] = [await made.left(), await made.get(record)];
    made.clock.advance(91 * day);
    await made.purge({ completed: 90, kept: true });
    expect(await made.left()).toEqual({ ...nothing, audio: [blob] });
    made.clock.advance(6 * day);
    await collectOrphans({ ...made, blobs: createHeldBlobs(made.blobs, createLoneMember('member')) });
    await made.store.transact((tx) => restoreEntry(tx, made, item));
    expect(await made.left()).toEqual(before);
    expect(await made.get(record)).toEqual({ ...report, updated_at: isoNow(made.clock) });
    expect((await made.worklist.item(item)).updated_at).toBe(isoNow(made.clock));
    made.clock.advance(89 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(before);
    made.clock.advance(2 * day);
    await made.purge({ completed: 90 });
    expect(await made.left()).toEqual(nothing);
  });

  test('gives back the audio of a report that stayed', async () => {
    const made = await service();
    const { record } = await made.spoken({ signed: true });
    const before = await made.left();
    made.clock.advance(31 * day);
    await made.purge({ audio: 30, kept: true });
    await made.store.transact((tx) => restoreEntry(tx, made, record));
    await made.purge({ audio: 30 });
    expect(await made.left()).toEqual(before);
  });

  test('gives nothing back where another exam has its number, and then nothing is changed', async () => {
    const api = await startApi({ retention: { completed: 90 * day } }, onTestFinished);
    const accession_number = 'SL-TRASH';
    const id = await api.exam({ accession_number });
    succeeded(await api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'cancelled' } }));
    api.clock.advance(90 * day);
    const { trash, restoreTrash } = contract.maintenance.endpoints;
    const listed = async () => succeeded(await api.call(trash)).items;
    await expect
      .poll(async () => {
        api.clock.advance(look);
        return listed();
      })
      .toMatchObject([{ id, kind: 'exam', accession_number }]);
    const token = (await api.tokens()).access_token;
    const other = await api.exam({ accession_number }, { token });
    const refused = await api.call(restoreTrash, { params: { id } });
    expect(refused).toMatchObject({ status: 409, error: { code: 'IDENTIFIER_CONFLICT', details: { id: other } } });
    expect(await listed()).toHaveLength(1);
    expect((await api.call(worklists.endpoints.get, { params: { id }, token })).status).toBe(404);
    expect((await api.call(restoreTrash, { params: { id: 'wli_1' } })).status).toBe(404);
  });
});

describe('a clock that is ahead', () => {
  const years = 3650 * day;

  /** A server over that directory, whose clock says that hour, and looks so often. */
  async function runs(dataDir: string, start: number, looks: number) {
    const clock = manualClock(start);
    const begun: Promise<void>[] = [];
    const watched: ManualClock = {
      ...clock,
      schedule: (at, task) => clock.schedule(at, () => void begun.push(Promise.resolve(task()))),
    };
    const api = await startApi(
      { isPrompt: true, dataDir, clock: watched, retention: { completed: 90 * day } },
      onTestFinished,
    );
    const passes = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        clock.advance(look);
        for (const work of begun.splice(0)) await work;
        for (let turns = 0; turns < 20; turns++) await setImmediate();
      }
    };
    await passes(looks);
    const items = async () => (await exportOf(api, { collections: 'items' })).split('\n').length - 2;
    return { api, clock, passes, items };
  }
  const start = Date.parse(startOfTests);

  async function withCancelled() {
    const directory = await temporaryDirectory();
    const { api } = await runs(directory, start, 0);
    const id = await api.exam();
    succeeded(await api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'cancelled' } }));
    await api.close();
    return directory;
  }

  test('at a start removes nothing in the hours in which it is put right, and says what it would remove', async () => {
    const directory = await withCancelled();
    const first = await runs(directory, start + years, 8 * 4);
    expect(await first.items()).toBe(1);
    await expect
      .poll(() => first.api.logged.filter(({ event }) => event === 'retention_waits'))
      .toEqual([expect.objectContaining({ level: 'warn', reason: 'clock_ahead', items: 1, records: 0 })]);
    // The day on which the clock is put right.
    first.clock.set(start + day);
    await first.passes(100 * 4);
    expect(await first.items()).toBe(1);
    await first.api.close();
    const second = await runs(directory, start + 91 * day, 4);
    expect(await second.items()).toBe(1);
    await second.passes(80 * 4);
    expect(await second.items()).toBe(0);
  });

  test('while the server runs begins the wait again', async () => {
    const directory = await withCancelled();
    const { api, clock, passes, items } = await runs(directory, start + day, 4 * 4);
    clock.set(start + years);
    await passes(4 * 4);
    clock.set(start + 2 * day);
    await passes(4 * 4);
    expect(await items()).toBe(1);
    expect(api.logged.some(({ event }) => event === 'retention_removed')).toBe(false);
  });
});

describe('orphans', () => {
  test('are collected once they are an hour old, and never what a document names', async () => {
    const steps = fc.constantFrom('upload', 'generate', 'enqueue', 'crash', 'delete', 'later', 'collect');
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 30 }), async (chosen) => {
        const made = await createRecordService();
        const blobs = createHeldBlobs(made.blobs, createLoneMember('member'));
        const collect = () => collectOrphans({ ...made, blobs });
        const namedIn = async (): Promise<Set<string>> => {
          const jobs = (await made.store.find('jobs', {})).map(({ audio }) => audio?.blob);
          const documents = (await made.store.find('records', {})).map(({ audio_blob: blob }) => blob);
          return new Set([...jobs, ...documents].filter((blob) => typeof blob === 'string'));
        };
        const born = new Map<string, number>();
        const living: string[] = [];
        for (const step of chosen) {
          if (step === 'later') made.clock.advance(40 * 60 * 1000);
          else if (step === 'collect') await collect();
          else if (step === 'delete') {
            const id = living.pop();
            if (id !== undefined) await made.routes.records.delete({ params: { id } }, made.call());
          } else {
            const upload = await made.upload();
            born.set(upload.audio.blob, made.clock.now());
            const body = { audio: { content_type: 'audio/wav' as const, data: '' } };
            if (step === 'generate') living.push((await made.generate(body, { upload })).id);
            else if (step === 'enqueue') await made.enqueue(body, { upload });
            // An upload under way, and one whose process ended, look the same on the disk.
          }
          const named = await namedIn();
          const kept = new Set(await made.blobs.list());
          for (const blob of named) expect(kept).toContain(blob);
          if (step !== 'collect') continue;
          for (const blob of kept)
            if (!named.has(blob)) expect(made.clock.now() - born.get(blob)!).toBeLessThanOrEqual(3600_000);
        }
        made.clock.advance(3600_001);
        await collect();
        for (const id of living.splice(0)) await made.routes.records.delete({ params: { id } }, made.call());
        await made.jobs.idle();
        expect(new Set(await made.blobs.list())).toEqual(await namedIn());
      }),
      { numRuns: 40 },
    );
  });

  test('wait while a backup or a restore holds the audio', async () => {
    const made = await createRecordService();
    const blobs = createHeldBlobs(made.blobs, createLoneMember('member'));
    const { audio } = await made.upload();
    made.clock.advance(2 * 3600_000);
    const release = await blobs.hold();
    await blobs.remove(audio.blob);
    expect(await collectOrphans({ ...made, blobs })).toBe(0);
    expect(await blobs.list()).toEqual([audio.blob]);
    await release();
    expect(await collectOrphans({ ...made, blobs })).toBe(1);
    expect(await blobs.list()).toEqual([]);
  });

  test('of a server that was killed go when the next one has run for hours', async () => {
    const directory = await temporaryDirectory();
    const first = await startApi({ dataDir: directory }, onTestFinished);
    await first.generate({ audio: { content_type: 'audio/wav', data: wav().toString('base64') } });
    await first.close();
    await writeFile(join(directory, 'audio', 'blb_01JNBK4V9Q0000000000000000'), 'left behind');
    const { clock } = await startApi({ dataDir: directory }, onTestFinished);
    expect(await readdir(join(directory, 'audio'))).toHaveLength(2);
    await expect
      .poll(() => {
        clock.advance(look);
        return readdir(join(directory, 'audio'));
      })
      .toHaveLength(1);
  });
});

test('audio goes with its document', async () => {
  const directory = await temporaryDirectory();
  const api = await startApi({ dataDir: directory }, onTestFinished);
  const { id } = await api.generate({ audio: { content_type: 'audio/wav', data: wav().toString('base64') } });
  expect(await readdir(join(directory, 'audio'))).toHaveLength(1);
  succeeded(await api.call(records.endpoints.delete, { params: { id } }));
  expect(await readdir(join(directory, 'audio'))).toEqual([]);
});
