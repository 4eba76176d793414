/** What a server that logged in by its own credentials may do: see its space, and nothing that takes a person. */
import { beforeAll, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { startApi } from '../../support/api.ts';
import type { Api, Credentials } from '../../support/api.ts';

const { macros, records, worklists, oauth } = contract;
const person = { username: 'helena', password: 'correct horse', display_name: 'Dra. Helena Prado' };
const text = 'Findings: lungs are clear, no effusion. Impression: normal examination.';

const contradictory = 'Findings: nodule in the right lung. Impression: nodule in the left lung.';

let api: Api;
/** Tokens: of the RIS itself, of a physician of its space, and of a RIS in another space. */
let ris: { token: string };
let helena: { token: string };
let other: { token: string };

async function machine(client: Credentials): Promise<{ token: string }> {
  const { client_id, client_secret } = client;
  const body = { grant_type: 'client_credentials', client_id, client_secret };
  const answer = await api.call(oauth.endpoints.token, { body });
  return { token: (answer.json as { access_token: string }).access_token };
}
const exam = (as: { token: string }) => api.exam({ patient_name: 'SILVA^ANA' }, as);
const item = async (id: string) => (await api.call(worklists.endpoints.get, { params: { id }, ...helena })).data;
const begin = (id: string, as: { token: string }) =>
  api.call(worklists.endpoints.setStatus, { params: { id }, body: { status: 'in_progress' }, ...as });

beforeAll(async () => {
  api = await startApi();
  const scopes = [...allScopes];
  ris = await machine(await api.createClient({ kind: 'server', scopes }));
  other = await machine(await api.createClient({ kind: 'server', scopes, space: 'elsewhere' }));
  await api.createUser(person);
  const app = await api.createClient({ name: 'App' });
  helena = { token: (await api.tokens({ client: app, login: person })).access_token };
});

test('it works in its space under its own name, and sees no other', async () => {
  const id = await exam(ris);
  expect(await item(id)).toMatchObject({ id, status: 'new' });
  const elsewhere = await api.call(worklists.endpoints.get, { params: { id }, ...other });
  expect(elsewhere.status).toBe(404);
  await begin(id, ris);
  const history = await api.call(worklists.endpoints.history, { params: { id }, ...helena });
  expect(history.data.items[0]).toMatchObject({ who: 'RIS São Lucas', to: 'in_progress' });
});

test('an exam that it begins is nobody’s, so that a person takes it without taking it over', async () => {
  const id = await exam(ris);
  expect((await begin(id, ris)).status).toBe(200);
  expect(await item(id)).toMatchObject({ status: 'in_progress', assigned_to: null });
  expect((await begin(id, helena)).status).toBe(200);
  expect(await item(id)).toMatchObject({ status: 'in_progress', assigned_to: person.display_name });
  const made = await api.call(records.endpoints.generate, { body: { text, worklist_item_id: id }, ...helena });
  expect(made.status).toBe(201);
});

test('an exam that a person took stays with the person', async () => {
  const id = await exam(ris);
  await begin(id, helena);
  expect((await begin(id, ris)).status).toBe(200);
  expect(await item(id)).toMatchObject({ status: 'in_progress', assigned_to: person.display_name });
});

test('it drafts documents, now and later, and signs none', async () => {
  const draft = await api.generate({ text }, ris);
  const job = await api.ended((await api.enqueue({ text }, ris)).id, ris);
  expect(job.status).toBe('completed');
  const sign = (as: { token: string }) =>
    api.call(records.endpoints.update, { params: { id: draft.id }, body: { status: 'final' }, ...as });
  expect(await sign(ris)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  expect((await sign(helena)).data).toMatchObject({ status: 'final', version: 2 });
  const sections = [...draft.sections, { key: 'addendum', title: 'Addendum', text: 'More.' }];
  const addendum = await api.call(records.endpoints.update, { params: { id: draft.id }, body: { sections }, ...ris });
  expect(addendum.status).toBe(403);
});

test('it dismisses no finding: somebody has to have looked', async () => {
  const { id, findings_to_review: findings = [] } = await api.generate({ text: contradictory }, ris);
  const finding = findings.find(({ status }) => status === 'open')!;
  const decide = (as: { token: string }) =>
    api.call(contract.reviews.endpoints.decide, {
      params: { id, finding: finding.id },
      body: { status: 'dismissed' },
      ...as,
    });
  expect(await decide(ris)).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
  expect((await decide(helena)).status).toBe(200);
});

test('it has no own macros, sees nobody’s, and keeps those of the space', async () => {
  const create = (name: string, owner: string, as: { token: string }) =>
    api.call(macros.endpoints.create, { body: { name, text: 'Lungs are clear.', owner }, ...as });
  const own = await create('hers', 'person', helena);
  expect((await create('mine', 'person', ris)).error.details.errors).toMatchObject([{ field: 'owner' }]);
  expect((await create('ours', 'space', ris)).status).toBe(201);
  const listed = await api.call(macros.endpoints.list, { ...ris });
  expect(listed.data.items.map(({ name }) => name)).toEqual(['ours']);
  expect((await api.call(macros.endpoints.get, { params: { id: own.data.id }, ...ris })).status).toBe(404);
});
