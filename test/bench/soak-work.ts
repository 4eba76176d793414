/** What a house does all day, in small: each kind of work by somebody of its own, over and over, at a pace. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { simulateHeader } from '../../server/qa/faults/simulate.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { contract } from '../../src/contract/index.ts';
import type { Job } from '../../src/contract/job.ts';
import { wav } from '../support/audio.ts';
import type { Ready } from '../support/process.ts';
import { testToken } from '../support/test-token.ts';
import { callerOf, operatorOf } from './caller.ts';
import { exam } from './ingest.ts';
import { speakerOn } from './live.ts';
import { crowdOf } from './logins.ts';

export interface Work {
  readonly name: string;
  /** In ms: from one beginning to the next. */
  readonly every: number;
  /** Does it once; what it took is measured. */
  readonly once: () => Promise<void>;
  /** Its time grows with the documents that are stored. */
  readonly readsAll?: true;
}

const { worklists, records, jobs, webhooks, system, audit, maintenance, inspector } = contract;
/** The exams of the house: they change, and do not become more, so that memory has no reason to grow with them. */
const exams = 1000;
const batch = 20;
const formats = ['html', 'pdf', 'fhir', 'hl7'] as const;

const dictation = (nth: number): string =>
  `Test Patient. Findings: nodule of ${1 + (nth % 9)} mm in the left lung, no effusion. Impression: follow up.`;

/** The kinds of work on that server, and an end to what they need. */
export async function workOn(ready: Ready): Promise<{ readonly work: readonly Work[]; close(): Promise<void> }> {
  const { url, test_client } = ready;
  const call = callerOf(url, await testToken(ready));
  const operator = await operatorOf(ready);
  const receiver = await eventReceiver();
  const params = { client_id: test_client.client_id };
  await operator(webhooks.endpoints.put, { params, body: JSON.stringify({ url: receiver.url }) });
  const speaker = await speakerOn(ready);
  const crowd = await crowdOf(ready, 1);
  const sound = new Uint8Array(wav({ seconds: 1 }));
  let nth = 0;
  const some = (): number => (nth = (nth + 7919) % 1_000_003);

  const ingest = (count: number, from: number) => {
    const items = Array.from({ length: count }, (_, at) => {
      const number = (from + at) % exams;
      return { ...exam(`SL-${number}`, number), exam_room: `Room ${some() % 50}` };
    });
    return call(worklists.endpoints.ingest, { body: JSON.stringify({ items }) });
  };
  for (let from = 0; from < exams; from += 100) await ingest(100, from);
  const { items } = await call<{ items: { id: string }[] }>(worklists.endpoints.list, { query: '?limit=200' });

  const removed = async (id: string | null): Promise<void> => {
    if (id !== null) await call(records.endpoints.delete, { params: { id } });
  };
  const ended = async ({ id }: Job): Promise<string | null> => {
    for (;;) {
      const { status, record_id } = await call<Job>(jobs.endpoints.get, { params: { id } });
      if (status !== 'queued' && status !== 'in_progress') return record_id;
      await setTimeout(20);
    }
  };

  const work: readonly Work[] = [
    { name: 'ingest', every: 200, once: async () => void (await ingest(batch, some() % exams)) },
    {
      name: 'search and read',
      every: 200,
      async once() {
        const query = `?q=${['TESTE', 'TC', 'SL-1', 'nobody'][some() % 4]}&limit=50`;
        await call(worklists.endpoints.list, { query });
        const { id } = items[some() % items.length]!;
        await call(worklists.endpoints.get, { params: { id } });
        await call(worklists.endpoints.history, { params: { id } });
      },
    },
    {
      name: 'document and export',
      every: 500,
      async once() {
        const { id } = await call<MedicalRecord>(records.endpoints.generate, {
          body: JSON.stringify({ text: dictation(some()) }),
        });
        await call(records.endpoints.get, { params: { id } });
        await call(records.endpoints.export, { params: { id }, query: `?format=${formats[some() % formats.length]}` });
        await removed(id);
      },
    },
    {
      name: 'job',
      every: 1000,
      async once() {
        const body = JSON.stringify({ text: dictation(some()), mode: 'async' });
        await removed(await ended(await call<Job>(records.endpoints.generate, { body })));
      },
    },
    {
      name: 'dictation',
      every: 2000,
      async once() {
        const body = new FormData();
        body.append('mode', 'async');
        body.append('audio', new Blob([sound], { type: 'audio/wav' }), 'dictation.wav');
        await removed(await ended(await call<Job>(records.endpoints.generate, { body })));
      },
    },
    { name: 'live words', every: 5000, once: async () => void (await speaker.word()) },
    {
      name: 'event stream',
      every: 700,
      async once() {
        const end = new AbortController();
        const stream = await fetch(new URL(worklists.endpoints.events.path, url), {
          headers: { authorization: `Bearer ${await testToken(ready)}` },
          signal: end.signal,
        });
        const reader = stream.body!.getReader();
        for (let read = 0; read < 3; read++) await reader.read();
        end.abort();
      },
    },
    {
      name: 'logins',
      every: 10_000,
      async once() {
        const leave = crowd();
        await setTimeout(300);
        await leave();
      },
    },
    {
      name: 'what is refused or cut off',
      every: 1000,
      async once() {
        await call(worklists.endpoints.get, { params: { id: 'wli_of_nobody' }, status: 404 });
        await call(worklists.endpoints.ingest, { body: '{"items":[{}]}', status: 400 });
        await callerOf(url, 'no-token')(worklists.endpoints.list, { status: 401 });
        await call(worklists.endpoints.list, { headers: { [simulateHeader]: 'drop' } }).catch(() => undefined);
      },
    },
    {
      name: 'operator',
      every: 15_000,
      async once() {
        await operator(system.endpoints.status);
        await operator(audit.endpoints.list, { query: '?limit=100' });
        await operator(inspector.endpoints.list);
      },
    },
    {
      name: 'backup',
      every: 15_000,
      readsAll: true,
      once: async () => void (await operator(maintenance.endpoints.backup)),
    },
  ];
  return { work, close: receiver.close };
}

/** A partner that takes events, and now and then does not. */
async function eventReceiver() {
  let received = 0;
  const server = createServer((request, answer) => {
    request.resume();
    answer.statusCode = ++received % 50 === 0 ? 503 : 204;
    answer.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
