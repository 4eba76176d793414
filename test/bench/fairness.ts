/** How long one client waits for its own when others ask for much, are slow, or do not answer: against a server without them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { contract } from '../../src/contract/index.ts';
import type { EnginesInUse } from '../../src/contract/engine.ts';
import type { Job } from '../../src/contract/job.ts';
import { simulateHeader } from '../../server/qa/faults/simulate.ts';
import type { Ready } from '../support/process.ts';
import { wav } from '../support/audio.ts';
import { personToken } from '../support/person-token.ts';
import { testToken } from '../support/test-token.ts';
import { addTestClient, callerOf, operatorOf } from './caller.ts';
import type { Following } from './followers.ts';
import { exam } from './ingest.ts';
import { median } from './rounds.ts';

const { generate } = contract.records.endpoints;
const { ingest } = contract.worklists.endpoints;

const slowJobs = 50;
const pendingDeliveries = 10_000;
const followers = 300;
const waitingJobs = 1000;
const spoken = wav({ seconds: 1 });
const dictation = JSON.stringify({ text: 'Test Patient. Findings: lungs are clear.', mode: 'async' });

/** Milliseconds that somebody waits, each time that one of these is called. */
export interface Waits {
  /** From the order of a job to its end. */
  readonly job: () => Promise<number>;
  /** From an event to the request at the receiver. */
  readonly delivery: () => Promise<number>;
  /** For a change of an exam. */
  readonly change: () => Promise<number>;
}

interface Neighbour extends Waits, AsyncDisposable {
  /** Lets others follow its worklist, and reads what they are told, until that is disposed of. */
  follow(): Promise<AsyncDisposable>;
}

/** A client of its own on a server that others may use too; the receiver of its events lasts until it is disposed of. */
export async function neighbourOn(ready: Ready): Promise<Neighbour> {
  const { url, test_client } = ready;
  const operator = await operatorOf(ready);
  const client = await addTestClient(operator, test_client.redirect_uri);
  const token = await testToken({ url, test_client: client });
  const call = callerOf(url, token);
  let arrived = (): void => {};
  const receiver = await listening((request, answer) => {
    request.resume();
    answer.end();
    arrived();
  });
  const params = { client_id: client.client_id };
  await operator(contract.webhooks.endpoints.put, { params, body: JSON.stringify({ url: receiver.url }) });
  let changes = 0;
  return {
    job: () =>
      timed(9, async () => {
        const { id } = await call<Job>(generate, { body: dictation });
        for (let status = ''; status !== 'completed'; await setTimeout(1)) {
          ({ status } = await call<Job>(contract.jobs.endpoints.get, { params: { id } }));
        }
      }),
    delivery: () =>
      timed(9, async () => {
        const arrival = new Promise<void>((resolve) => (arrived = resolve));
        await operator(contract.webhooks.endpoints.test, { params });
        await arrival;
      }),
    change: () =>
      timed(100, async () => {
        await call(ingest, { body: JSON.stringify({ ...exam('SL-1'), exam_room: `${++changes}` }) });
      }),
    async follow() {
      const following: Following = { url, token, count: followers };
      const worker = new Worker(new URL('followers.ts', import.meta.url), { workerData: following });
      await once(worker, 'message');
      return { [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
    },
    [Symbol.asyncDispose]: receiver[Symbol.asyncDispose],
  };
}

/** Slow jobs of the built-in test client, a receiver of its events that never answers, and all that wait for that one. */
export async function crowdedBy(ready: Ready): Promise<AsyncDisposable> {
  const call = callerOf(ready.url, await testToken(ready));
  const operator = await operatorOf(ready);
  const receiver = await listening((request) => void request.resume());
  const params = { client_id: ready.test_client.client_id };
  await operator(contract.webhooks.endpoints.put, { params, body: JSON.stringify({ url: receiver.url }) });
  const send = () => operator(contract.webhooks.endpoints.test, { params });
  const atOnce = 50;
  for (let sent = 0; sent < pendingDeliveries; sent += atOnce) await Promise.all(Array.from({ length: atOnce }, send));
  const headers = { [simulateHeader]: 'job=slow:600000' };
  for (let job = 0; job < slowJobs; job++) await call(generate, { body: dictation, headers });
  return receiver;
}

/** Dictations of a person that wait for a recogniser, which the server does not have. */
export async function waitingOn(ready: Ready): Promise<void> {
  const call = callerOf(ready.url, await personToken(ready));
  const form = (): FormData => {
    const body = new FormData();
    body.append('mode', 'async');
    body.append('audio', new Blob([new Uint8Array(spoken)], { type: 'audio/wav' }), 'dictation.wav');
    return body;
  };
  const atOnce = 20;
  for (let sent = 0; sent < waitingJobs; sent += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => call(generate, { body: form() })));
  const { queue } = await call<EnginesInUse>(contract.engines.endpoints.get);
  if (queue?.waiting !== waitingJobs) throw new Error(`${queue?.waiting} jobs wait, not ${waitingJobs}`);
}

/** The median of so many. */
async function timed(times: number, work: () => Promise<void>): Promise<number> {
  const values: number[] = [];
  for (let time = 0; time < times; time++) {
    const started = performance.now();
    await work();
    values.push(performance.now() - started);
  }
  return median(values);
}

async function listening(answer: RequestListener): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
