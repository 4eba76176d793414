/**
 * A server is killed again and again while it takes requests over HTTP. Whoever then sends the same request with the same
 * `Idempotency-Key` gets the first answer, if it was given, and the request has had its effect exactly once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { Job } from '../../src/contract/job.ts';
import { createReceiver } from '../server/delivery/webhooks/receiver.ts';
import { audioPart, multipart, multipartType } from '../server/http/multipart.ts';
import { wav } from '../support/audio.ts';
import { withoutHeldLoops } from '../support/process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { testToken } from '../support/test-token.ts';
import { chance, moment, rounds, seed } from './chance.ts';
import { onTemporary } from './store-process.ts';
import type { Orders, Ready } from './store-server.ts';

const program = fileURLToPath(new URL('store-server.ts', import.meta.url));
const { worklists, records, jobs, system, webhooks } = contract;

/** Requests that are under way at the same time. */
const atOnce = 6;
const journalLimit = 64 * 1024;
const count = rounds(4);
/** Rounds on one data directory: the more it holds, the rarer are its snapshots. */
const series = 10;

interface Sent {
  readonly key: string;
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
  /** Exams of a batch; `undefined`: a dictation. */
  readonly exams?: number;
}

interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly data: unknown;
}

/** A batch of exams, or once in a while a dictation to be transcribed later. */
function requestOf(round: number, sender: number, n: number): Sent {
  const key = `${round}.${sender}.${n}`;
  if (chance(seed, 'dictation', key) < 0.15) {
    const audio = wav({ seconds: 0.2 + chance(seed, 'seconds', key) });
    const body = multipart([audioPart(audio), { name: 'mode', value: 'async' }]);
    return { key, path: records.endpoints.generate.path, type: multipartType, body };
  }
  const exams = 1 + Math.floor(chance(seed, 'exams', key) ** 3 * 40);
  const items = Array.from({ length: exams }, (_, place) => ({
    accession_number: `${key}.${place}`,
    patient_id: 'P-1',
    patient_name: 'TESTE^PACIENTE',
    modality: 'CT',
    exam_datetime: '2026-03-02T08:30:00-03:00',
    exam_description: 'TC de tórax sem contraste',
  }));
  return {
    key,
    path: worklists.endpoints.ingest.path,
    type: 'application/json',
    body: JSON.stringify({ items }),
    exams,
  };
}

/** As many at a time as there are senders. */
async function inTurns<T>(all: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function startServer(orders: Orders) {
  const child = spawn(process.execPath, [program, JSON.stringify(orders)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const said = text(child.stderr);
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const early = ended.then(async ([code]) => {
    throw new Error(`the server ended with ${code} before it was ready: ${await said}`);
  });
  early.catch(() => undefined);
  const ready = JSON.parse((await Promise.race([first, early]))[0]) as Ready;
  return {
    ready,
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
      // A busy machine may hold the loop of a server that loads what the first report needs.
      expect(withoutHeldLoops(await said)).toBe('');
    },
  };
}

/** A server that can be killed and started again, and a client that keeps its token meanwhile. */
async function openService(directory: string, webhook: string) {
  let server = await startServer({ directory, journalLimit });
  const token = await testToken(server.ready);
  const ask = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}, as = token) => {
    const headers = { ...init.headers, authorization: `Bearer ${as}` };
    const response = await fetch(new URL(path, server.ready.url), { ...init, headers });
    const { status } = response;
    const body = Buffer.from(await response.arrayBuffer());
    return {
      status,
      headers: response.headers,
      body,
      data: <T>() => (JSON.parse(body.toString()) as { data: T }).data,
    };
  };
  const operator = (path: string, init = {}) => ask(path, init, server.ready.admin_token);
  await operator(webhooks.endpoints.put.path.replace('{client_id}', server.ready.test_client.client_id), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: webhook }),
  });
  return {
    ask,
    operator,
    end: (signal: NodeJS.Signals) => server.end(signal),
    async restart() {
      server = await startServer({ directory, journalLimit });
    },
    async send({ key, path, type, body }: Sent): Promise<Answered> {
      const headers = { 'content-type': type, 'idempotency-key': key };
      const answer = await ask(path, { method: 'POST', headers, body: body as BodyInit });
      const replayed = answer.headers.get('idempotency-replayed') === 'true';
      return { status: answer.status, replayed, data: answer.data() };
    },
  };
}

type Service = Awaited<ReturnType<typeof openService>>;

