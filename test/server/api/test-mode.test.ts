/** Specification, section 1: test mode, one test or more a row. */
import { describe, expect, test } from 'vitest';
import { builtInTestClient } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { testPatientNames } from '../../../src/domain/test-data.ts';
import { authorizeQuery, dictated, examFields, fillForms, redirectOf, startApi, succeeded } from '../../support/api.ts';

const api = await startApi();
const { oauth, worklists, records, templates, jobs } = contract;
const documentedNames = ['Test Patient', 'Paciente Teste', 'Sample Patient', 'Demo Patient'];
const physician = { username: 'test-physician', password: 'test-physician' };

describe('§1 Test mode', () => {
  test('Activation: a client id with test_tc_ and a secret with test_tcs_, at the same address', async () => {
    expect(builtInTestClient.client_id).toMatch(/^test_tc_/);
    const made = await api.createClient({ test_mode: true });
    expect(made.client_id).toMatch(/^test_tc_/);
    expect(made.client_secret).toMatch(/^test_tcs_/);
    const { access_token: token } = await api.tokens({ client: made });
    const validation = succeeded(await api.call(oauth.endpoints.validate, { token }));
    expect(validation).toMatchObject({ client_id: made.client_id, test_mode: true });
  });

  test('Responses: simulated and marked as such, the same input giving the same document', async () => {
    const ask = { text: dictated, template_id: 'test_template_cardiology', language: 'en-US' } as const;
    const [first, second] = [await api.generate(ask), await api.generate(ask)];
    expect(first.test_mode).toBe(true);
    expect(second.id).not.toBe(first.id);
    expect({ ...second, id: first.id }).toEqual(first);
  });

  test.each([...documentedNames, 'Anonymous Patient', 'Paciente Anônimo'])('Data accepted: %s', async (name) => {
    const [family, given] = name.toUpperCase().split(' ');
    for (const patient_name of [name, `${family}^${given}`, name.toLowerCase()]) {
      expect(await api.ingest(examFields({ patient_name }))).toMatchObject({ inserted: 1, errors: [] });
    }
    const record = await api.generate({ text: `${name}. Findings: clear.` });
    expect(record.transcript).toBe(`${name}. Findings: clear.`);
  });

  test('Data accepted: six names, the four documented ones among them', () => {
    expect(testPatientNames).toHaveLength(6);
    expect(testPatientNames).toEqual(expect.arrayContaining(documentedNames));
  });

  test.each(['Maria Silva', 'Test Patientson', 'SILVA^MARIA', 'Patient'])(
    'Data accepted: not the patient %s',
    async (patient_name) => {
      const single = await api.call(worklists.endpoints.ingest, { body: examFields({ patient_name }) });
      expect(single).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
      expect(single.error.details.errors).toMatchObject([{ field: 'patient_name', code: 'TEST_DATA_REQUIRED' }]);
      const batch = await api.ingest([examFields(), examFields({ patient_name })]);
      expect(batch).toMatchObject({
        inserted: 1,
        errors: [{ index: 1, field: 'patient_name', error: 'TEST_DATA_REQUIRED' }],
      });
      const text = await api.call(records.endpoints.generate, { body: { text: `${patient_name}: lungs are clear.` } });
      expect(text).toMatchObject({
        status: 400,
        error: { details: { errors: [{ field: 'text', code: 'TEST_DATA_REQUIRED' }] } },
      });
    },
  );

  test('Data accepted: a text with a test name at any place, but no patient with more than one', async () => {
    const single = await api.call(worklists.endpoints.ingest, {
      body: examFields({ patient_name: 'My Test Patient' }),
    });
    expect(single).toMatchObject({ status: 400, error: { details: { errors: [{ code: 'TEST_DATA_REQUIRED' }] } } });
    succeeded(await api.call(records.endpoints.generate, { body: { text: 'My Test Patient: lungs are clear.' } }), 201);
  });

  test.each(['test_template_general', 'test_template_cardiology', 'test_template_dermatology'])(
    'Template ids accepted: %s',
    async (template_id) => {
      expect(await api.generate({ text: dictated, template_id })).toMatchObject({ template_id });
    },
  );

  test('Template ids accepted: those three, and no other', async () => {
    const { items } = succeeded(await api.call(templates.endpoints.list));
    expect(items.map(({ id }) => id)).toEqual([
      'test_template_general',
      'test_template_cardiology',
      'test_template_dermatology',
    ]);
    for (const template_id of [
      'general',
      'test_template_unknown',
      'TEST_TEMPLATE_GENERAL',
      '../test_template_general',
    ]) {
      const answer = await api.call(records.endpoints.generate, { body: { text: dictated, template_id } });
      expect(answer).toMatchObject({ status: 400, error: { code: 'VALIDATION_FAILED' } });
      expect(answer.error.details.errors).toMatchObject([{ field: 'template_id', code: 'INVALID_VALUE' }]);
    }
  });

  test('OAuth auto-consent: the authorization endpoint approves at once', async () => {
    const answer = await api.call(oauth.endpoints.authorize, { query: authorizeQuery() });
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^http:\/\/127\.0\.0\.1\/callback\?/);
    expect(redirectOf(answer)).toMatchObject({
      code: expect.stringMatching(/^[\w-]{20,}$/),
      state: authorizeQuery().state,
    });
  });

  test('OAuth manual mode: login, consent, approval, redirect with a code', async () => {
    const begun = await api.call(oauth.endpoints.authorize, { query: { ...authorizeQuery(), test_mode: 'manual' } });
    expect(begun).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/^\/login\?request=/) } });
    const approved = await fillForms(api.send, begun, physician);
    const { code, state } = redirectOf(approved);
    expect(state).toBe(authorizeQuery().state);
    const { client_id, client_secret, redirect_uri } = builtInTestClient;
    const answer = await api.call(oauth.endpoints.token, {
      body: { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret },
    });
    expect(answer).toMatchObject({ status: 200, json: { token_type: 'Bearer', scope: allScopes.join(' ') } });
  });

  test('OAuth manual mode: denied, it redirects with error=access_denied', async () => {
    const begun = await api.call(oauth.endpoints.authorize, { query: { ...authorizeQuery(), test_mode: 'manual' } });
    const denied = await fillForms(api.send, begun, { ...physician, decision: 'deny' });
    expect(denied.status).toBe(303);
    expect(redirectOf(denied)).toMatchObject({ error: 'access_denied', state: authorizeQuery().state });
    expect(redirectOf(denied)).not.toHaveProperty('code');
  });

  test('A production client takes real names, has no test_mode, and sees none of the test data', async () => {
    const client = await api.createClient();
    await api.createUser({ username: 'nunes', password: 'correct horse' });
    const { access_token: token } = await api.tokens({
      client,
      login: { username: 'nunes', password: 'correct horse' },
    });
    expect(client.client_id).not.toMatch(/^test_tc_/);
    const id = await api.exam({ patient_name: 'SILVA^MARIA' }, { token });
    const listed = succeeded(await api.call(worklists.endpoints.list, { token }));
    expect(listed.items.map((item) => item.id)).toEqual([id]);
    expect(await api.generate({ text: 'Maria Silva. Findings: clear.' }, { token })).toMatchObject({
      test_mode: false,
    });
    expect(succeeded(await api.call(jobs.endpoints.list, { token })).items).toEqual([]);
    const manual = await api.call(oauth.endpoints.authorize, {
      query: { ...authorizeQuery(client), test_mode: 'manual' },
    });
    expect(redirectOf(manual)).toMatchObject({ error: 'invalid_request' });
  });
});
