/**
 * Three processes of a server over one PostgreSQL, with clients that go to any of them: whatever happens to the processes and to the
 * database, nothing acknowledged is lost, nothing is done twice, and every reader hears of everything.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { builtInTestClient } from '../../server/index.ts';
import { createReceiver } from '../server/delivery/webhooks/receiver.ts';
import { dictated } from '../support/api.ts';
import { explored } from '../support/explored.ts';
import { exploringTest } from '../support/exploring-test.ts';
import { extractVersion } from '../support/earlier-version.ts';
import { hearExams } from '../support/heard-exams.ts';
import { quick, startPostgres } from '../support/postgres.ts';
import type { Postgres } from '../support/postgres.ts';
import { startStandby } from '../support/postgres-standby.ts';
import { startSwift } from '../support/s3/swift.ts';
import { operatorToken, startServerProcesses } from '../support/server-processes.ts';
import type { ServerProcesses } from '../support/server-processes.ts';
import { playAudioOutage } from './audio-outage.ts';
import { chance, seed } from './chance.ts';
import { playDesk } from './desk-at-three.ts';

const { worklists, records, jobs, transcriptions, webhooks } = contract;
const clients = 6;
/** The database's own time for a member that has gone is 15 s. */
const patience = { timeout: 120_000, interval: 500 };

interface Acknowledged {
  readonly exams: Set<string>;
  readonly jobs: Set<string>;
}

/** Sends exams and jobs until the signal is aborted. Each request is repeated with its key until a process answers it. */
async function send(server: ServerProcesses, name: string, done: Acknowledged, signal: AbortSignal): Promise<void> {
  for (let nth = 0; !signal.aborted; nth++) {
    const key = `${name}-${nth}`;
    const exam = {
      accession_number: key,
      patient_id: 'P-1',
      patient_name: 'TESTE^PACIENTE',
      modality: 'CT',
      exam_datetime: '2026-03-02T08:30:00-03:00',
      exam_description: 'TC de tórax sem contraste',
    };
    const sent = await server.ask(worklists.endpoints.ingest.path, { method: 'POST', key, body: [exam] });
    expect(sent).toMatchObject({ status: 200, body: { data: { processed: 1, errors: [] } } });
    done.exams.add(key);
    if (nth % 4 !== 0) continue;
    const body = { text: dictated, mode: 'async' };
    const asked = await server.ask(records.endpoints.generate.path, { method: 'POST', key: `${key}-job`, body });
    expect(asked).toMatchObject({ status: 202 });
    done.jobs.add((asked.body.data as { id: string }).id);
  }
}

