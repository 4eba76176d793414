/**
 * A disk that is full or broken, as clients, monitors and the operator see it: writes get 503, reads stay up, and once
 * there is room everything goes on without a restart.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { isEventStream } from '../../../src/contract/endpoint.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, examFields, startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { createServer } from '../../../server/index.ts';
import { programBytes } from '../../../server/storage/ceiling.ts';
import type { Store } from '../../../server/storage/store.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { createReceiver } from '../delivery/webhooks/receiver.ts';
import { controlledStore } from './controlled-store.ts';
import { everyEndpoint } from './endpoints.ts';
import { audioPart, multipart, multipartType } from './multipart.ts';

const { worklists, records, jobs, system, webhooks } = contract;
const { ready, health, status } = system.endpoints;
const unavailable = {
  status: 503,
  error: { code: 'STORAGE_UNAVAILABLE' },
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
};

describe('a store that refuses every write', () => {
  const start = async () => {
    const storage = controlledStore();
    const api = await startApi({ store: storage.between }, onTestFinished);
    const cause = Object.assign(new Error('what the system said'), { code: 'ENOSPC' });
    return { api, ...storage, refuse: () => storage.fail(new AppError('STORAGE_UNAVAILABLE', { cause })) };
  };

  test('is reported by /readyz, while /healthz continues; the operator learns the reason', async () => {
    const { api, refuse, recover } = await start();
    expect(await api.call(ready)).toMatchObject({ status: 200, json: { status: 'ok' } });
    refuse();
    api.clock.advance(5000);
    expect(await api.call(ready)).toMatchObject(unavailable);
    expect(await api.call(health)).toMatchObject({ status: 200, json: { status: 'ok' } });
    expect(api.logged).toMatchObject([{ level: 'error', event: 'storage_unavailable', code: 'ENOSPC' }]);
    recover();
    api.clock.advance(1000);
    expect(await api.call(ready)).toMatchObject({ status: 200, json: { status: 'ok' } });
  });

  test('says where it is not known whether a request was carried out; sent again with its key it is, once', async () => {
    const { api, fail, recover } = await start();
    const send = () => api.call(worklists.endpoints.ingest, { body, headers: { 'idempotency-key': 'once' } });
    const body = { items: [examFields()] };
    fail(new AppError('OUTCOME_UNKNOWN', { retryAfter: 1, cause: Object.assign(new Error('EIO'), { code: 'EIO' }) }));
    const answer = await send();
    expect(answer).toMatchObject({
      status: 503,
      error: { code: 'OUTCOME_UNKNOWN', message: expect.stringMatching(/not known.*same idempotency key/) },
      headers: { 'retry-after': '1' },
    });
    expect(JSON.stringify(answer.error)).not.toContain('Nothing was done');
    expect(api.logged).toMatchObject([{ level: 'error', event: 'storage_unavailable', code: 'EIO' }]);
    recover();
    const [first, second] = [succeeded(await send()), succeeded(await send())];
    expect(second).toEqual(first);
  });

  test('is asked at most once in five seconds however often monitors ask, and each second while it refuses', async () => {
    const { api, refuse, asked } = await start();
    const writes = async (): Promise<number> => {
      const before = asked();
      await Promise.all(Array.from({ length: 10 }, () => api.call(ready)));
      return asked() - before;
    };
    expect(await writes()).toBe(1);
    api.clock.advance(4999);
    expect(await writes()).toBe(0);
    refuse();
    api.clock.advance(1);
    expect(await writes()).toBe(1);
    api.clock.advance(999);
    expect(await writes()).toBe(0);
    api.clock.advance(1);
    expect(await writes()).toBe(1);
  });

  test('keeps no house, and does it later', async () => {
    const { api, refuse, recover } = await start();
    const kept = async () => succeeded(await api.call(status)).stored as Record<string, number>;
    await api.exam({}, { headers: { 'idempotency-key': 'once' } });
    const failures = () => api.logged.filter(({ event }) => event === 'housekeeping_failed').length;
    refuse();
    api.clock.advance(25 * 3600 * 1000);
    await expect
      .poll(() => {
        api.clock.advance(15 * 60 * 1000);
        return failures();
      })
      .toBeGreaterThan(1);
    expect(await kept()).toMatchObject({ idempotency: 1 });
    recover();
    await expect
      .poll(async () => {
        api.clock.advance(15 * 60 * 1000);
        return (await kept())['idempotency'];
      })
      .toBe(0);
    expect(await kept()).toMatchObject({ items: 1 });
  });

  test('still gives whatever it holds', async () => {
    const { api, refuse } = await start();
    const item = await api.exam();
    const { record_id: record, id: job } = await api.ended((await api.enqueue({ text: dictated })).id);
    const idOf: Readonly<Record<string, string>> = { items: item, 'medical-records': record!, jobs: job };
    const paramsOf = ({ path, params }: Endpoint) =>
      Object.fromEntries(
        Object.keys(params?.properties ?? {}).map((name) => [
          name,
          name === 'n'
            ? 1
            : (Object.entries(idOf).find(([noun]) => path.includes(`/${noun}/{${name}}`))?.[1] ?? 'none'),
        ]),
      );
    const reads = everyEndpoint.filter(
      ({ endpoint }) => endpoint.method === 'GET' && endpoint !== ready && !isEventStream(endpoint),
    );
    const statuses = () =>
      Promise.all(
        reads.map(async ({ name, endpoint }) => {
          const answer = await api.call(endpoint, { params: paramsOf(endpoint) });
          return `${name} ${answer.status}`;
        }),
      );
    const before = await statuses();
    expect(before.filter((line) => line.endsWith(' 200')).length).toBeGreaterThan(reads.length / 2);
    refuse();
    expect(await statuses()).toEqual(before);
  });
});

const missing = noSmallDisk();
if (missing !== undefined) {
  const reason = `Disks that are full are NOT tested on this machine: ${missing}.`;
  process.stderr.write(`\n${'!'.repeat(reason.length)}\n${reason}\n${'!'.repeat(reason.length)}\n\n`);
  test('a disk that is full: NOT TESTED', (context) => context.skip(reason));
} else {
  describe('a disk that is full', () => {
    const { ingest, list } = worklists.endpoints;
    const { generate } = records.endpoints;
    const start = async (bytes = 512 * 1024) => {
      const disk = await smallDisk(bytes);
      let store: Store;
      const api = await startApi({ dataDir: disk.directory, store: (real) => (store = real) }, onTestFinished);
      return { api, disk, store: store! };
    };
    const stored = async (api: Api) => {
      const { settings: _, ...counts } = await api.stored();
      return counts;
    };
    const exams = async (api: Api) => succeeded(await api.call(list, { query: { limit: 200 } })).items;
    /** Leaves no room at all: what a file has begun of its last block is used up as well. */
    const fill = async ({ api, disk, store }: Awaited<ReturnType<typeof start>>) => {
      await disk.fill();
      const more = () => store.transact(async (tx) => tx.put('settings', { id: 'more', value: 'x'.repeat(40) }));
      await expect
        .poll(() =>
          more().then(
            () => 'taken',
            () => 'refused',
          ),
        )
        .toBe('refused');
      expect((await api.call(ready)).status).toBe(503);
    };
    /** Room is there again, and so much later that everybody has tried again. */
    const freed = async ({ disk, api }: Pick<Awaited<ReturnType<typeof start>>, 'disk' | 'api'>) => {
      await disk.free();
      api.clock.advance(5000);
    };

    test('refuses writes whole, still reads, and takes the same requests once there is room', async () => {
      const { api, disk, store } = await start();
      const kept = await api.exam();
      await fill({ api, disk, store });
      const before = await stored(api);
      const batch = Array.from({ length: 20 }, () => examFields());
      const asks = [1, 2, 3].map((n) => ({ body: batch.slice(n), headers: { 'idempotency-key': `batch-${n}` } }));
      for (const ask of asks) expect(await api.call(ingest, ask)).toMatchObject(unavailable);
      api.clock.advance(5000);
      expect(await api.call(ready)).toMatchObject(unavailable);
      expect((await api.call(health)).status).toBe(200);
      expect(await stored(api)).toEqual(before);
      expect((await exams(api)).map(({ id }) => id)).toEqual([kept]);

      await freed({ api, disk });
      expect(await api.call(ready)).toMatchObject({ status: 200 });
      const answers = await Promise.all(asks.map((ask) => api.call(ingest, ask)));
      expect(answers.map(({ status, headers }) => [status, headers['idempotency-replayed']])).toEqual(
        asks.map(() => [200, undefined]),
      );
      expect(await exams(api)).toHaveLength(20);
    });

    test('has nothing of what it refused after a restart either', async () => {
      const { api, disk, store } = await start();
      const kept = await api.exam();
      await fill({ api, disk, store });
      expect(await api.call(ingest, { body: Array.from({ length: 50 }, () => examFields()) })).toMatchObject(
        unavailable,
      );
      await api.close();
      await disk.free();
      const again = await startApi({ dataDir: disk.directory }, onTestFinished);
      expect((await exams(again)).map(({ id }) => id)).toEqual([kept]);
    });

    test('is reported by /readyz as long as there is no room for the refused write, though there is for a smaller one', async () => {
      const { api, disk } = await start();
      await api.exam();
      await disk.fill(24 * 1024);
      expect(await api.call(ready)).toMatchObject({ status: 200 });
      const batch = Array.from({ length: 200 }, (_, n) => examFields({ location: `${n}`.repeat(60) }));
      expect(await api.call(ingest, { body: batch })).toMatchObject(unavailable);
      expect(await api.call(ready)).toMatchObject(unavailable);
      // What is small is still taken.
      expect(succeeded(await api.call(ingest, { body: batch[0]! }))).toMatchObject({ inserted: 1 });
      api.clock.advance(5000);
      expect(await api.call(ready)).toMatchObject(unavailable);
      await freed({ api, disk });
      expect(await api.call(ready)).toMatchObject({ status: 200 });
      expect(succeeded(await api.call(ingest, { body: batch }))).toMatchObject({ inserted: 199 });

      await disk.fill(40 * 1024);
      const speech = wav({ seconds: 10 }).toString('base64');
      const dictation = { body: { audio: { content_type: 'audio/wav', data: speech }, mode: 'async' } };
      expect(await api.call(generate, dictation)).toMatchObject(unavailable);
      api.clock.advance(5000);
      expect(await api.call(ready)).toMatchObject(unavailable);
      await freed({ api, disk });
      expect(await api.call(ready)).toMatchObject({ status: 200 });
    });

    test('lets a server start for reading, and for writing as soon as there is room', async () => {
      const { api, disk, store } = await start();
      const kept = await api.exam();
      await fill({ api, disk, store });
      const { token } = api;
      await api.close();
      const { clock } = api;
      const again = await createServer({ version: '0.0.0-test', dataDir: disk.directory, rateLimit: 0, clock });
      onTestFinished(() => again.close());
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const listed = await again.inject({ url: list.path, headers });
      expect(listed.json()).toMatchObject({ success: true, data: { items: [{ id: kept }] } });
      const exam = { method: 'POST', url: ingest.path, headers, payload: examFields() } as const;
      expect((await again.inject(exam)).statusCode).toBe(503);
      expect((await again.inject({ url: ready.path })).statusCode).toBe(503);
      await disk.free();
      expect((await again.inject(exam)).statusCode).toBe(200);
    });

    test('says at the first start that it takes nothing', async () => {
      const disk = await smallDisk(64 * 1024);
      await disk.fill();
      const starting = createServer({ version: '0.0.0-test', dataDir: disk.directory });
      await expect(starting).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringMatching(/ cannot be written \(ENOSPC\)\.$/),
        hint: 'Make room on its disk.',
      });
    });

    test('takes no audio, and leaves nothing of it', async () => {
      const { api, disk } = await start();
      const audio = join(disk.directory, 'audio');
      await disk.fill(64 * 1024);
      const before = await stored(api);
      const form = {
        body: multipart([audioPart(wav({ seconds: 10 })), { name: 'mode', value: 'async' }]),
        headers: { 'content-type': multipartType },
      };
      const json = {
        body: { audio: { content_type: 'audio/wav', data: wav({ seconds: 10 }).toString('base64') }, mode: 'async' },
      };
      for (const ask of [form, json]) {
        expect(await api.call(generate, ask)).toMatchObject(unavailable);
        expect(await readdir(audio)).toEqual([]);
      }
      expect(await stored(api)).toEqual(before);
      await freed({ api, disk });
      expect((await api.call(generate, form)).status).toBe(202);
      expect(await readdir(audio)).toHaveLength(1);
    });

    test('makes no backup, and names the full disk to the operator', async () => {
      const { api, disk } = await start(2 * 1024 * 1024);
      for (const at of [1, 2, 3])
        succeeded(
          await api.call(ingest, {
            body: { ...examFields(), accession_number: `B-${at}`, metadata: { of: 'x'.repeat(30_000) } },
          }),
        );
      await disk.fill(16 * 1024);
      const { backup, sealedBackup, saveSnapshot } = contract.maintenance.endpoints;
      const message = expect.stringMatching(
        /^The disk of .+ has too little room: .+ of 2 MiB are free\. No backup was made\.$/,
      );
      for (const answer of [
        await api.call(backup),
        await api.call(sealedBackup, { body: { passphrase: 'correct horse battery' } }),
        await api.call(saveSnapshot, { params: { name: 'evening' } }),
      ])
        expect(answer).toMatchObject({ ...unavailable, error: { code: 'STORAGE_UNAVAILABLE', message } });
      expect(await readdir(join(disk.directory, 'audio'))).toEqual([]);
    });

    test('holds up jobs and webhooks, which go on by themselves once there is room', async () => {
      const { api, disk, store } = await start();
      const receiver = await createReceiver();
      const client_id = 'test_tc_local';
      await api.call(webhooks.endpoints.put, { params: { client_id }, body: { url: receiver.url } });
      // The job is stored, and begins when there is no room for its record.
      const { id } = await api.enqueue({ text: dictated }, { headers: { 'x-laudio-simulate': 'job=slow:60000' } });
      await expect
        .poll(async () => succeeded(await api.call(jobs.endpoints.get, { params: { id } })).status)
        .toBe('in_progress');
      await fill({ api, disk, store });
      // What little room there may be for small commits is used up by the attempts.
      await expect
        .poll(() => {
          api.clock.advance(60_000);
          return api.logged.some(({ event }) => event === 'job_runner_setback');
        })
        .toBe(true);
      // It is tried again and again, and calmly.
      const setbacks = () => api.logged.filter(({ event }) => event === 'job_runner_setback').length;
      const before = setbacks();
      let seconds = 0;
      await expect
        .poll(() => {
          seconds++;
          api.clock.advance(1000);
          return setbacks() - before;
        })
        .toBeGreaterThan(3);
      expect(setbacks() - before).toBeLessThanOrEqual(Math.ceil(seconds / 5));
      expect(receiver.requests).toEqual([]);

      await freed({ api, disk });
      await expect
        .poll(async () => {
          api.clock.advance(60_000);
          return succeeded(await api.call(jobs.endpoints.get, { params: { id } })).status;
        })
        .toBe('completed');
      await receiver.arrived(1);
      expect(await stored(api)).toMatchObject({ records: 1, jobs: 1 });
    });
  });
}

