/** The contract's collections: `limit`, `cursor`, `{items, next_cursor}`, newest first, nothing repeated or skipped. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';

const api = await startApi();
const { worklists, records, jobs, clients, users, webhooks } = contract;
const { list } = worklists.endpoints;

type Listing =
  | typeof list
  | typeof records.endpoints.list
  | typeof records.endpoints.versions
  | typeof clients.endpoints.list;

const made = (async () => {
  const items = await api.ingest(Array.from({ length: 5 }, () => examFields()));
  for (const _ of [1, 2, 3]) {
    await api.generate();
    await api.ended((await api.enqueue()).id);
    await api.createClient();
  }
  for (const username of ['ana', 'bia', 'cid']) await api.createUser({ username, password: 'correct horse' });
  const { id } = await api.generate();
  for (const title of ['two', 'three']) await api.call(records.endpoints.update, { params: { id }, body: { title } });
  const item = items.items[0]!.id!;
  for (const status of ['in_progress', 'new', 'cancelled'])
    await api.call(worklists.endpoints.setStatus, { params: { id: item }, body: { status } });
  const { client_id } = await api.createClient();
  // Nobody listens there; what was sent is listed all the same.
  await api.call(webhooks.endpoints.put, { params: { client_id }, body: { url: 'http://127.0.0.1:9/' } });
  for (const _ of [1, 2, 3]) await api.call(webhooks.endpoints.test, { params: { client_id } });
  // Until each was tried once: the second try waits for a clock that stands still, so no listing changes while it is read.
  const tries = async () =>
    succeeded(await api.call(webhooks.endpoints.deliveries, { params: { client_id } })).items.map(
      ({ attempts }) => attempts.length,
    );
  await expect.poll(tries, { interval: 5 }).toEqual([1, 1, 1]);
  return { id, item, client_id };
})();

const listings = [
  [list, () => ({})],
  [worklists.endpoints.history, ({ item }: Awaited<typeof made>) => ({ id: item })],
  [records.endpoints.list, () => ({})],
  [records.endpoints.versions, ({ id }: Awaited<typeof made>) => ({ id })],
  [jobs.endpoints.list, () => ({})],
  [clients.endpoints.list, () => ({})],
  [users.endpoints.list, () => ({})],
  [webhooks.endpoints.deliveries, ({ client_id }: Awaited<typeof made>) => ({ client_id })],
] as const;

describe('Collections', () => {
  test.each(listings)('$path: pages of two are the whole list, once, newest first', async (endpoint, paramsOf) => {
    const params = paramsOf(await made);
    const ask = (query: object) => api.call(endpoint as Listing, { params, query: query as Record<string, unknown> });
    const whole = succeeded(await ask({ limit: 200 }));
    expect(whole.next_cursor).toBeNull();
    expect(whole.items.length).toBeGreaterThanOrEqual(3);
    const walked: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const page = succeeded(await ask({ limit: 2, ...(cursor && { cursor }) }));
      expect(page.items.length).toBeLessThanOrEqual(2);
      walked.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked).toEqual(whole.items);
  });

  test.each(listings)('$path: bad limits and cursors are refused', async (endpoint, paramsOf) => {
    const params = paramsOf(await made);
    const bad: [string, unknown][] = [
      ['limit', 0],
      ['limit', 201],
      ['limit', -1],
      ['limit', 1.5],
      ['limit', 'ten'],
      ['cursor', 'nonsense'],
      ['cursor', Buffer.from('rec_1').toString('base64url')],
      ['cursor', 'x'.repeat(257)],
    ];
    for (const [name, value] of bad) {
      const answer = await api.call(endpoint as Listing, { params, query: { [name]: value } });
      expect(answer, `${name}=${value}`).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED', details: { errors: [{ field: name }] } },
      });
    }
  });

  test('the default is 50 a page', async () => {
    await api.ingest(Array.from({ length: 60 }, () => examFields()));
    const page = succeeded(await api.call(list));
    expect(page.items).toHaveLength(50);
    expect(page.next_cursor).toEqual(expect.any(String));
  });

  test('items that come and go during the walk neither repeat nor hide others', async () => {
    const token = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    for (const _ of [1, 2, 3, 4, 5]) await api.generate(undefined, { token });
    const ask = (query: Record<string, unknown>) => api.call(records.endpoints.list, { query, token });
    const before = succeeded(await ask({})).items.map(({ id }) => id);
    const first = succeeded(await ask({ limit: 2 }));
    await api.generate(undefined, { token });
    // The one that the cursor names goes, and one that is still to come.
    for (const id of [before[1]!, before[3]!])
      succeeded(await api.call(records.endpoints.delete, { params: { id }, token }));
    const rest = succeeded(await ask({ cursor: first.next_cursor }));
    expect(rest.items.map(({ id }) => id)).toEqual([before[2], before[4]]);
    expect(rest.next_cursor).toBeNull();
  });

  test('a page of large documents ends early, by its size, and the walk has them all', async () => {
    const token = (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
    const made: string[] = [];
    for (let count = 0; count < 5; count++) {
      const text = `Test Patient. Findings: ${'lungs are clear '.repeat(count === 2 ? 60_000 : 6000)}`;
      made.unshift((await api.generate({ text, template_id: 'test_template_general' }, { token })).id);
    }
    const pages: number[] = [];
    const walked: string[] = [];
    let cursor: string | null | undefined;
    do {
      const answer = await api.call(records.endpoints.list, {
        query: { limit: 200, ...(cursor && { cursor }) },
        token,
      });
      const page = succeeded(answer);
      pages.push(page.items.length);
      // A document alone may be larger; several together are not.
      if (page.items.length > 1) expect(answer.text.length).toBeLessThan(1_200_000);
      walked.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked).toEqual(made);
    expect(pages).toEqual([2, 1, 2]);
    // Their jobs show nothing of the text.
    for (let count = 0; count < 3; count++) {
      await api.enqueue({ text: `Test Patient. ${'lungs are clear '.repeat(30_000)}` }, { token });
    }
    expect(succeeded(await api.call(jobs.endpoints.list, { token })).items).toHaveLength(3);
  });

  test('a cursor of another listing is refused', async () => {
    await made;
    const { next_cursor: cursor } = succeeded(await api.call(list, { query: { limit: 1 } }));
    expect((await api.call(records.endpoints.list, { query: { cursor } })).status).toBe(400);
  });
});
