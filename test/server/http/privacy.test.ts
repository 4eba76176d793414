/** Canaries: patient data, audio, transcripts, tokens and passwords never come out in an error or in what is logged. */
import { onTestFinished, describe, expect, test, vi } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import type { Answer, Api } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';
import { controlledStore } from './controlled-store.ts';

const canary = 'KANARIENVOGEL';
const patient = `${canary}^MARIA`;
const password = `pass ${canary}`;
const login = { username: 'prado', password };

/** A production client, since it takes any name; everything written to the console is caught as well. */
async function startQuietly() {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  }
  const storage = controlledStore();
  const engine = controlledEngine();
  const api = await startApi({ store: storage.between, engine }, onTestFinished);
  const client = await api.createClient();
  await api.createUser(login);
  const tokens = await api.tokens({ client, login });
  const { access_token: token, refresh_token: refreshToken = '' } = tokens;
  const secrets = [canary, token, api.token, refreshToken, client.client_secret, api.server.adminToken];
  const told = () => JSON.stringify([api.logged, written]);
  const expectSilence = (answer?: Answer): void => {
    const said = told() + (answer ? answer.text + JSON.stringify(answer.headers) : '');
    expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  };
  return { api, storage, engine, client, token, refreshToken, expectSilence };
}

const { worklists, records, jobs, oauth, users } = contract;
const { ingest, setStatus } = worklists.endpoints;
const { generate, correct, update } = records.endpoints;

/** A busy machine also has the server log that its loop was held. */
const logged = (api: Pick<Api, 'logged'>) => api.logged.filter(({ event }) => event !== 'loop_held');