describe('memory that is nearly full', () => {
  const start = () => startApi({ memory: (programBytes + 512 * 1024) / 0.8 }, onTestFinished);

  /** Sends exams until they are refused; gives the refusal. */
  async function fill(api: Api) {
    for (;;) {
      api.clock.advance(1000);
      const items = Array.from({ length: 100 }, () => examFields());
      const answer = await api.call(worklists.endpoints.ingest, { body: { items } });
      if (answer.status !== 200 && answer.status !== 201) return answer;
    }
  }

  test('takes no new work, says what to do, and goes on with what there is', async () => {
    const api = await start();
    const id = await api.exam();
    const refused = await fill(api);
    expect(refused).toMatchObject({
      ...unavailable,
      error: {
        message: expect.stringMatching(/memory/),
        details: { full: 'memory', hint: expect.stringMatching(/--memory/) },
      },
      headers: { 'retry-after': '60' },
    });
    const { get, list, setStatus } = worklists.endpoints;
    expect(await api.call(get, { params: { id } })).toMatchObject({ status: 200 });
    expect(await api.call(list, { query: { q: 'teste' } })).toMatchObject({ status: 200 });
    expect(await api.call(setStatus, { params: { id }, body: { status: 'in_progress' } })).toMatchObject({
      status: 200,
    });
    expect(await api.call(records.endpoints.generate, { body: { text: dictated, mode: 'async' } })).toMatchObject(
      unavailable,
    );
    expect(
      await api.call(records.endpoints.generate, { body: { text: dictated, worklist_item_id: id } }),
    ).toMatchObject({
      status: 201,
    });
    expect(await api.tokens()).toMatchObject({ access_token: expect.any(String) });
  });

  test('is reported by /readyz at once, and not by /healthz', async () => {
    const api = await start();
    expect((await api.call(ready)).status).toBe(200);
    await fill(api);
    expect(await api.call(ready)).toMatchObject({
      ...unavailable,
      error: { message: expect.stringMatching(/memory/) },
    });
    expect((await api.call(health)).status).toBe(200);
    expect(api.logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'memory_full' }));
  });

  test('is free again once a space was emptied', async () => {
    const api = await start();
    await fill(api);
    const { space } = succeeded(await api.call(contract.clients.endpoints.list)).items[0]!;
    expect(await api.call(contract.maintenance.endpoints.reset, { body: { space } })).toMatchObject({
      status: 200,
    });
    api.clock.advance(5000);
    expect((await api.call(ready)).status).toBe(200);
    expect(await api.exam()).toMatch(/^wli_/);
  });
});