/** Sends requests until the server is killed: some answers later and a moment after, or when a snapshot has begun. */
async function sendUntilKilled(service: Service, directory: string, round: number) {
  const sent = new Map<string, Sent>();
  const answered = new Map<string, Answered>();
  const after = Math.floor(chance(seed, round, 'answers') * 40);
  let killed: Promise<void> | undefined;
  const killSoon = () => void moment(10, round).then(() => (killed ??= service.end('SIGKILL')));
  let unwatch = () => {};
  const sender = async (number: number): Promise<void> => {
    for (let n = 0; !killed; n++) {
      const request = requestOf(round, number, n);
      sent.set(request.key, request);
      const answer = await service.send(request).catch(() => undefined);
      // Who is not answered cannot know whether it was done.
      if (!answer) return;
      answered.set(request.key, answer);
      if (answered.size !== after + 1) continue;
      if (round % 2 === 0) killSoon();
      else unwatch = onTemporary(directory, killSoon);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, number) => sender(number)));
  await killed;
  unwatch();
  return { sent, answered };
}

/** What became of the requests of all rounds. */
interface Outcome {
  requests: number;
  /** Not done when the server was killed. */
  lost: number;
  exams: number;
  /** Dictations by the id of their job. */
  readonly dictations: Map<string, Sent>;
}

async function sendAgain(
  service: Service,
  { sent, answered }: Awaited<ReturnType<typeof sendUntilKilled>>,
  outcome: Outcome,
): Promise<void> {
  await inTurns(sent, async ([key, request]) => {
    const given = answered.get(key);
    const again = await service.send(request);
    const where = `request ${key}`;
    if (given) {
      expect(given, where).toMatchObject({ status: request.exams === undefined ? 202 : 200, replayed: false });
      expect(again, where).toEqual({ ...given, replayed: true });
    } else {
      outcome.lost += Number(!again.replayed);
      expect(await service.send(request), where).toEqual({ ...again, replayed: true });
    }
    outcome.requests++;
    if (request.exams === undefined) return void outcome.dictations.set((again.data as Job).id, request);
    // Exams that were there without their answer would be known already.
    expect(again.data, where).toMatchObject({ processed: request.exams, inserted: request.exams, deduped: 0 });
    outcome.exams += request.exams;
  });
}

/** Every exam is there once, and every dictation became one document, with its audio. */
async function auditService({ ask, operator }: Service, { requests, exams, dictations }: Outcome): Promise<void> {
  for (const [id, { body }] of dictations) {
    const job = async () => (await ask(jobs.endpoints.get.path.replace('{id}', id))).data<Job>();
    await expect.poll(async () => (await job()).status).toBe('completed');
    const { record_id } = await job();
    const audio = await ask(records.endpoints.audio.path.replace('{id}', record_id!));
    expect(audio.status).toBe(200);
    expect((body as Buffer).includes(audio.body), `the audio of ${record_id}`).toBe(true);
  }
  const { stored } = (await operator(system.endpoints.status.path)).data<{ stored: object }>();
  const { size } = dictations;
  expect(stored).toMatchObject({ items: exams, idempotency: requests, jobs: size, records: size });
}

async function killServers(from: number, to: number): Promise<Outcome> {
  const directory = await temporaryDirectory();
  const receiver = await createReceiver();
  const service = await openService(directory, receiver.url);
  const outcome: Outcome = { requests: 0, lost: 0, exams: 0, dictations: new Map() };
  for (let round = from; round < to; round++) {
    const requests = await sendUntilKilled(service, directory, round);
    await service.restart();
    await sendAgain(service, requests, outcome);
  }
  await auditService(service, outcome);
  const announced = () => new Set(receiver.requests.map(({ body }) => JSON.parse(body).data.job_id as string));
  await expect.poll(announced).toEqual(new Set(outcome.dictations.keys()));
  await service.end('SIGTERM');
  const names = await readdir(directory, { recursive: true });
  expect(names.filter((name) => name.endsWith('.tmp') || name === 'lock')).toEqual([]);
  return outcome;
}

const title = `${count} servers killed while they take requests (seed ${seed})`;

test(title, { timeout: 180_000 + count * 5000 }, async () => {
  for (let from = 0; from < count; from += series) {
    const { requests, lost, exams, dictations } = await killServers(from, Math.min(count, from + series));
    process.stderr.write(
      `killed from ${from}: ${requests} requests, ${lost} of them lost, ${exams} exams, ${dictations.size} documents\n`,
    );
  }
});
