/** The portal's pages of patients as HTTP: what they show and do, and that nothing of a patient is in an address. */
import { expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../server/storage/store.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { createPortalBrowser, portalCode as code } from '../../support/portal-browser.ts';

let server: Api['server'];
const createBrowser = (language?: string) => createPortalBrowser(() => server, language);

test('a patient is found, shown, exported, restricted and erased, with nothing of it in an address', async () => {
  const api = await startApi({ setupCode: code }, onTestFinished);
  ({ server } = api);
  const who = { patient_id: 'KANARI77', patient_name: 'DEMO^PATIENT' };
  const exam = await api.exam(who);
  await api.exam();
  const { id: report } = await api.generate({ text: dictated, worklist_item_id: exam });
  const browser = createBrowser();
  await browser.enter();
  expect((await browser.get('/portal/patients')).body).not.toContain('There is no such patient.');
  expect((await browser.post('/portal/patients', { patient_id: 'NOBODY' })).body).toContain(
    'There is no such patient.',
  );
  const found = await browser.post('/portal/patients', { patient_name: 'pat dem' });
  const paths = found.body.match(/\/portal\/patients\/\w+/g) ?? [];
  const path = paths[0]!;
  expect(new Set(paths)).toEqual(new Set([`/portal/patients/${exam}`]));

  const shown = await browser.get(path);
  for (const part of ['DEMO^PATIENT', 'KANARI77', '<dt>Exams</dt>']) expect(shown.body).toContain(part);
  expect(shown.body).toMatch(/<dt>Reports<\/dt>\s*<dd>1<\/dd>/);
  expect((await browser.get(`/portal/patients/${report}`)).body).toContain('DEMO^PATIENT');
  const exported = await browser.get(`${path}/export`);
  expect(exported.headers).toMatchObject({
    'content-type': 'application/x-tar',
    'content-disposition': `attachment; filename="${exam}.tar"`,
  });
  for (const part of ['README.txt', 'documents.ndjson', 'KANARI77']) expect(exported.body).toContain(part);

  await browser.get(path);
  const restricted = await browser.follow(await browser.post(`${path}/restrict`));
  for (const part of ['The data is restricted.', 'Lift the restriction']) expect(restricted.body).toContain(part);
  const get = { params: { id: exam } };
  expect((await api.call(contract.worklists.endpoints.get, get)).status).toBe(404);
  expect((await browser.follow(await browser.post(`${path}/release`))).body).toContain('The restriction is lifted.');
  expect((await api.call(contract.worklists.endpoints.get, get)).status).toBe(200);

  const asked = await browser.get(`${path}/erase`);
  expect(asked.body).toContain('Erase everything about DEMO^PATIENT?');
  expect((await api.call(contract.worklists.endpoints.get, get)).status).toBe(200);
  const erased = await browser.follow(await browser.post(`${path}/erase`));
  expect(erased.body).toMatch(/The patient was erased, as era_\w+\. Backups keep what they have/);
  expect((await browser.post('/portal/patients', { patient_id: 'KANARI77' })).body).toContain(
    'There is no such patient.',
  );
  expect((await browser.get(path)).statusCode).toBe(404);
  const trail = succeeded(await api.call(contract.audit.endpoints.list, { query: { id: exam, limit: 100 } })).items;
  expect(trail.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['patients.find', 'patients.get', 'patients.export', 'patients.restrict', 'patients.erase']),
  );
  expect(JSON.stringify(api.logged)).not.toContain('KANARI77');
});

test('a patient whose restricted exam has its number taken stays restricted, and the page says why', async () => {
  const api = await startApi({ setupCode: code }, onTestFinished);
  ({ server } = api);
  const exam = await api.exam({ accession_number: 'TAKEN-1', patient_id: 'KANARI77' });
  const browser = createBrowser('pt');
  await browser.enter();
  const path = `/portal/patients/${exam}`;
  await browser.get(path);
  await browser.post(`${path}/restrict`);
  await api.exam({ accession_number: 'TAKEN-1', patient_id: '0099' });
  const page = await browser.follow(await browser.post(`${path}/release`));
  for (const part of ['Nada foi feito', 'Restrito', 'Encerrar a restrição']) expect(page.body).toContain(part);
});

test.each(['', '/erase', '/export'])('what is read for a page%s ends when its reader leaves', async (end) => {
  let gate: PromiseWithResolvers<void> | undefined;
  const reads: ('under way' | 'broken off' | 'whole')[] = [];
  const store = (real: Store): Store => ({
    ...real,
    async *dump() {
      const read = reads.push('under way') - 1;
      try {
        for await (const stored of real.dump()) {
          await gate?.promise;
          yield stored;
        }
        reads[read] = 'whole';
      } finally {
        if (reads[read] !== 'whole') reads[read] = 'broken off';
      }
    },
  });
  const api = await startApi({ setupCode: code, store }, onTestFinished);
  ({ server } = api);
  const exam = await api.exam();
  const browser = createBrowser();
  await browser.enter();
  const path = `/portal/patients/${exam}${end}`;
  expect((await browser.get(path)).statusCode).toBe(200);
  expect(reads).toEqual(['whole']);
  gate = Promise.withResolvers();
  const left = new AbortController();
  const asked = browser.get(path, left.signal);
  await expect.poll(() => reads).toEqual(['whole', 'under way']);
  left.abort();
  await expect(asked).rejects.toThrow();
  gate.resolve();
  await expect.poll(() => reads).toEqual(['whole', 'broken off']);
  expect(api.logged).not.toContainEqual(expect.objectContaining({ level: 'error' }));
});

test('a patient is out of reach without the code, and by a form of another site', async () => {
  const api = await startApi({ setupCode: code }, onTestFinished);
  ({ server } = api);
  const exam = await api.exam({ patient_id: 'KANARI77' });
  const outside = createBrowser();
  for (const end of ['', '/erase', '/export'])
    expect((await outside.get(`/portal/patients/${exam}${end}`)).body).not.toContain('KANARI77');
  const browser = createBrowser();
  await browser.enter();
  await browser.get(`/portal/patients/${exam}/erase`);
  const forged = await browser.post(`/portal/patients/${exam}/erase`, {}, { origin: 'https://evil.example' });
  expect(forged.statusCode).toBe(403);
  expect((await api.call(contract.worklists.endpoints.get, { params: { id: exam } })).status).toBe(200);
});