describe('Canaries', () => {
  test('are in no refusal', async () => {
    const { api, token, client, refreshToken, expectSilence } = await startQuietly();
    const params = { id: await api.exam({ patient_name: patient }, { token }) };
    const { id } = await api.generate({ text: `${canary}. Findings: clear.` }, { token });
    const refusals: [Parameters<typeof api.call>[0], Parameters<typeof api.call>[1]][] = [
      [ingest, { body: examFields({ patient_name: patient, modality: canary }) }],
      [ingest, { body: examFields({ patient_name: patient, exam_datetime: canary }) }],
      [ingest, { body: examFields({ patient_name: [patient] }) }],
      [ingest, { body: examFields({ patient_id: canary.repeat(20) }) }],
      [
        ingest,
        {
          body: examFields({
            patient_sex: canary,
            study_uid: canary,
            series_count: canary,
            patient_birth_date: canary,
          }),
        },
      ],
      [ingest, { body: `{"patient_name":"${patient}"` }],
      [ingest, { body: `"${patient}"` }],
      [ingest, { body: examFields(), headers: { 'idempotency-key': `${canary} `.repeat(20) } }],
      [ingest, { body: examFields(), headers: { 'x-source-system': canary.repeat(20) } }],
      [ingest, { body: examFields(), headers: { 'content-type': canary } }],
      [setStatus, { params, body: { status: canary } }],
      [setStatus, { params, body: { status: 'new', reason: canary.repeat(100) } }],
      [setStatus, { params: { id: `wli_${canary}` }, body: { status: 'new' } }],
      [generate, { body: { text: canary, template_id: canary } }],
      [generate, { body: { text: canary, language: canary } }],
      [generate, { body: { text: canary, worklist_item_id: canary } }],
      [generate, { body: { text: canary, audio: { content_type: canary, data: canary } } }],
      [
        generate,
        { body: { audio: { content_type: 'audio/wav', data: Buffer.from(canary.repeat(10)).toString('base64') } } },
      ],
      [generate, { body: `{"text":"${canary}` }],
      [correct, { params: { id }, body: { text: canary, language: canary } }],
      [update, { params: { id }, body: { title: canary.repeat(30) } }],
      [update, { params: { id }, body: { sections: [{ key: canary, title: canary, text: canary }] } }],
      [update, { params: { id }, body: { title: canary }, headers: { 'if-match': `"${canary}"` } }],
      [jobs.endpoints.list, { query: { status: canary } }],
      [worklists.endpoints.list, { query: { from: canary } }],
      [worklists.endpoints.list, { query: { cursor: canary } }],
      [oauth.endpoints.validate, { token: canary }],
      [
        oauth.endpoints.token,
        {
          body: {
            grant_type: 'authorization_code',
            code: canary,
            redirect_uri: client.redirect_uri,
            client_id: client.client_id,
            client_secret: client.client_secret,
          },
        },
      ],
      [
        oauth.endpoints.token,
        {
          body: {
            grant_type: 'refresh_token',
            refresh_token: refreshToken,
            client_id: client.client_id,
            client_secret: canary,
          },
        },
      ],
      [users.endpoints.create, { body: { username: 'prado', password } }],
      [users.endpoints.create, { body: { username: 'x', password: canary.slice(0, 3) } }],
    ];
    for (const [endpoint, ask] of refusals) {
      const answer = await api.call(endpoint, endpoint.access === 'bearer' ? { token, ...ask } : ask);
      expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
      expectSilence(answer);
    }
    expectSilence(
      await api.send({ url: `/api/v1/${canary}?patient=${canary}`, headers: { authorization: `Bearer ${token}` } }),
    );
  });

  test('are in no log of a job, and in no webhook', async () => {
    const { api, token, engine, expectSilence } = await startQuietly();
    engine.failNext(new Error(`could not hear ${canary}`));
    const { id } = await api.enqueue({ text: `${canary}. Findings: clear.` }, { token });
    expect(await api.ended(id, { token })).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    for (const endpoint of [jobs.endpoints.get, jobs.endpoints.logs, jobs.endpoints.result]) {
      expectSilence(await api.call(endpoint, { params: { id }, token }));
    }
    expect(api.logged).toMatchObject([{ event: 'job_attempt_failed', job_id: id }]);
  });

  test.each([
    ['storage', (parts: Awaited<ReturnType<typeof startQuietly>>, error: Error) => parts.storage.fail(error)],
    ['the engine', (parts: Awaited<ReturnType<typeof startQuietly>>, error: Error) => parts.engine.failNext(error)],
  ])('an unexpected error of %s that quotes them: 500 INTERNAL_ERROR without them', async (_name, breakIt) => {
    const parts = await startQuietly();
    const { api, token, expectSilence } = parts;
    // What waits for the trail would be refused with the rest, or not, by the time of day.
    succeeded(await api.call(contract.audit.endpoints.list));
    const error = Object.assign(new TypeError(`cannot read "${patient}" of ${token}`), {
      patient_name: patient,
      cause: new Error(canary),
    });
    for (const ask of [
      { body: { text: `${canary}. Findings: clear.` }, token },
      // Only a test client's sound is heard.
      { body: { audio: { content_type: 'audio/wav', data: wav().toString('base64') } } },
    ]) {
      breakIt(parts, error);
      const answer = await api.call(generate, ask);
      parts.storage.recover();
      expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
      expect(Object.keys(answer.error)).toEqual(['code', 'message']);
      expect(answer.text).not.toMatch(/TypeError|at |node_modules|\.ts|\//);
      expectSilence(answer);
    }
    const failures = logged(api);
    expect(failures).toHaveLength(2);
    expect(failures[0]).toMatchObject({
      level: 'error',
      event: 'request_failed',
      request_id: expect.any(String),
      name: 'TypeError',
    });
  });

  test('are in no log where everything goes well', async () => {
    const { api, token, expectSilence } = await startQuietly();
    const worklist_item_id = await api.exam({ patient_name: patient }, { token });
    const { id } = await api.generate({ text: `${canary}. Findings: clear.`, worklist_item_id }, { token });
    succeeded(await api.call(update, { params: { id }, body: { status: 'final' }, token }));
    const later = await api.enqueue({ text: `${canary}. Findings: clear.` }, { token });
    await api.ended(later.id, { token });
    expect(logged(api)).toEqual([]);
    expectSilence();
  });
});
