/** Macros (extension): whose they are, who sees them, which names they may have, and how many there may be. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { Macro } from '../../../src/contract/macro.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api, Ask } from '../../support/api.ts';
import { exportOf, seedTo } from '../../support/maintenance.ts';

const { list, get, create, update, delete: remove, import: importAll } = contract.macros.endpoints;
const { reset } = contract.maintenance.endpoints;

const start = (): Promise<Api> => startApi({}, onTestFinished);
const chest = { name: 'tórax normal', text: 'Pulmões limpos.' };

const make = async (api: Api, body: object, token?: string): Promise<Macro> =>
  succeeded(await api.call(create, { body, ...(token !== undefined && { token }) }), 201);
const namesOf = async (api: Api, ask: Ask = {}): Promise<string[]> =>
  succeeded(await api.call(list, ask)).items.map(({ name }) => name);

/** A client of real data and two people of its space. */
async function twoPeople(api: Api) {
  const client = await api.createClient();
  const people = ['helena', 'bruno'].map(async (username) => {
    const login = { username, password: 'right-here-1' };
    const { id } = await api.createUser(login);
    return { id, token: (await api.tokens({ client, login })).access_token };
  });
  const [helena, bruno] = await Promise.all(people);
  return { helena: helena!, bruno: bruno! };
}

