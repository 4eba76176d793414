/**
 * A further engine costs a folder and a line: the worked examples of CONTRIBUTING, put into the registries and nowhere else,
 * keep to the suites, are chosen by settings, and hear and write for real clients of a whole server.
 */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recognisers, writers } from '../../../server/speech/registry.ts';
import { contract } from '../../../src/contract/index.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { resolveSettings } from '../../../src/node/settings.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import { describeWriter } from '../../suites/writer.suite.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { engineDeps, openEngine } from '../../support/engine-deps.ts';
import { programRecogniser } from '../../support/engines/program-recogniser.ts';
import { verbatimWriter } from '../../support/engines/verbatim-writer.ts';

const script = fileURLToPath(new URL('../../support/engines/listener.mjs', import.meta.url));
const options = { path: process.execPath, script };
const deps = engineDeps();

describeRecogniser('program', { hears: 'whole dictations' }, () =>
  openEngine('recogniser', { program: programRecogniser }, { use: 'program', options }, deps),
);
describeWriter('verbatim', () => openEngine('writer', { verbatim: verbatimWriter }, { use: 'verbatim' }, deps));

describe('in a server', () => {
  const lines = [
    [recognisers, { program: programRecogniser }],
    [writers, { verbatim: verbatimWriter }],
  ] as const;
  for (const [table, line] of lines) Object.assign(table, line);
  afterAll(() => {
    for (const [table, line] of lines) for (const name of Object.keys(line)) Reflect.deleteProperty(table, name);
  });

  const { engines, records, system } = contract;
  const chosenBy = (env: Record<string, string>, recogniser: object) => {
    const files = [{ from: 'user' as const, path: '/config.json', values: { recogniser } }];
    return choices(engineParts, resolveSettings({ flags: {}, env, cwd: '/', files }).values, env);
  };
  const start = async (recogniser: object): Promise<{ api: Api; token: string }> => {
    const env = { LAUDIO_WRITER: 'verbatim:impression' };
    const api = await startApi(chosenBy(env, { use: 'program', ...recogniser }));
    const login = { username: 'nunes', password: 'correct horse' };
    await api.createUser({ ...login, display_name: 'Dra. Nunes' });
    const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
    return { api, token };
  };
  const body = {
    audio: { content_type: 'audio/wav', data: wav({ seconds: 3 }).toString('base64') },
    language: 'es-ES',
  } as const;

  describe('that works', () => {
    let api: Api;
    let token: string;
    beforeAll(async () => void ({ api, token } = await start(options)));

    test('both are shown on request, and to the operator', async () => {
      const answer = succeeded(await api.call(engines.endpoints.get, { token }));
      expect(answer).toEqual({
        recogniser: { name: 'program', simulated: false, live: false },
        writer: { name: 'verbatim', proposes_impressions: false },
        queue: { available: true, at_once: 1, in_progress: 0, waiting: 0 },
      });
      expect(succeeded(await api.call(system.endpoints.status))).toMatchObject({
        recogniser: 'program',
        writer: 'verbatim',
      });
      expect(api.logged).toEqual([]);
    });

    test('the sound of a real client is heard by the one and written by the other', async () => {
      const record = await api.generate(body, { token });
      expect(record).toMatchObject({
        test_mode: false,
        transcript: 'Sound of 3 seconds, in es-ES.',
        sections: [{ key: 'impression', title: 'Impresión', text: 'Sound of 3 seconds, in es-ES.' }],
      });
    });

    test('a test client still has the simulation', async () => {
      expect((await api.generate(body)).transcript).toMatch(/simulada/);
    });
  });

  test('whose program is missing is reported to the operator at the start, and to the caller with 503', async () => {
    const { api, token } = await start({ path: '/nowhere/listener' });
    await expect
      .poll(() => api.logged)
      .toContainEqual(
        expect.objectContaining({ event: 'engine_unavailable', engine: 'program', code: 'ENGINE_UNAVAILABLE' }),
      );
    const answer = await api.call(records.endpoints.generate, { token, body });
    expect(answer).toMatchObject({ status: 503, error: { code: 'ENGINE_UNAVAILABLE' } });
  });
});
