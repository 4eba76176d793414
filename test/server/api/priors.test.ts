/** Priors over HTTP (extension): whose they are, by what they are recognised, their order, and what becomes of corrections. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import type { PriorInput, PriorSummary } from '../../../src/contract/prior.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import type { Answer, Api } from '../../support/api.ts';
import { seedTo, exportOf } from '../../support/maintenance.ts';
import { priorSample, readPriorFile } from '../../support/prior-readings.ts';

const { ofItem, import: importAll, list, get, versions, delete: remove } = contract.priors.endpoints;
const { update } = contract.records.endpoints;

const start = (): Promise<Api> => startApi({}, onTestFinished);
const born = { patient_birth_date: '1971-06-14' };

let number = 0;
const report = (fields: Partial<PriorInput> = {}): PriorInput => ({
  report_id: `R-${++number}`,
  patient_id: '0045871',
  patient_name: 'TESTE^PACIENTE',
  exam_datetime: '2024-01-13T09:10:00-03:00',
  exam_description: 'TC de tórax',
  text: 'Achados: nódulo de 4 mm.',
  ...fields,
});
const send = async (api: Api, items: readonly object[], headers: Record<string, string> = {}) =>
  succeeded(await api.call(importAll, { body: { items }, headers }));
const priorsOf = async (api: Api, id: string): Promise<PriorSummary[]> =>
  succeeded(await api.call(ofItem, { params: { id } })).items;
const refusals = ({ error }: Answer): unknown => error.details.errors.map(({ field, code }) => `${field} ${code}`);

test('of an exam are signed documents of other exams and imported reports, the latest exam first', async () => {
  const api = await start();
  const now = await api.exam({ ...born });
  const former = await api.exam({ ...born, exam_datetime: '2023-05-01T08:00:00-03:00' });
  const draft = await api.exam({ ...born, exam_datetime: '2025-05-01T08:00:00-03:00' });
  const signed = await api.generate({ text: 'Test Patient. Findings: nodule of 3 mm.', worklist_item_id: former });
  succeeded(await api.call(update, { params: { id: signed.id }, body: { status: 'final' } }));
  await api.generate({ text: 'Test Patient. Findings: draft.', worklist_item_id: draft });
  // Imported in another order than that of the exams.
  await send(api, [
    report({ exam_datetime: '2024-01-13T09:10:00-03:00', exam_description: 'B' }),
    report({ exam_datetime: '2021-01-13T09:10:00-03:00', exam_description: 'D' }),
    // Later than the former by its offset, although its text is less.
    report({ exam_datetime: '2024-01-13T08:30:00-05:00', exam_description: 'A' }),
  ]);
  const found = await priorsOf(api, now);
  expect(found.map((prior) => prior.exam_description)).toEqual(['A', 'B', 'TC de tórax sem contraste', 'D']);
  expect(found[2]).toMatchObject({ id: signed.id, origin: 'laudio', status: 'final', differs: [] });
  const opened = succeeded(await api.call(get, { params: { id: signed.id } }));
  expect(opened.sections.find(({ key }) => key === 'findings')?.text).toContain('3 mm');
  expect(opened.author).not.toBeNull();
  // A page at a time they are the same.
  const paged: PriorSummary[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: 1, ...(cursor && { cursor }) };
    const page = succeeded(await api.call(ofItem, { params: { id: now }, query }));
    paged.push(...page.items);
    cursor = page.next_cursor;
  }
  expect(paged).toEqual(found);
});

describe('never another patient’s:', () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi();
  });
  const cases: readonly [string, Partial<PriorInput>, PriorSummary['differs'] | null][] = [
    ['the same id and name', {}, []],
    ['the same id, another writing of the name', { patient_name: 'Paciente Teste' }, []],
    [
      'the same id, another name: a correction, which is told',
      { patient_name: 'DEMO^PATIENT', ...born },
      ['patient_name'],
    ],
    [
      'the same id, another name and birth date',
      { patient_name: 'DEMO^PATIENT', patient_birth_date: '1980-01-01' },
      null,
    ],
    ['another id, the same name and birth date', { patient_id: 'X1', ...born }, ['patient_id']],
    ['another id, the same name, no birth date', { patient_id: 'X1' }, null],
    [
      'another id, another name, the same birth date',
      { patient_id: 'X1', patient_name: 'DEMO^PATIENT', ...born },
      null,
    ],
    ['the same id of another issuer, without proof', { patient_id_issuer: 'OTHER' }, null],
    [
      'the same id of another issuer, with name and birth date',
      { patient_id_issuer: 'OTHER', ...born },
      ['patient_id'],
    ],
  ];
  test.each(cases.map(([name, ...rest], at) => [name, at, ...rest] as const))(
    '%s',
    async (_name, at, fields, differs) => {
      // Of each case a patient of its own.
      const own = { patient_id: `P-${at}`, patient_birth_date: `1971-06-${10 + at}` };
      const id = await api.exam({ ...own, metadata: { patient_id_issuer: 'HSL' } });
      const { patient_birth_date: birth = null, ...others } = fields;
      await send(api, [
        report({
          patient_id: own.patient_id,
          ...others,
          patient_birth_date: birth === born.patient_birth_date ? own.patient_birth_date : birth,
        }),
      ]);
      expect((await priorsOf(api, id)).map((prior) => prior.differs)).toEqual(differs === null ? [] : [differs]);
    },
  );

  test('another space’s are not there', async () => {
    const other = await api.createClient({ space: 'other', test_mode: true } as object);
    const { access_token: token } = await api.tokens({ client: other });
    await send(api, [report()]);
    const {
      items: [mine],
    } = succeeded(await api.call(list, {}));
    const theirs = await api.exam(examFields(), { token });
    expect(succeeded(await api.call(ofItem, { params: { id: theirs }, token })).items).toEqual([]);
    expect(succeeded(await api.call(list, { token })).items).toEqual([]);
    for (const endpoint of [get, versions, remove])
      expect((await api.call(endpoint, { params: { id: mine!.id }, token })).status).toBe(404);
  });
});

test('those of the exam itself, and our own that came back, are none', async () => {
  const api = await start();
  const now = await api.exam({ accession_number: 'NOW-1', study_uid: '1.2.3' });
  const former = await api.exam({ accession_number: 'OLD-1', exam_datetime: '2023-05-01T08:00:00-03:00' });
  const signed = await api.generate({ text: 'Test Patient. Findings: clear.', worklist_item_id: former });
  succeeded(await api.call(update, { params: { id: signed.id }, body: { status: 'final' } }));
  await send(api, [
    report({ accession_number: 'NOW-1' }),
    report({ study_uid: '1.2.3' }),
    report({ accession_number: 'OLD-1' }),
  ]);
  expect((await priorsOf(api, now)).map(({ id }) => id)).toEqual([signed.id]);
});

describe('an import', () => {
  test('again changes nothing, by report id or accession number', async () => {
    const api = await start();
    const items = [report(), report({ report_id: null, accession_number: 'ACC-1' })];
    expect(await send(api, items)).toMatchObject({ inserted: 2, deduped: 0 });
    expect(await send(api, items)).toMatchObject({ inserted: 0, updated: 0, deduped: 2, errors: [] });
    // The same report by another transport, which knows its number too.
    const named = report({ report_id: 'F-1', accession_number: 'ACC-1' });
    expect(await send(api, [named])).toMatchObject({ inserted: 0, updated: 1 });
    // Another report of the same exam is another.
    expect(await send(api, [report({ report_id: 'F-2', accession_number: 'ACC-1' })])).toMatchObject({ inserted: 1 });
  });

  test('of a correction replaces, and keeps what was there', async () => {
    const api = await start();
    const id = await api.exam();
    const first = report({ reported_at: '2024-01-14T10:00:00-03:00' });
    const corrected = {
      ...first,
      status: 'corrected',
      reported_at: '2024-01-15T10:00:00-03:00',
      text: 'Achados: nódulo de 5 mm.',
    };
    await send(api, [first], { 'x-source-system': 'RIS-A' });
    expect(await send(api, [corrected], { 'x-source-system': 'RIS-A' })).toMatchObject({ updated: 1 });
    const [prior] = await priorsOf(api, id);
    expect(prior).toMatchObject({ status: 'corrected', version: 2, source_system: 'RIS-A' });
    const params = { id: prior!.id };
    expect(succeeded(await api.call(get, { params })).sections).toEqual([
      { key: 'findings', title: 'Achados', text: 'nódulo de 5 mm.' },
    ]);
    const { items } = succeeded(await api.call(versions, { params }));
    expect(items).toMatchObject([
      { version: 1, status: 'final', who: 'RIS-A', sections: [{ text: 'nódulo de 4 mm.' }] },
    ]);
    // The former state, come late, changes nothing; nor does a preliminary one without its time.
    expect(await send(api, [first], { 'x-source-system': 'RIS-A' })).toMatchObject({ deduped: 1 });
    const late = { ...first, status: 'preliminary', reported_at: null, text: 'Achados: provisório.' };
    expect(await send(api, [late], { 'x-source-system': 'RIS-A' })).toMatchObject({ deduped: 1 });
    expect(succeeded(await api.call(remove, { params }))).toEqual({ id: prior!.id, deleted: true });
    expect((await api.call(get, { params })).status).toBe(404);
    expect(await priorsOf(api, id)).toEqual([]);
  });

  test('of a withdrawn report hides it, whichever came first', async () => {
    const api = await start();
    const id = await api.exam();
    const [before, after] = [report(), report()];
    const withdrawn = ({ text: _text, ...rest }: PriorInput) => ({ ...rest, status: 'withdrawn' as const });
    await send(api, [before, withdrawn(before), withdrawn(after), after]);
    expect(await priorsOf(api, id)).toEqual([]);
    expect(succeeded(await api.call(list, {})).items).toMatchObject([{ status: 'withdrawn' }, { status: 'withdrawn' }]);
  });

  test('takes the good ones, and names the bad', async () => {
    const api = await start();
    const { text: _text, ...silent } = report();
    const bad: readonly [object, string][] = [
      [report({ report_id: null }), 'report_id FIELD_REQUIRED'],
      [report({ exam_datetime: 'ontem' }), 'exam_datetime INVALID_FORMAT'],
      [{ ...report(), surprise: 1 }, 'surprise UNKNOWN_FIELD'],
      [silent, 'text FIELD_REQUIRED'],
      [report({ text: 'x'.repeat(200_001) }), 'text TOO_LONG'],
      [report({ patient_name: 'SILVA^JOAO' }), 'patient_name TEST_DATA_REQUIRED'],
      [report({ modality: 'XX' as never }), 'modality INVALID_MODALITY'],
    ];
    const { inserted, errors } = await send(api, [...bad.map(([item]) => item), report()]);
    expect(inserted).toBe(1);
    expect(errors.map(({ field, error }) => `${field} ${error}`)).toEqual(bad.map(([, told]) => told));
    const none = await api.call(importAll, { body: bad.map(([item]) => item) });
    expect(none.status).toBe(400);
    expect(refusals(none)).toContain('items.0.report_id FIELD_REQUIRED');
    for (const body of [{}, [], { items: 'x' }, 'x']) expect((await api.call(importAll, { body })).status).toBe(400);
    expect((await api.call(importAll, { body: Array.from({ length: 1001 }, () => report()) })).status).toBe(413);
  });

  test('refuses a report whose number is another patient’s', async () => {
    const api = await start();
    const first = report();
    await send(api, [first]);
    const other = { ...first, patient_id: '7', patient_name: 'DEMO^PATIENT' };
    const answer = await api.call(importAll, { body: [other] });
    expect(refusals(answer)).toEqual(['items.0.report_id PATIENT_MISMATCH']);
    // Another system may give another report the same number.
    expect(await send(api, [other], { 'x-source-system': 'RIS-B' })).toMatchObject({ inserted: 1 });
  });

  test('needs its scope', async () => {
    const api = await start();
    const { access_token: token } = await api.tokens({ scopes: ['medical_records:read', 'worklists:write'] });
    expect((await api.call(importAll, { body: [report()], token })).status).toBe(403);
  });

  test('of the samples gives the exam of the sample day its priors', async () => {
    const api = await start();
    const id = await api.exam(born);
    for (const name of ['results.hl7', 'report.fhir.json', 'reports.ndjson']) {
      const { items } = await readPriorFile(priorSample(name));
      const answer = await send(
        api,
        items.map(({ item }) => item),
      );
      expect(answer.errors).toEqual([]);
    }
    expect((await priorsOf(api, id)).map((prior) => [prior.exam_datetime.slice(0, 4), prior.status])).toEqual([
      ['2025', 'final'],
      ['2024', 'corrected'],
      ['2021', 'final'],
    ]);
  });
});

test('priors are exported and seeded like other documents', async () => {
  const api = await start();
  await send(api, [report()]);
  const text = await exportOf(api, { collections: 'priors' });
  expect(text).toContain('nódulo de 4 mm');
  const other = await start();
  await seedTo(other, text);
  expect(succeeded(await other.call(list, {})).items).toHaveLength(1);
});

test('words that are taken over from a prior keep that origin, and nobody claims it of another patient’s', async () => {
  const api = await start();
  const id = await api.exam({ ...born });
  await send(api, [report(), report({ patient_id: 'X9' })]);
  const [prior] = await priorsOf(api, id);
  const { items } = succeeded(await api.call(list, {}));
  const foreign = items.find((each) => each.id !== prior!.id)!;
  const record = await api.generate({ text: 'Test Patient. Findings: nodule of 6 mm.', worklist_item_id: id });
  const save = async (words: string, of: string, version: number) => {
    const sections = record.sections.map((section) =>
      section.key === 'findings' ? { ...section, text: `Nodule of 6 mm (${words}).` } : section,
    );
    const body = { sections, brought: [{ section: 'findings', text: words, prior: of }] };
    succeeded(await api.call(update, { params: { id: record.id }, body }));
    const query = { version };
    const { provenance } = contract.reviews.endpoints;
    return succeeded(await api.call(provenance, { params: { id: record.id }, query }));
  };
  const own = await save('previously 4 mm', prior!.id, 2);
  expect(own.words.find(({ origin }) => origin === 'prior')).toMatchObject({ section: 'findings', start: 16, end: 31 });
  expect(own.operations.at(-1)).toMatchObject({
    step: 'edits',
    rule: 'prior',
    after: 'previously 4 mm',
    prior: { id: prior!.id, exam_datetime: '2024-01-13T09:10:00-03:00' },
  });
  const claimed = await save('previously 9 cm', foreign.id, 3);
  expect(claimed.words.filter(({ origin }) => origin === 'prior').map(({ start, end }) => [start, end])).toEqual([
    [16, 26],
  ]);
});
