/** A flow through the recorder, and the same flow at the replay: the same answers, and nothing of the patient in the file. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { createRecorder, createReplay } from '../../../../server/qa/recording/index.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { createConformance } from '../../../support/conformance.ts';
import type { Conformance, OpenApiDocument } from '../../../support/conformance.ts';
import { clientAt, record, replay, startService, startStub } from '../../../support/recording.ts';
import type { Recording } from '../../../support/recording.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const canary = 'Kanarienvogel';

const exam = (accession: string, more: object = {}) => ({
  accession_number: accession,
  patient_id: `${canary}-4711`,
  patient_name: 'TESTE^PACIENTE',
  patient_birth_date: '1971-06-14',
  modality: 'CT',
  exam_datetime: '2026-03-02T08:30:00-03:00',
  exam_description: `Chest of ${canary}`,
  ...more,
});

const sound = () => ({
  contentType: 'audio/wav',
  open: async function* () {
    yield Buffer.concat([Buffer.from('RIFF....WAVEfmt '), Buffer.from(canary)]);
  },
});

/** What a RIS and a physician do; each answer, or the code of its error. */
async function flow(client: Client): Promise<unknown[]> {
  const answers: unknown[] = [];
  const keep = async <T extends { data: unknown }>(call: Promise<T>): Promise<T['data'] | undefined> => {
    try {
      const { data } = await call;
      answers.push(data);
      return data;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      answers.push(error.code);
      return undefined;
    }
  };
  const { worklists, records, jobs } = client;
  await keep(worklists.ingest({ body: [exam('A-1'), exam('A-2', { metadata: { [canary]: canary } })] }));
  await keep(worklists.ingest({ body: exam('A-1') }));
  await keep(worklists.ingest({ body: exam('A-3', { modality: 'XX' }) }));
  const page = await keep(worklists.list({ query: { q: 'A-2', limit: 1 } }));
  const item = page!.items[0]!.id;
  await keep(worklists.setStatus({ params: { id: item }, body: { status: 'in_progress', reason: canary } }));
  const text = `Test Patient. Findings: ${canary} is normal.`;
  const made = await keep(records.generate({ body: { text, worklist_item_id: item } }));
  const id = (made as { id: string }).id;
  await keep(records.get({ params: { id } }));
  await keep(records.update({ params: { id }, body: { title: `Of ${canary}` } }));
  await keep(records.get({ params: { id } }));
  await keep(records.get({ params: { id: canary } }));
  await keep(records.generate({ body: { mode: 'async' }, file: sound() } as never));
  await keep(jobs.list());
  await keep(records.delete({ params: { id } }));
  await keep(records.get({ params: { id } }));
  return answers;
}

/** Texts that the service made of what was said are not in the recording. */
const made = new Set([
  'title',
  'text',
  'transcript',
  'message',
  'username',
  'findings_to_review',
  'next_cursor',
  'updated_until',
]);
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, made.has(name) ? typeof inner : comparable(inner)]),
  );
}

