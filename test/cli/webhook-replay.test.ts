/** `laudio webhook replay`: a recorded day, sent to a receiver again. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookSecret, verifyWebhook } from '../../src/node/http/webhook-signature.ts';
import { createCli } from '../support/cli.ts';
import type { Cli } from '../support/cli.ts';
import { createReceiver } from '../server/delivery/webhooks/receiver.ts';

let cli: Cli;
beforeAll(async () => void (cli = await createCli()));
afterAll(() => cli.close());

const secret = createWebhookSecret();
const event = (id: string, timestamp: string, type = 'webhook.test') => ({
  id,
  event: { type, timestamp, data: { record_id: `rec_${id}` } },
});
/** A line of `listen --json`, whose body has its own spaces. */
const line = (id: string, timestamp: string, type?: string) => {
  const recorded = event(id, timestamp, type);
  return { verified: true, ...recorded, headers: {}, body: JSON.stringify(recorded.event, null, 1), repeated: false };
};
const day = [
  line('dlv_3', '2026-03-02T12:00:02.000Z'),
  line('dlv_1', '2026-03-02T12:00:00.000Z', 'worklist.document.completed'),
  { verified: false, id: null, event: null, reason: 'signature' },
  { ...line('dlv_1', '2026-03-02T12:00:00.000Z', 'worklist.document.completed'), repeated: true },
  line('dlv_9', '2026-03-05T12:00:00.000Z'),
];
const asLines = (values: readonly unknown[], end = '\n') => values.map((value) => JSON.stringify(value) + end).join('');

const replay = (input: string, ...words: string[]) =>
  cli.call(['webhook', 'replay', '-', ...words], { input, env: { LAUDIO_WEBHOOK_SECRET: secret, TZ: 'UTC' } });

it('sends each event once, oldest first, with its id, its bytes and a fresh signature', async () => {
  const receiver = await createReceiver();
  const ended = await replay(asLines(day, '\r\n'), '--date', '2026-03-02', '--forward-to', receiver.url);
  expect(ended).toMatchObject({ code: 0, stderr: 'Sent 2 events of 3.\n' });
  expect(ended.stdout).toMatch(
    /^2026-03-02T12:00:00.000Z\s+worklist\.document\.completed\s+dlv_1\s+your receiver {2}204/,
  );
  expect(receiver.requests.map(({ body }) => body)).toEqual([day[1], day[0]].map((each) => Object(each).body));
  const verdicts = receiver.requests.map((request) => verifyWebhook({ ...request, now: Date.now() }, [secret]));
  expect(verdicts).toEqual(['dlv_1', 'dlv_3'].map((id) => ({ ok: true, id })));
});

it('takes deliveries as the server lists them, and says what was refused', async () => {
  const replies = [500, 204];
  const receiver = await createReceiver((response) => response.writeHead(replies.shift() ?? 204).end());
  const deliveries = [event('dlv_2', '2026-03-02T12:00:01.000Z'), event('dlv_1', '2026-03-02T12:00:00.000Z')];
  const file = join(cli.directory, 'deliveries.json');
  await writeFile(file, JSON.stringify(deliveries));
  const env = { LAUDIO_WEBHOOK_SECRET: secret };
  const ended = await cli.call(['webhook', 'replay', file, '--json', '--forward-to', receiver.url], { env });
  expect(ended.code).toBe(9);
  expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: 'PARTIAL' } });
  const sent = ended.stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as unknown);
  expect(sent).toMatchObject([
    { id: 'dlv_1', forwarded: { http_status: 500 } },
    { id: 'dlv_2', forwarded: { http_status: 204 } },
  ]);
});

it('keeps the intervals, so many times faster, and sends only what is asked for', async () => {
  const receiver = await createReceiver();
  const words = ['--speed', '100x', '--event', 'webhook.test', '--forward-to', `webhook.test=${receiver.url}`];
  const two = [line('dlv_1', '2026-03-02T12:00:00.000Z'), line('dlv_2', '2026-03-02T12:00:05.000Z')];
  const start = performance.now();
  expect(await replay(asLines([...two, day[1]]), ...words)).toMatchObject({ code: 0 });
  expect(performance.now() - start).toBeGreaterThanOrEqual(49);
  expect(receiver.requests).toHaveLength(2);
});

it.each([
  [['--date', '2026-03-03'], /3 events, but none of 2026-03-03\.\n.*webhook\.test, of 2026-03-02 to 2026-03-05 in/],
  [['--event', 'medical_record.job.failed'], /but none medical_record\.job\.failed\.\n.*It has/],
  [
    ['--date', '2026-03-05', '--forward-to', 'medical_record.job.failed=http://127.0.0.1:9/'],
    /no receiver is named for webhook\.test\.\n.*--forward-to URL/,
  ],
] as const)('says what there is where nothing is to be sent (%#)', async (words, said) => {
  const all = words.includes('--forward-to' as never) ? [] : ['--forward-to', 'http://127.0.0.1:9/'];
  const { code, stdout, stderr } = await replay(asLines(day), ...words, ...all);
  expect([code, stdout, stderr]).toEqual([3, '', expect.stringMatching(said)]);
});

it.each([
  [asLines(day), [], 'Name your receiver'],
  [asLines(day), ['--forward-to', 'http://127.0.0.1:9/', '--date', '2026-02-30'], '--date takes a day'],
  [asLines(day), ['--forward-to', 'http://127.0.0.1:9/', '--event', 'webhook.tset'], 'Did you mean webhook.test?'],
  [asLines([{ id: 'dlv_1', status: 'failed' }]), ['--forward-to', 'http://127.0.0.1:9/'], 'entry 1 contains no event'],
  [asLines(day) + 'canary', ['--forward-to', 'http://127.0.0.1:9/'], 'Standard input:6 is not JSON.'],
  ['', ['--forward-to', 'http://127.0.0.1:9/'], 'contains no events'],
])('refuses what it cannot send (%#)', async (input, words, said) => {
  const { code, stdout, stderr } = await replay(input, ...words);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
  expect(stderr).not.toContain('canary');
});