describe('a macro', () => {
  test('belongs to the caller, in every language, and applies where it is called, by default', async () => {
    const api = await start();
    const macro = await make(api, { name: '  tórax   normal ', text: ' Pulmões limpos.\r\n' });
    expect(macro).toEqual({
      ...chest,
      id: expect.stringMatching(/^mac_[0-9A-HJKMNP-TV-Z]{26}$/),
      section: null,
      language: null,
      owner: 'person',
      version: 1,
      created_at: '2026-03-02T11:30:00.000Z',
      updated_at: '2026-03-02T11:30:00.000Z',
    });
    const answer = await api.call(get, { params: { id: macro.id } });
    expect(answer).toMatchObject({ status: 200, data: macro, headers: { etag: '"1"' } });
  });

  test('of a person is nobody else’s business; one of the space is everybody’s there', async () => {
    const api = await start();
    const { helena, bruno } = await twoPeople(api);
    const own = await make(api, chest, helena.token);
    const shared = await make(api, { ...chest, owner: 'space' }, helena.token);
    expect(await namesOf(api, { token: bruno.token })).toEqual([chest.name]);
    for (const endpoint of [get, update, remove] as const) {
      const ask = { params: { id: own.id }, ...(endpoint === update && { body: { text: 'x' } }) };
      expect((await api.call(endpoint, { ...ask, token: bruno.token })).status).toBe(404);
      expect((await api.call(endpoint, { ...ask, token: api.token })).status).toBe(404);
    }
    expect((await api.call(get, { params: { id: shared.id }, token: api.token })).status).toBe(404);
    const changed = await api.call(update, {
      params: { id: shared.id },
      body: { text: 'Pulmões claros.' },
      token: bruno.token,
    });
    expect(changed).toMatchObject({ status: 200, data: { text: 'Pulmões claros.', owner: 'space', version: 2 } });
    expect(await namesOf(api, { token: helena.token })).toHaveLength(2);
    expect(await namesOf(api)).toEqual([]);
  });

  test('needs the scope macros:write to be changed, and medical_records:read to be read', async () => {
    const api = await start();
    const { access_token: token } = await api.tokens({ scopes: ['medical_records:read', 'medical_records:write'] });
    const { id } = await make(api, chest);
    expect(await namesOf(api, { token })).toEqual([chest.name]);
    for (const refused of [
      await api.call(create, { body: chest, token }),
      await api.call(importAll, { body: { items: [chest] }, token }),
      await api.call(update, { params: { id }, body: { text: 'x' }, token }),
      await api.call(remove, { params: { id }, token }),
    ]) {
      expect(refused).toMatchObject({ status: 403, error: { details: { required_scope: 'macros:write' } } });
    }
  });

  test('changes by the fields that are sent, on the version that was read', async () => {
    const api = await start();
    const { id } = await make(api, { ...chest, section: 'findings', language: 'pt-BR' });
    const put = (body: object, tag?: string) =>
      api.call(update, { params: { id }, body, ...(tag !== undefined && { headers: { 'if-match': tag } }) });
    expect(await put({ text: 'Outro.' }, '"7"')).toMatchObject({ status: 412, error: { code: 'VERSION_CONFLICT' } });
    expect(await put({ text: 'Outro.' }, '"1"')).toMatchObject({
      data: { ...chest, text: 'Outro.', section: 'findings', language: 'pt-BR', version: 2 },
      headers: { etag: '"2"' },
    });
    expect(await put({ section: null, owner: 'space' })).toMatchObject({
      data: { section: null, owner: 'space', version: 3 },
    });
    expect(await put({ text: 'Outro.', owner: 'space' })).toMatchObject({ status: 200, data: { version: 3 } });
    expect((await put({})).status).toBe(400);
    expect((await api.call(remove, { params: { id }, headers: { 'if-match': '"1"' } })).status).toBe(412);
    expect(await api.call(remove, { params: { id } })).toMatchObject({ status: 200, data: { id, deleted: true } });
    expect((await api.call(get, { params: { id } })).status).toBe(404);
  });

  test('has a name that no other macro of its owner has in its language', async () => {
    const api = await start();
    const { id } = await make(api, { ...chest, language: 'pt-BR' });
    const again = await api.call(create, { body: { name: 'Torax-Normal!', text: 'x', language: 'pt-BR' } });
    expect(again).toMatchObject({
      status: 409,
      error: { code: 'IDENTIFIER_CONFLICT', details: { id, owner: 'person' } },
    });
    await make(api, chest);
    await make(api, { ...chest, language: 'pt-BR', owner: 'space' });
    const other = await make(api, { ...chest, name: 'abdome normal', language: 'pt-BR' });
    const renamed = await api.call(update, { params: { id: other.id }, body: { name: 'TÓRAX NORMAL' } });
    expect(renamed).toMatchObject({ status: 409, error: { details: { id } } });
    expect((await api.call(update, { params: { id }, body: { name: 'TÓRAX NORMAL' } })).status).toBe(200);
  });

  test.each([
    ['no name', { text: 'x' }, 'name FIELD_REQUIRED'],
    ['an empty name', { name: '', text: 'x' }, 'name INVALID_VALUE'],
    ['a name without a word', { name: '?!…', text: 'x' }, 'name INVALID_VALUE'],
    ['a long name', { name: 'a'.repeat(81), text: 'x' }, 'name TOO_LONG'],
    ['a name of two lines', { name: 'tórax\nnormal', text: 'x' }, 'name INVALID_FORMAT'],
    ['no text', { name: 'a b' }, 'text FIELD_REQUIRED'],
    ['a blank text', { name: 'a b', text: ' \n ' }, 'text INVALID_VALUE'],
    ['a text of 200 kB', { name: 'a b', text: '[[__ mm]'.repeat(25_000) }, 'text TOO_LONG'],
    ['a section that is no key', { ...chest, section: 'Achados!' }, 'section INVALID_FORMAT'],
    ['a language that nobody writes in', { ...chest, language: 'fr-FR' }, 'language INVALID_VALUE'],
    ['an owner of another kind', { ...chest, owner: 'me' }, 'owner INVALID_VALUE'],
    ['a field of its own', { ...chest, id: 'mac_1' }, 'id UNKNOWN_FIELD'],
  ])('is refused with %s', async (_name, body, problem) => {
    const { error } = await (await shared).call(create, { body });
    expect(error.details.errors.map(({ field, code }) => `${field} ${code}`)).toEqual([problem]);
  });
  const shared = startApi();
});

describe('a listing', () => {
  test('has pages, newest first, of what the caller may call', async () => {
    const api = await start();
    for (const [at, owner] of (['person', 'space', 'person', 'space', 'space'] as const).entries()) {
      await make(api, { name: `macro ${at}`, text: at === 2 ? 'Pleura espessada.' : 'x', owner });
    }
    const first = succeeded(await api.call(list, { query: { limit: 3 } }));
    expect(first.items.map(({ name }) => name)).toEqual(['macro 4', 'macro 3', 'macro 2']);
    await make(api, { name: 'macro 5', text: 'x' });
    const second = succeeded(await api.call(list, { query: { limit: 3, cursor: first.next_cursor! } }));
    expect(second).toMatchObject({ items: [{ name: 'macro 1' }, { name: 'macro 0' }], next_cursor: null });
    expect(await namesOf(api, { query: { owner: 'person' } })).toEqual(['macro 5', 'macro 2', 'macro 0']);
    expect(await namesOf(api, { query: { q: 'PLEURA' } })).toEqual(['macro 2']);
    expect((await api.call(list, { query: { cursor: 'x' } })).status).toBe(400);
  });

  test('for a language has those of the language and those of every language', async () => {
    const api = await start();
    for (const language of ['pt-BR', 'en-US', null]) await make(api, { ...chest, language });
    const listed = succeeded(await api.call(list, { query: { language: 'en-US' } }));
    expect(listed.items.map(({ language }) => language)).toEqual([null, 'en-US']);
  });

  test('shows a cursor to be another person’s', async () => {
    const api = await start();
    const { helena, bruno } = await twoPeople(api);
    for (const name of ['a b', 'c d']) await make(api, { name, text: 'x', owner: 'space' }, helena.token);
    const { next_cursor: cursor } = succeeded(await api.call(list, { query: { limit: 1 }, token: helena.token }));
    expect((await api.call(list, { query: { cursor }, token: bruno.token })).status).toBe(400);
  });
});

