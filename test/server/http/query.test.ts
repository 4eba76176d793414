/** Query parameters: what no call knows is refused by name, and a value that nothing can have is refused, not sought. */
import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { everyEndpoint, someParams } from './endpoints.ts';

const api = await startApi();
const { list, events } = contract.worklists.endpoints;

// What comes first is refused first: a path, and a body.
const isReached = ({ path, body, bodyIsOptional, checksOwnInput }: Endpoint): boolean =>
  !/\{(name|number)\}/.test(path) && (!body || bodyIsOptional === true || checksOwnInput === true);

describe('An unknown query parameter', () => {
  const inApi = everyEndpoint.filter(({ endpoint }) => endpoint.path.startsWith('/api/v1/') && isReached(endpoint));
  test.each(inApi)('$name refuses it by name', async (each) => {
    const { endpoint } = each;
    const answer = await api.call(endpoint, { params: someParams(endpoint), query: { acession_number: 'SL-1' } });
    expect([answer.status, answer.error?.code], answer.text).toEqual([400, 'VALIDATION_FAILED']);
    const problems = answer.error.details['errors'] as { field: string; code: string }[];
    expect(problems).toContainEqual(expect.objectContaining({ field: 'acession_number', code: 'UNKNOWN_FIELD' }));
  });

  test('is refused with the list of existing ones, and each unknown one has its line', async () => {
    const answer = await api.call(list, { query: { acession_number: 'SL-1', page: '2' } });
    expect(answer).toMatchObject({
      status: 400,
      error: {
        details: {
          errors: [
            {
              field: 'acession_number',
              message: expect.stringMatching(/it takes limit, cursor, .*accession_number, /),
            },
            { field: 'page' },
          ],
        },
      },
    });
    const none = await api.call(events, { query: { status: 'new' } });
    expect(none.error.message).toContain('status is not a query parameter of this call; it takes none');
  });

  test('outside the API it is ignored, as OAuth demands', async () => {
    expect((await api.send({ url: '/.well-known/oauth-authorization-server?x=1' })).status).toBe(200);
  });
});

/** The values that a parameter takes where these are few, else its types; none where any text is one. */
function takenBy({ type, enum: values, items }: JsonSchema): readonly string[] {
  if (values) return values.map(String);
  if (items) return takenBy(items);
  return [type ?? []].flat().filter((each) => each !== 'string');
}
const chosen = everyEndpoint
  // A login answers with a redirect (RFC 6749 4.1.2.1).
  .filter(({ endpoint }) => isReached(endpoint) && !endpoint.path.startsWith('/api/oauth/'))
  .flatMap(({ name, endpoint }) =>
    Object.entries<JsonSchema>(endpoint.query?.properties ?? {}).flatMap(([parameter, schema]) => {
      const taken = takenBy(schema);
      return taken.length > 0 ? [{ name: `${name}?${parameter}`, endpoint, parameter, taken }] : [];
    }),
  );

describe('The value of a parameter with a type or a choice', () => {
  test('is refused wherever it has none, with what is taken', async () => {
    expect(chosen.length).toBeGreaterThan(50);
    for (const { name, endpoint, parameter, taken } of chosen) {
      const answer = await api.call(endpoint, { params: someParams(endpoint), query: { [parameter]: 'AAA' } });
      expect(answer.status, `${name}: ${answer.text}`).toBe(400);
      expect(answer.text, name).toContain(parameter);
      const words = { integer: 'number', boolean: 'true' } as Readonly<Record<string, string>>;
      expect(answer.text, name).toContain(words[taken[0]!] ?? taken[0]);
    }
  });

  test('is refused at /openapi.json, where other parameters are ignored', async () => {
    const answer = await api.send({ url: '/openapi.json?webhooks=AAA' });
    expect(answer).toMatchObject({ status: 400, error: { details: { errors: [{ field: 'webhooks' }] } } });
    expect(answer.error.message).toMatch(/0.*1/);
    const { status, json } = await api.send({ url: '/openapi.json?webhooks=0&_=1' });
    expect([status, json['webhooks']]).toEqual([200, undefined]);
  });
});

describe('The value of a filter', () => {
  test.each([
    ['status', 'done'],
    ['status', 'new,done'],
    ['status', ''],
    ['modality', 'XX'],
    ['priority', 'urgent'],
    ['subspecialty', 'heart'],
    ['report', 'signed'],
    ['from', 'yesterday'],
    ['to', '2026-02-30'],
    ['study_uid', '1.02.3'],
    ['accession_number', ''],
    ['accession_number', '%20'],
    ['accession_number', 'x'.repeat(65)],
    ['patient_id', 'a%07b'],
    ['patient_id', '1&patient_id=2'],
    ['limit', '0'],
    ['cursor', 'abc'],
  ])('%s=%s is a 400 that names the filter', async (name, value) => {
    const answer = await api.send({
      url: `${list.path}?${name}=${value}`,
      headers: { authorization: `Bearer ${api.token}` },
    });
    expect(answer, answer.text).toMatchObject({ status: 400, error: { details: { errors: [{ field: name }] } } });
  });

  test('a period that ends before it begins is a 400', async () => {
    expect(await api.call(list, { query: { from: '2026-03-02', to: '2026-03-01' } })).toMatchObject({
      status: 400,
      error: { details: { errors: [{ field: 'to' }] } },
    });
  });

  test('an exam is found by what the RIS knows of it', async () => {
    const sent = { accession_number: 'Q,1', study_uid: '1.2.3.4', patient_id: '007' };
    const id = await api.exam(sent);
    for (const [name, value] of Object.entries(sent)) {
      const { items } = succeeded(await api.call(list, { query: { [name]: value } })) as { items: { id: string }[] };
      expect(items.map((item) => item.id)).toEqual([id]);
    }
  });
});