test('a recorded flow, replayed with the same values, has the same answers', async () => {
  const service = await startService();
  const recorder = await record(service.url);
  const answers = await flow(await clientAt(recorder.url));
  await recorder.close();
  expect(recorder.troubles).toEqual([]);
  const text = await recorder.text();
  expect(text).not.toContain(canary);
  expect(text).not.toMatch(/TESTE|Paciente|A-1"|1971-06|2026-03-02T08|test_tcs_local|Bearer [^‹r]|eyJ/);
  expect((await stat(recorder.file)).mode & 0o777).toBe(0o600);

  const replayed = await replay(recorder.file);
  expect(comparable(await flow(await clientAt(replayed.url)))).toEqual(comparable(answers));
  // And again: the last answer of each call repeats.
  expect(await flow(await clientAt(replayed.url))).toHaveLength(answers.length);

  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument;
  expect(await deviationsOf(recorder, createConformance(document))).toEqual([]);
});

/** Makes each recorded call again, as it is written in the archive, and holds the answer against the contract. */
async function deviationsOf(recorder: Recording, check: Conformance): Promise<string[]> {
  const { url } = await replay(recorder.file);
  const problems: string[] = [];
  for (const { request } of (await recorder.har()).log.entries) {
    const { pathname, search } = new URL(request.url);
    const { params, text, mimeType } = request.postData ?? {};
    // These are answered by a redirect, and by a form with a file.
    if (pathname === '/api/oauth/authorize' || params?.some(({ fileName }) => fileName !== undefined)) continue;
    const form = params && new URLSearchParams(params.map(({ name, value }) => [name, value])).toString();
    const body = form ?? text;
    const answer = await fetch(url + pathname + search, {
      method: request.method,
      headers: { authorization: 'Bearer any', ...(mimeType && { 'content-type': mimeType }) },
      ...(body !== undefined && { body }),
    });
    const seen = { method: request.method, path: pathname + search, status: answer.status };
    const told = check({ ...seen, headers: Object.fromEntries(answer.headers), body: await answer.text() });
    problems.push(...told.map((problem) => `${request.method} ${pathname} ${answer.status}: ${problem}`));
  }
  return problems;
}

test('the n-th time has the n-th answer, and values follow their call', async () => {
  const service = await startService();
  const recorder = await record(service.url);
  const client = await clientAt(recorder.url);
  const ingest = (to: Client, accession: string) => to.worklists.ingest({ body: exam(accession) });
  const [first] = (await ingest(client, 'X-1')).data.items;
  const [second] = (await ingest(client, 'X-2')).data.items;
  await recorder.close();
  const other = await clientAt((await replay(recorder.file)).url);
  expect((await ingest(other, 'Y-1')).data.items).toMatchObject([{ id: first!.id, accession_number: 'Y-1' }]);
  expect((await ingest(other, 'Y-2')).data.items).toMatchObject([{ id: second!.id, accession_number: 'Y-2' }]);
  expect((await ingest(other, 'Y-1')).data.items).toMatchObject([{ id: first!.id, accession_number: 'Y-1' }]);
});

test('a call that was not recorded names the nearest that was', async () => {
  const service = await startService();
  const recorder = await record(service.url);
  await (await clientAt(recorder.url)).jobs.list({ query: { limit: 3 } });
  await recorder.close();
  const { url } = await replay(recorder.file);
  const client = await clientAt(url);
  const refused = async (call: Promise<unknown>) =>
    call.then(
      () => 'answered',
      (error: AppError) => `${error.status} ${error.code}: ${error.message}`,
    );
  expect(await refused(client.jobs.list({ query: { limit: 4 } }))).toBe(
    '404 NOT_RECORDED: The recording has no such call. It has GET /api/v1/jobs?limit=3, but not with this query.',
  );
  expect(await refused(client.jobs.get({ params: { id: canary } }))).toMatch(
    /^404 NOT_RECORDED: .*GET \/api\/v1\/jobs/,
  );
  expect(await refused(client.jobs.get({ params: { id: canary } }))).not.toContain(canary);
});

test('a service that is away is a 502, which is recorded', async () => {
  const gone = await startStub(() => undefined);
  const recorder = await record('http://127.0.0.1:9');
  const answer = await fetch(`${recorder.url}/api/v1/jobs`);
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({
    success: false,
    error: {
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'http://127.0.0.1:9 could not be reached: nothing is listening there.',
    },
  });
  await recorder.close();
  const { url } = await replay(recorder.file);
  expect((await fetch(`${url}/api/v1/jobs`)).status).toBe(502);
  expect(gone).toBeTruthy();
});

test('a killed recorder leaves an archive with all calls so far', async () => {
  const service = await startService();
  const recorder = await record(service.url);
  const client = await clientAt(recorder.url);
  await client.jobs.list();
  // It is not closed.
  await expect.poll(async () => (await recorder.har()).log.entries.at(-1)?.request.url).toMatch(/\/api\/v1\/jobs$/);
  const { calls, isRecovered } = await replay(recorder.file);
  expect({ calls, isRecovered }).toEqual({ calls: 4, isRecovered: false });
  // Torn in the midst of the last entry, as by a loss of power.
  const text = await recorder.text();
  const torn = join(await temporaryDirectory(), 'torn.har');
  await writeFile(torn, text.slice(0, -400));
  const after = await replay(torn);
  expect({ calls: after.calls, isRecovered: after.isRecovered }).toEqual({ calls: 3, isRecovered: true });
});

test('passes on gzip, HEAD, redirects, cookies and events as they are', async () => {
  const json = JSON.stringify({ success: false, error: { code: canary, message: canary }, meta: {} });
  const upstream = await startStub((request, response) => {
    if (request.url === '/api/v1/jobs') {
      const body = gzipSync(json);
      response.writeHead(500, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': body.length,
        connection: 'close, x-hop',
        'x-hop': canary,
        'x-own': 'kept',
      });
      return response.end(request.method === 'HEAD' ? undefined : body);
    }
    if (request.url === '/login') {
      return response
        .writeHead(303, {
          location: `http://${request.headers.host}/consent`,
          'set-cookie': ['a=1; Domain=example.com; Path=/', `b=${canary}`],
        })
        .end();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      `event: item\nid: ${canary}\ndata: {"id":"wli_01JNBK4V9Q0000000000000000","status":"new","x":"${canary}"}\n\n`,
    );
    response.write(`event: ${canary}\ndata: {}\n\n`);
    response.end();
  });
  const recorder = await record(upstream);
  const answer = await fetch(`${recorder.url}/api/v1/jobs`);
  expect(answer.headers.get('x-own')).toBe('kept');
  expect(answer.headers.get('x-hop')).toBeNull();
  expect(await answer.text()).toBe(json);
  expect((await fetch(`${recorder.url}/api/v1/jobs`, { method: 'HEAD' })).status).toBe(500);
  const redirect = await fetch(`${recorder.url}/login`, { redirect: 'manual' });
  expect(redirect.headers.get('location')).toBe(`${recorder.url}/consent`);
  expect(redirect.headers.getSetCookie()).toEqual(['a=1; Path=/', `b=${canary}`]);
  expect(await (await fetch(`${recorder.url}/api/v1/worklists/events`)).text()).toContain(canary);
  await recorder.close();
  expect(await recorder.text()).not.toContain(canary);
  const { log } = await recorder.har();
  expect(log.entries.map(({ request, response }) => [request.method, response.status])).toEqual([
    ['GET', 500],
    ['HEAD', 500],
    ['GET', 200],
  ]);
  expect(log.entries[2]!.response.content.text).toMatch(/^event: item\nid: event-id-1\ndata: \{"id":"wli_/);
  const { url } = await replay(recorder.file);
  const gone = new AbortController();
  const events = await fetch(`${url}/api/v1/worklists/events`, { signal: gone.signal });
  const { value } = await events.body!.getReader().read();
  expect(Buffer.from(value!).toString()).toBe(log.entries[2]!.response.content.text);
  gone.abort();
});

test('archives of browsers are replayed: names in whatever case, those of HTTP/2, contents in base64', async () => {
  const file = join(await temporaryDirectory(), 'browser.har');
  const body = JSON.stringify({ success: true, data: { items: [], next_cursor: null }, meta: {} });
  const entry = (at: number, url: string, request: object, response: object) => ({
    startedDateTime: new Date(at).toISOString(),
    time: 1,
    request: {
      method: 'GET',
      url,
      headers: [{ name: ':method', value: 'GET' }],
      queryString: [],
      bodySize: 0,
      ...request,
    },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Content-Encoding', value: 'gzip' },
        { name: 'Content-Length', value: '7' },
        { name: 'X-Odd', value: '‹something else›' },
      ],
      content: {
        size: 1,
        mimeType: 'application/json',
        text: Buffer.from(body).toString('base64'),
        encoding: 'base64',
      },
      ...response,
    },
  });
  const plain = { content: { size: 1, mimeType: 'application/json', text: body } };
  const sent = { mimeType: 'application/json;charset=UTF-8', text: JSON.stringify(exam('REAL-1')) };
  await writeFile(
    file,
    `\uFEFF${JSON.stringify({
      log: {
        entries: [
          entry(1, 'https://app.example/', {}, {}),
          entry(2, 'https://api.example/laudio/api/v1/jobs?limit=2', {}, {}),
          entry(
            3,
            'https://api.example/laudio/api/v1/worklists/ingest',
            { method: 'POST', bodySize: 9, postData: sent },
            plain,
          ),
        ],
      },
    })}`,
  );
  const { url } = await replay(file);
  const jobs = await fetch(`${url}/api/v1/jobs?limit=2`, { headers: { authorization: 'Bearer any' } });
  expect(await jobs.text()).toBe(body);
  // Nobody logged in while the browser recorded.
  expect((await (await clientAt(url)).oauth.validate()).data).toMatchObject({ valid: true, test_mode: true });
  const ingested = await fetch(`${url}/api/v1/worklists/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exam('LIVE-1', { patient_name: 'Sample Patient' })),
  });
  expect(await ingested.text()).toBe(body);
});

test('calls at once are all in the archive, and with --timing an answer takes as long as it took', async () => {
  const upstream = await startStub((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: true, data: {}, meta: {}, at: request.url }));
  });
  const recorder = await record(upstream);
  const limits = Array.from({ length: 30 }, (_, at) => at + 1);
  await Promise.all(limits.map((limit) => fetch(`${recorder.url}/api/v1/jobs?limit=${limit}`)));
  await recorder.close();
  const { entries } = (await recorder.har()).log;
  expect(
    entries.map(({ request }) => Number(new URL(request.url).searchParams.get('limit'))).toSorted((a, b) => a - b),
  ).toEqual(limits);

  const waits: number[] = [];
  const schedule: Clock['schedule'] = (at, task) => {
    waits.push(at);
    return systemClock.schedule(0, task);
  };
  const clock = { now: () => 0, elapsed: () => 0, schedule };
  const running = await createReplay({ file: recorder.file, port: 0, clock, timing: true });
  onTestFinished(() => running.close());
  const { request, time } = entries[0]!;
  expect((await fetch(running.url + new URL(request.url).pathname + new URL(request.url).search)).status).toBe(200);
  expect(waits).toEqual([time]);
});

test('only this computer’s own pages are answered', async () => {
  const recorder = await record(await startStub((_request, response) => response.end()));
  const answer = await fetch(`${recorder.url}/api/v1/jobs`, { headers: { origin: 'https://evil.example' } });
  expect(answer.status).toBe(403);
});

test('files that cannot be recorded to, or replayed, are refused with what is wrong', async () => {
  const directory = await temporaryDirectory();
  const file = join(directory, 'x.har');
  const opened = (upstream: string, insecure = false) =>
    createRecorder({
      file,
      replaces: false,
      upstream,
      insecure,
      port: 0,
      version: '0',
      clock: systemClock,
      env: {},
      onTrouble: () => undefined,
    });
  await expect(opened('http://example.com')).rejects.toThrow('is not encrypted');
  const running = await opened('http://example.com', true);
  onTestFinished(() => running.close());
  await expect(opened('http://127.0.0.1:9')).rejects.toThrow('exists already');
  for (const [content, why] of [
    ['', 'it is not JSON'],
    ['[]', 'it has no log'],
    ['{"log":{}}', 'its log has no list of entries'],
    ['{"log":{"entries":[{"request":{}}]}}', 'entry 1 lacks'],
  ] as const) {
    await writeFile(file, content);
    await expect(createReplay({ file, port: 0, clock: systemClock })).rejects.toThrow(why);
  }
  await expect(createReplay({ file: directory, port: 0, clock: systemClock })).rejects.toThrow('cannot be read');
});
