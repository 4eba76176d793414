/** Three processes over one PostgreSQL and one bucket, whose service stops or is slow while clients send audio: nothing acknowledged is lost. */
import { expect } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { examFields } from '../support/api.ts';
import { wav } from '../support/audio.ts';
import { quick, startPostgres } from '../support/postgres.ts';
import { startGateway } from '../support/s3/gateway.ts';
import type { S3Service } from '../support/s3/swift.ts';
import { startServerProcesses } from '../support/server-processes.ts';
import type { Answer } from '../support/server-processes.ts';

const { worklists, records, jobs } = contract;
const clients = 3;
const patience = { timeout: 120_000, interval: 200 };

/** In ms: longer than a balancer waits for `/readyz`, and shorter than a call to the service may take. */
const slowness = 2000;

export async function playAudioOutage(swift: S3Service, outage: 'stops' | 'is slow'): Promise<void> {
  const { address, key } = await swift.makeBucket();
  await using gateway = await startGateway(Number(swift.host.split(':')[1]));
  await using postgres = await startPostgres(quick);
  const blobs = { use: `s3:${address.replace(swift.host, gateway.host)}`, key };
  await using server = await startServerProcesses(3, postgres, { blobs });
  const refusals: Answer[] = [];
  const acknowledged = new Map<string, Buffer>();
  const stop = new AbortController();

  async function send(client: number): Promise<void> {
    for (let nth = 0; !stop.signal.aborted; nth++) {
      const speech = wav({ seconds: 1 });
      speech.writeUInt32LE(client * 100_000 + nth, speech.length - 4);
      const answer = await server.ask(records.endpoints.generate.path, {
        method: 'POST',
        key: `${client}-${nth}`,
        body: { audio: { content_type: 'audio/wav', data: speech.toString('base64') }, mode: 'async' },
        onBusy: (busy) => void refusals.push(busy),
      });
      expect(answer).toMatchObject({ status: 202 });
      acknowledged.set((answer.body.data as { id: string }).id, speech);
    }
  }

  const working = Promise.all(Array.from({ length: clients }, (_, client) => send(client)));
  working.catch(() => undefined);
  await expect.poll(() => acknowledged.size, patience).toBeGreaterThan(2 * clients);
  if (outage === 'stops') {
    await gateway.stop();
    const countUnavailable = () => refusals.filter(({ status }) => status === 503).length;
    await expect.poll(countUnavailable, patience).toBeGreaterThan(2 * clients);
  } else {
    gateway.delay(slowness);
    const readDegraded = async () => {
      const all = await Promise.all(server.processes.map(({ url }) => fetch(new URL('/readyz', url))));
      return Promise.all(all.map(async (ready) => ((await ready.json()) as { degraded: string[] }).degraded));
    };
    await expect.poll(readDegraded, patience).toEqual(server.processes.map(() => ['blobs']));
  }
  // Work without audio goes on, and no balancer leaves a process out.
  const exam = { method: 'POST', key: 'exam', body: [examFields()] };
  expect(await server.ask(worklists.endpoints.ingest.path, exam)).toMatchObject({ status: 200 });
  for (const { url } of server.processes) {
    const ready = await fetch(new URL('/readyz', url));
    expect([ready.status, await ready.json()]).toMatchObject([200, { degraded: ['blobs'] }]);
  }
  const before = acknowledged.size;
  if (outage === 'stops') await gateway.start();
  else gateway.delay(0);
  await expect.poll(() => acknowledged.size, patience).toBeGreaterThan(before + 2 * clients);
  stop.abort();
  await working;

  for (const { status, retryAfter } of refusals) if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0);
  for (const [id, speech] of acknowledged) {
    const job = async () => (await server.ask(jobs.endpoints.get.path.replace('{id}', id))).body.data;
    await expect.poll(job, patience).toMatchObject({ status: 'completed' });
    const { record_id: record } = (await job()) as { record_id: string };
    const url = new URL(records.endpoints.audio.path.replace('{id}', record), server.processes[0]?.url);
    const audio = await fetch(url, { headers: { authorization: `Bearer ${server.token}` } });
    expect(speech.equals(Buffer.from(await audio.arrayBuffer()))).toBe(true);
  }
}