/** All pages of a list, as any process has it. */
async function readAll<T>(server: ServerProcesses, path: string): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await server.ask(`${path}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const page = answer.body.data as { items: T[]; next_cursor: string | null };
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

/** Few enough that all sound stays in documents, which the processes share. */
const pieces = 40;
const pieceBytes = 6400;

/** A dictation whose pieces go to any process, and whose holder is killed in the middle. */
async function dictate(): Promise<void> {
  await using postgres = await startPostgres(quick);
  await using server = await startServerProcesses(3, postgres);
  const begin = { method: 'POST', body: { language: 'en-US' } };
  const begun = await server.ask(transcriptions.endpoints.create.path, { ...begin, first: 0 });
  const { id } = begun.body.data as { id: string };
  const holder = server.processes.find(({ url }) => url === begun.url);
  const path = transcriptions.endpoints.append.path.replace('{id}', id);
  for (let nth = 0; nth < pieces; nth++) {
    const sound = Buffer.alloc(pieceBytes, nth + 1);
    const restarting = nth === pieces / 2 ? holder?.restart() : undefined;
    const answer = await server.ask(`${path}?offset=${nth * pieceBytes}`, { method: 'POST', body: sound, first: nth });
    expect(answer).toMatchObject({ status: 200, body: { data: { offset: (nth + 1) * pieceBytes } } });
    await restarting;
  }
  const body = { transcription_id: id };
  const made = await server.ask(records.endpoints.generate.path, { method: 'POST', key: 'dictated', body });
  expect(made).toMatchObject({
    status: 201,
    body: { data: { source: { audio_seconds: (pieces * pieceBytes) / 32_000 } } },
  });
}

/** What a test does to the processes or the database while clients work. */
type Disturb = (server: ServerProcesses, postgres: Postgres) => Promise<void>;

async function play(disturb: Disturb, options: Parameters<typeof startServerProcesses>[2] = {}): Promise<void> {
  await using postgres = await startPostgres(quick);
  await using server = await startServerProcesses(3, postgres, options);
  const receiver = await createReceiver();
  const { client_id } = builtInTestClient;
  const webhook = webhooks.endpoints.put.path.replace('{client_id}', client_id);
  const body = { url: receiver.url, events: ['medical_record.job.completed'] };
  expect((await server.ask(webhook, { method: 'PUT', body, token: operatorToken })).status).toBe(201);

  const stop = new AbortController();
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const done: Acknowledged = { exams: new Set(), jobs: new Set() };
  const heard = server.processes.map((_, nth) => hearExams(server, nth, over.signal));
  const working = Promise.all(Array.from({ length: clients }, (_, nth) => send(server, `c${nth}`, done, stop.signal)));
  working.catch(() => undefined);
  await disturb(server, postgres);
  stop.abort();
  await working;
  expect(done.exams.size).toBeGreaterThan(10);

  const stored = (await readAll<{ accession_number: string }>(server, worklists.endpoints.list.path)).map(
    ({ accession_number }) => accession_number,
  );
  expect(stored.toSorted()).toEqual([...done.exams].toSorted());
  await expect
    .poll(async () => {
      const ended = await readAll<{ id: string; status: string }>(server, jobs.endpoints.list.path);
      return ended.filter(({ id, status }) => done.jobs.has(id) && status === 'completed').length;
    }, patience)
    .toBe(done.jobs.size);
  expect(await readAll(server, records.endpoints.list.path)).toHaveLength(done.jobs.size);
  for (const exams of heard)
    await expect.poll(() => [...done.exams].filter((exam) => !exams.has(exam)), patience).toEqual([]);
  const events = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  await expect.poll(() => events().size, patience).toBe(done.jobs.size);
  over.abort();
}

/** Kills one process after the other, at moments by chance. */
const kill =
  (times: number): Disturb =>
  async ({ processes }) => {
    for (let nth = 0; nth < times; nth++) {
      await wait(300 + chance(seed, 'kill', nth) * 1500);
      await processes[Math.floor(chance(seed, 'process', nth) * processes.length)]?.restart();
    }
  };

const restartDatabase =
  (mode: 'fast' | 'immediate', times = 1): Disturb =>
  async (_server, postgres) => {
    for (let nth = 0; nth < times; nth++) {
      await wait(1000);
      await postgres.stop(mode);
      await wait(1000);
      await postgres.start();
    }
    await wait(1500);
  };

/** Long enough that the others take over. */
const sleep: Disturb = async ({ processes }) => {
  await wait(1000);
  processes[0]?.signal('SIGSTOP');
  await wait(20_000);
  processes[0]?.signal('SIGCONT');
  await wait(3000);
};

/** As after a crash of the primary server, whose address leads to the replica then. */
const failOver: Disturb = async (_server, postgres) => {
  const standby = await startStandby(postgres);
  onTestFinished(() => standby.close());
  await wait(5000);
  await postgres.stop('immediate');
  await wait(1000);
  await standby.takeOver();
  await wait(10_000);
};

/** A commit with the tables of today, before desks and the portal were shared. The first release becomes the earlier version once there is a second one. */
const earlierVersion = 'ca1f6d6b';

const swift = explored.isOn ? await startSwift() : undefined;

describe('three processes', () => {
  test('one is killed, and the database breaks off', { timeout: 240_000 }, () =>
    play(async (server, postgres) => {
      await kill(1)(server, postgres);
      await restartDatabase('immediate')(server, postgres);
    }),
  );
  // As the test above, each of them longer.
  exploringTest('twenty are killed, one after the other', () => play(kill(20)));
  exploringTest('the database is stopped fast, and breaks off', () =>
    play(async (server, postgres) => {
      await restartDatabase('fast', 3)(server, postgres);
      await restartDatabase('immediate', 3)(server, postgres);
    }),
  );
  exploringTest('one sleeps for twenty seconds, and wakes', () => play(sleep));
  exploringTest('one that hears a dictation is killed, and another one goes on', dictate);
  // As the test of test/desktop/web/several-processes.test.ts, with processes.
  exploringTest('each is killed while a physician dictates and types, who loses nothing', playDesk);
  // As the test of a bucket that is gone in test/server/storage/s3.test.ts, with processes and clients.
  for (const outage of ['stops', 'is slow'] as const) {
    exploringTest(`the service of the audio ${outage} while clients send, and comes back`, async () => {
      if (swift) await playAudioOutage(swift, outage);
    });
  }
  exploringTest('a replica takes over from the database', () => play(failOver));
  // As the test of test/server/two-servers-access.test.ts, with processes.
  exploringTest('clocks are ten minutes apart, and one is killed', () => play(kill(3), { minutesAhead: [-5, 0, 5] }));
  exploringTest('one is of an earlier version, which made the tables', async () => {
    await using earlier = await extractVersion(earlierVersion);
    await play(kill(4), { programs: [earlier.program] });
  });
  exploringTest('one stops as in an update, after the other', () =>
    play(async ({ processes }) => {
      for (const each of processes) {
        await wait(1000);
        await each.update();
      }
    }),
  );
});
