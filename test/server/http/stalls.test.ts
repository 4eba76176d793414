/**
 * One request never makes the others wait: whatever is asked, no turn of the event loop takes much longer than that of an
 * ordinary batch, in time of the processor. Each row was seen to take seconds, or grow with what was sent.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { InjectOptions } from 'fastify';
import { contract } from '../../../src/contract/index.ts';
import { audioTypeNames } from '../../../src/contract/document.ts';
import { exportFormats } from '../../../src/contract/export.ts';
import { fillPath } from '../../../src/client/address.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { examFields, startApi } from '../../support/api.ts';
import { beginnings } from '../../support/audio.ts';
import { explored } from '../../support/explored.ts';
import { longestTurn } from '../../support/longest-turn.ts';

const api = await startApi();
const { worklists, records, oauth } = contract;
const { ingest } = worklists.endpoints;
const { generate, update, correct, list, get } = records.endpoints;

/** How often an ordinary turn a hostile one may take: room for the collector and for other programs' caches. */
const patience = 4;

const send = (endpoint: Endpoint, body?: string, { id = '', query = '' } = {}): Promise<number> => {
  const request: InjectOptions = {
    method: endpoint.method as 'POST',
    url: fillPath(endpoint.path, { id }) + query,
    headers: {
      authorization: `Bearer ${api.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: body }),
  };
  return api.server.inject(request).then(({ statusCode }) => statusCode);
};
const textOf = (unit: string, length: number): string =>
  `Test Patient. Findings: ${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length);
const generated = async (text: string): Promise<string> => (await api.generate({ text, language: 'en-US' })).id;
const many = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length)).slice(0, -1);
const megabytes = 1_000_000;
/** What grows with the square of a length takes seconds at either. */
const [textLength, longLength] = explored.isOn ? [400_000, 900_000] : [200_000, 450_000];

let ordinary = 0;
let run = '';
let long = '';
beforeAll(async () => {
  const batch = () => JSON.stringify(Array.from({ length: 1000 }, () => examFields()));
  for (let round = 0; round < 3; round++) {
    const body = batch();
    const { longest, result } = await longestTurn(() => send(ingest, body));
    expect(result).toBe(200);
    ordinary = Math.max(ordinary, longest);
  }
  // What is loaded or compiled for the first of a kind is not of the request.
  const audio = { content_type: 'audio/wav', data: beginnings['audio/wav'].toString('base64') };
  const { id } = await api.generate({ audio });
  for (const [endpoint, body] of [
    [update, '{"title":""}'],
    [correct, '{"text":"replace a with b"}'],
  ] as const) {
    await send(endpoint, body, { id });
  }
  for (const endpoint of [list, get]) await send(endpoint, undefined, { id });
  await send(ingest, '[{}]');

  run = await generated(textOf('a', 200_000));
  long = await generated(textOf('lungs are clear ', longLength));
  for (let count = 0; count < 5; count++) await generated(textOf('lungs are clear ', 300_000));
});

type Row = readonly [what: string, status: number, ask: () => Promise<number>];
const row = (what: string, status: number, endpoint: Endpoint, body: () => string, id = () => ''): Row => {
  let made: string | undefined;
  return [what, status, () => send(endpoint, (made ??= body()), { id: id() })];
};
const text = (unit: string): string => JSON.stringify({ text: textOf(unit, textLength), language: 'en-US' });

const rows: readonly Row[] = [
  row('a text without a break', 201, generate, () => text('a')),
  row('a text of accents', 201, generate, () => text('é')),
  row('a text of escapes', 201, generate, () => text('"\n')),
  row('a text of numbers', 201, generate, () => text('twenty five point three ')),
  row('a text of marks out of order', 201, generate, () =>
    JSON.stringify({ text: `Test Patient. a${'\u0301'.repeat(100_000)}${'\u0316'.repeat(100_000)}` }),
  ),
  row('a text of characters that are sentences', 201, generate, () => text('ﷺ ')),
  row('a text of syllables that come apart', 201, generate, () => text('각')),
  row(
    'a correction of a long document',
    200,
    correct,
    () => '{"text":"In the findings, replace clear with free."}',
    () => long,
  ),
  row(
    'a million sections without anything',
    413,
    update,
    () => `{"sections":[${many('{},', 3 * megabytes)}]}`,
    () => run,
  ),
  row(
    'sixty thousand sections without anything',
    400,
    update,
    () => `{"sections":[${many('{},', 0.18 * megabytes)}]}`,
    () => run,
  ),
  row(
    'thirty thousand fields that there are not',
    400,
    update,
    () => {
      const fields = Array.from({ length: 30_000 }, (_, at) => `"field${at}":1`);
      return `{${fields.join(',')}}`;
    },
    () => run,
  ),
  row(
    'metadata that is all brackets',
    413,
    update,
    () => `{"metadata":{"a":[${many('[],', 5 * megabytes)}]}}`,
    () => run,
  ),
  row('a thousand items of which nothing is right', 400, ingest, () => `[${'{},'.repeat(999)}{}]`),
  row('10 MB of items that are none', 413, ingest, () => `[${many('1,', 10 * megabytes)}]`),
  row('a name of marks out of order', 400, ingest, () =>
    JSON.stringify(examFields({ patient_name: `a${'\u0301'.repeat(100_000)}${'\u0316'.repeat(100_000)}` })),
  ),
  ...(Object.keys(exportFormats) as (keyof typeof exportFormats)[]).map((format): Row => [
    `a run of 200 kB as ${format}`,
    // It measures nothing.
    format === 'dicom-measurements' ? 400 : 200,
    () => send(records.endpoints.export, undefined, { id: run, query: `?format=${format}` }),
  ]),
  ['a search of texts that nobody has searched yet', 200, () => send(list, undefined, { query: '?q=nothing' })],
  ['a page of large documents', 200, () => send(list, undefined, { query: '?limit=200' })],
  ['a long document', 200, () => send(get, undefined, { id: long })],
  ...audioTypeNames.map((type) =>
    row(`the head of ${type} and megabytes of 0xFF`, 201, generate, () => {
      // Each byte may begin a frame of MPEG: two of them take longer than five of any other.
      const length = (type === 'audio/mpeg' ? 2 : 5) * megabytes;
      const bytes = Buffer.concat([beginnings[type], Buffer.alloc(length, 0xff)]);
      return JSON.stringify({ audio: { content_type: type, data: bytes.toString('base64') } });
    }),
  ),
];

describe('Nobody waits for', () => {
  test.each(rows)('%s', async (_what, status, ask) => {
    const { result, longest } = await longestTurn(ask);
    expect(result).toBe(status);
    expect(longest).toBeLessThan(patience * ordinary);
  });

  test('a form of 150,000 fields', async () => {
    const payload = Array.from({ length: 150_000 }, (_, at) => `${at.toString(36)}=`).join('&');
    for (const url of [oauth.endpoints.token.path, '/nothing']) {
      const { result, longest } = await longestTurn(() =>
        api.server.inject({
          method: 'POST',
          url,
          payload,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      );
      expect(result.statusCode).toBe(413);
      expect(longest).toBeLessThan(patience * ordinary);
    }
  });
});
