/** While something large or hostile is read, the server answers everybody else. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReaders } from '../../server/worklists/ingest/readers.ts';
import { readFile } from '../../server/worklists/ingest/read-tasks.ts';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import { contract } from '../../src/contract/index.ts';
import { readWorklist } from '../../src/files/worklist/worklist-file.ts';
import { startApi, succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { longestTurn } from '../support/longest-turn.ts';
import { connectMllp } from '../support/mllp.ts';

const { channels, worklists } = contract;
let api: Api;
beforeAll(async () => void (api = await startApi({ timeZone: 'UTC' })));

const header = String.raw`MSH|^~\&|RIS|H|||20260302||ORM^O01|1|P|2.5`;
const message = (...segments: readonly string[]): string => [header, 'PID|1||1||TESTE^ANA', ...segments, ''].join('\r');
/** Orders that say nothing, below long notes for all of them: as many as a request may hold. */
const manyOrders = message('NTE|1||x\r'.repeat(30_000) + 'ORC\r'.repeat(999));

const once = async function* (bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
};

/** What the reading alone takes of the thread that does it, in ms of the processor. */
async function costOf(text: string, format: 'hl7' | 'fhir'): Promise<number> {
  const begun = process.threadCpuUsage();
  const { readings } = await readWorklist(once(Buffer.from(text)), { format, timeZone: 'UTC' });
  for await (const reading of readings) expect(reading.kind).toBeDefined();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1000;
}

const send = (type: string, body: string | Buffer) =>
  api.call(worklists.endpoints.ingest, { body, headers: { 'content-type': type } });

describe('a body', () => {
  test('that is long to read is read elsewhere', async () => {
    const own = await costOf(manyOrders, 'hl7');
    const { result, longest } = await longestTurn(() => send('application/hl7-v2', manyOrders));
    expect(result.status).toBe(400);
    expect(longest).toBeLessThan(own / 2);
  });

  test('of more than a request may hold is refused before it is read', async () => {
    const request = '<entry><resource><ServiceRequest><id value="1"/></ServiceRequest></resource></entry>';
    const orders = Array.from({ length: 1001 }, (_, at) => `ORC|NW|P${at}|F${at}\rOBR|1|P${at}|F${at}|CT^Head`);
    for (const [type, body] of [
      ['application/hl7-v2', message(...orders)],
      ['application/hl7-v2', message('ORC|NW|1\rOBR|1|1').repeat(1001)],
      ['application/fhir+xml', `<Bundle xmlns="http://hl7.org/fhir">${request.repeat(1001)}</Bundle>`],
    ] as const) {
      const answer = await send(type, body);
      expect(answer, type).toMatchObject({ status: 413, error: { details: { limit_items: 1000 } } });
    }
  });

  test.each([
    // So long that an expression which keeps a place for each character runs out of room.
    ['attributes without an end', `<Patient a="${'&'.repeat(9_000_000)}">`],
    ['a string without an end', `{"resourceType":"Patient","a":"${'x'.repeat(9_000_000)}`],
    ['elements without an end', `<Patient xmlns="http://hl7.org/fhir">${'<a>'.repeat(100_000)}`],
    ['brackets without an end', '['.repeat(500_000)],
    ['names without an end', '{"a":'.repeat(100_000)],
    ['text without an end', `<Patient xmlns="http://hl7.org/fhir">${'<div>'.repeat(100_000)}`],
  ])('of nothing but %s is refused', async (_, body) => {
    for (const type of ['application/fhir+xml', 'application/hl7-v2']) {
      const answer = await send(type, body);
      expect([answer.status, answer.error.message], type).toEqual([400, expect.stringMatching(/\w/)]);
    }
  });
});

describe('a message at a port', () => {
  test('that is long to read is read elsewhere, and answered', async () => {
    const { state } = succeeded(
      await api.call(channels.endpoints.add, {
        body: { name: 'orders', kind: 'hl7-in', space: 'test_tc_local', settings: { port: 0 } },
      }),
      201,
    );
    const peer = await connectMllp(state.address!);
    onTestFinished(peer.close);
    const own = await costOf(manyOrders, 'hl7');
    const { result, longest } = await longestTurn(() => peer.ask(manyOrders));
    expect(result).toMatch(/MSA\|A[ER]\|1/);
    expect(longest).toBeLessThan(own / 2);
  });
});

describe('reading', () => {
  const workers = createWorkers();
  afterAll(() => workers.close());

  test('ends at its time limit, and gives a remedy', async () => {
    const readers = createReaders(workers, 1);
    for (const raw of [Buffer.from(manyOrders), gzipSync(manyOrders)]) {
      await expect(readers.file(raw, { format: 'hl7' }, 'c')).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        hint: expect.stringContaining('Divide it'),
      });
    }
  });

  test('gives the same in a thread and here, refusals included', async () => {
    const readers = createReaders(workers);
    const small = message('ORC|NW|P1|F1', 'OBR|1|P1|F1|CT^Head');
    const bytes = Buffer.from(small);
    const options = { format: 'hl7', timeZone: 'UTC' } as const;
    const here = await readers.file(bytes, options, 'c');
    expect(
      await workers.run(readFile, { raw: bytes, options }, { client: 'c', signal: AbortSignal.timeout(60_000) }),
    ).toEqual(here);
    // Packed bytes are never small: they unpack to any size.
    expect((await readers.file(gzipSync(bytes), options, 'c')).readings).toEqual(here.readings);
    await expect(readers.file(Buffer.from('{'), { format: 'fhir' }, 'c')).rejects.toMatchObject({
      code: 'INVALID_JSON',
    });
    const large = Buffer.from(`${'{'.repeat(100_000)}`);
    await expect(readers.file(large, { format: 'fhir' }, 'c')).rejects.toMatchObject({ code: 'INVALID_JSON' });
    expect(await readFile({ raw: large, options: { format: 'fhir' } })).toMatchObject({
      refused: { code: 'INVALID_JSON' },
    });
  });
});