describe('an import', () => {
  const items = [chest, { name: 'coração normal', text: 'Coração normal.', owner: 'space' }];
  const send = (api: Api, body: object) => api.call(importAll, { body });

  test('makes all macros', async () => {
    const api = await start();
    expect(await send(api, { items })).toMatchObject({ data: { created: 2, replaced: 0, unchanged: 0 } });
    expect((await namesOf(api)).toSorted()).toEqual(['coração normal', 'tórax normal']);
  });

  test('makes none where one cannot be made, and says which', async () => {
    const api = await start();
    await make(api, chest);
    const { error } = await send(api, { items: [{ name: 'x y', text: 'x' }, chest, { name: 'X Y', text: 'y' }] });
    expect(error.details.errors.map(({ field }) => field)).toEqual(['items.1.name', 'items.2.name']);
    const blank = await send(api, {
      items: [
        { name: 'x y', text: 'x' },
        { name: '!', text: 'x' },
      ],
    });
    expect(blank.error.details.errors).toMatchObject([{ field: 'items.1.name' }]);
    expect(await namesOf(api)).toEqual([chest.name]);
  });

  test('replaces those that are there only where it is asked to', async () => {
    const api = await start();
    const { id } = await make(api, chest);
    await send(api, { items: [items[1]] });
    const body = { items: [{ ...chest, text: 'Outro.' }, items[1]], replace: true };
    expect(await send(api, body)).toMatchObject({ data: { created: 0, replaced: 1, unchanged: 1 } });
    expect(succeeded(await api.call(get, { params: { id } }))).toMatchObject({ text: 'Outro.', version: 2 });
  });

  test('fills a person’s thousand macros, and not one more', async () => {
    const api = await start();
    const many = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => ({ name: `macro ${from + at}`, text: 'x' }));
    expect((await send(api, { items: many(0, 999) })).status).toBe(200);
    expect(await send(api, { items: many(999, 1001) })).toMatchObject({
      status: 413,
      error: { details: { limit_items: 1000 } },
    });
    await make(api, { name: 'macro 999', text: 'x' });
    expect((await api.call(create, { body: { name: 'macro 1000', text: 'x' } })).status).toBe(413);
    expect((await api.call(create, { body: { name: 'macro 1000', text: 'x', owner: 'space' } })).status).toBe(201);
  });
});

describe('care of the data', () => {
  test('an export has the macros, a seed brings them back, a reset of the space removes them', async () => {
    const api = await start();
    const { id } = await make(api, chest);
    const text = await exportOf(api, { collections: 'macros' });
    expect(text).toContain('Pulmões limpos.');
    await api.call(remove, { params: { id } });
    expect(await seedTo(api, text)).toMatchObject({ status: 200, data: { documents: { macros: 1 } } });
    expect(await namesOf(api)).toEqual([chest.name]);
    const nobodys = await seedTo(api, text.replace(/"user_id":"\w+"/, '"user_id":null'));
    expect(nobodys.error.message).toContain('user_id');
    expect(await api.call(reset, { body: { space: 'test_tc_local' } })).toMatchObject({
      data: { documents: { macros: 1 } },
    });
    expect(await namesOf(api)).toEqual([]);
  });

  test('the macros of a person go with the person; those of the space stay', async () => {
    const api = await start();
    const { helena, bruno } = await twoPeople(api);
    await make(api, chest, helena.token);
    await make(api, { ...chest, owner: 'space' }, helena.token);
    await api.call(contract.users.endpoints.delete, { params: { id: helena.id } });
    expect(await exportOf(api, { collections: 'macros' })).not.toContain(helena.id);
    expect(await namesOf(api, { token: bruno.token })).toEqual([chest.name]);
  });
});
