/** A space's own templates: who sees them, which exams get them, and what a document keeps of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/index.ts';
import { maxOwnTemplates, maxPreviewText } from '../../../../src/contract/template.ts';
import type { Template } from '../../../../src/contract/template.ts';
import { startApi, succeeded } from '../../../support/api.ts';

const api = await startApi();
const { templates, records, reviews } = contract;
const { list, create, get, update, preview, delete: remove } = templates.endpoints;

const ownCt = {
  id: 'our_chest_ct',
  name: 'TC de tórax do serviço',
  language: 'pt-BR',
  sections: [
    { key: 'technique', title: 'Técnica', text: 'Cortes axiais [contraste: com|sem] contraste.' },
    { key: 'findings', title: 'Achados', required: true },
    {
      key: 'lung_score',
      title: 'Escore pulmonar',
      required: true,
      names: ['escore do pulmão'],
      code: { system: 'RADLEX', code: 'RID1301' },
    },
    { key: 'impression', title: 'Conclusão', required: true },
  ],
  macros: [{ name: 'tórax do serviço', section: 'findings', text: 'Pulmões sem alterações.' }],
  exams: { modalities: ['CT'], regions: ['chest'] },
} as const;
const [technique, , score] = ownCt.sections;
const [macro] = ownCt.macros;

const add = async (changes: Record<string, unknown> = {}, token = api.token): Promise<Template> =>
  succeeded(await api.call(create, { token, body: { ...ownCt, ...changes } }), 201);
const tokenOf = async (): Promise<string> =>
  (await api.tokens({ client: await api.createClient({ test_mode: true }) })).access_token;
const idsOf = async (token: string): Promise<string[]> =>
  succeeded(await api.call(list, { token })).items.map(({ id }) => id);
const dictate = (fields: object, token: string) =>
  api.generate({ text: 'Paciente Teste. Achados: nódulo de 4 mm. Conclusão: nódulo.', ...fields }, { token });

describe('an own template', () => {
  test('is shown whole, and can be sent back as it was read', async () => {
    const token = await tokenOf();
    const added = await add({}, token);
    expect(added).toMatchObject({
      ...ownCt,
      origin: 'own',
      version: 1,
      specialty: '',
      title: ownCt.name,
      sections: [{ key: 'technique', code: { system: 'LN', code: '55111-9' } }, {}, score, {}],
    });
    const read = await api.call(get, { token, params: { id: added.id } });
    expect(read.data).toEqual(added);
    expect(read.headers['etag']).toBe('"1"');
    expect(succeeded(await api.call(create, { token, body: { ...added, id: 'copy' } }), 201)).toEqual({
      ...added,
      id: 'copy',
    });
  });

  test('belongs to its space alone, and follows those that come with Laudio', async () => {
    const [token, other] = [await tokenOf(), await tokenOf()];
    await add({}, token);
    expect(await idsOf(token)).toEqual([
      'test_template_general',
      'test_template_cardiology',
      'test_template_dermatology',
      'our_chest_ct',
    ]);
    expect(await idsOf(other)).not.toContain('our_chest_ct');
    for (const endpoint of [get, update, remove]) {
      const body = endpoint === update ? ownCt : undefined;
      expect((await api.call(endpoint, { token: other, params: { id: 'our_chest_ct' }, body })).status).toBe(404);
    }
    const refused = await api.call(records.endpoints.generate, {
      token: other,
      body: { text: 'Test Patient. Clear.', template_id: 'our_chest_ct' },
    });
    expect(refused.error.details.errors).toMatchObject([{ field: 'template_id' }]);
    expect((await add({ name: 'Outra' }, other)).name).toBe('Outra');
  });

  test('without an id is named by its name', async () => {
    const token = await tokenOf();
    const { id: _id, ...unnamed } = ownCt;
    expect(succeeded(await api.call(create, { token, body: unnamed }), 201).id).toBe('tc_de_torax_do_servico');
  });

  test('is chosen by its exam, but not for a document in another language', async () => {
    const token = await tokenOf();
    await add({}, token);
    const exam = { modality: 'CT', exam_description: 'TC TÓRAX', patient_name: 'Paciente Teste' };
    const worklist_item_id = await api.exam(exam, { token });
    expect(await dictate({ worklist_item_id }, token)).toMatchObject({
      template_id: 'our_chest_ct',
      template_version: 1,
    });
    const head = await api.exam({ ...exam, exam_description: 'TC CRÂNIO' }, { token });
    expect((await dictate({ worklist_item_id: head }, token)).template_id).toBe('test_template_general');
    const english = await dictate(
      { text: 'Test Patient. Findings: the lungs are clear. Impression: normal.', worklist_item_id, language: 'en-US' },
      token,
    );
    expect(english.template_id).toBe('test_template_general');
  });

  test('is chosen by the code of a procedure before any words, from an order too, but not against its modality', async () => {
    const token = await tokenOf();
    await add({}, token);
    await add({ id: 'coded', exams: { modalities: ['CT'], codes: ['tx-9'] } }, token);
    const chosenFor = async (facts: object) => {
      const exam = { modality: 'CT', exam_description: 'TC TÓRAX', patient_name: 'Paciente Teste', ...facts };
      return (await dictate({ worklist_item_id: await api.exam(exam, { token }) }, token)).template_id;
    };
    expect(await chosenFor({ procedure_id: 'TX-9' })).toBe('coded');
    expect(await chosenFor({ metadata: { procedure_code: 'TX-9' }, exam_description: 'OUTRO' })).toBe('coded');
    expect(await chosenFor({ metadata: { procedure_code: 'TX-8' } })).toBe('our_chest_ct');
    expect(await chosenFor({ procedure_id: 'TX-9', modality: 'MR' })).toBe('test_template_general');
    const order = { placer_order_number: 'P1', procedure_code: 'TX-9' };
    const orders = (status: string) => ({ metadata: { orders: [{ ...order, status }] } });
    expect(await chosenFor(orders('open'))).toBe('coded');
    expect(await chosenFor(orders('cancelled'))).toBe('our_chest_ct');
  });

  test('in another language than the document gives its sections, and none of its texts', async () => {
    const token = await tokenOf();
    await add({}, token);
    const record = await dictate(
      { text: 'Test Patient. Findings: the lungs are clear.', template_id: 'our_chest_ct', language: 'en-US' },
      token,
    );
    expect(record.sections.map(({ title }) => title)).toContain('Findings');
    expect(record.text).not.toMatch(/Cortes|Achados/);
  });

  test('brings defaults that are shown as unsaid, fields that are open, and sections that are missed', async () => {
    const token = await tokenOf();
    await add({}, token);
    const record = await dictate({ template_id: 'our_chest_ct' }, token);
    expect(record.sections.find(({ key }) => key === 'technique')?.text).toBe(technique.text);
    const kinds = record.findings_to_review?.map(({ kind, section }) => `${kind} ${section}`);
    expect(kinds).toEqual(
      expect.arrayContaining(['unsaid technique', 'field_open technique', 'section_empty lung_score']),
    );
    const { words } = succeeded(await api.call(reviews.endpoints.provenance, { token, params: { id: record.id } }));
    expect(words.filter(({ section }) => section === 'technique').map(({ origin }) => origin)).toEqual(['template']);
    const named = await dictate(
      { text: 'Paciente Teste. Tórax do serviço. Escore do pulmão: dois.', template_id: 'our_chest_ct' },
      token,
    );
    expect(named.sections.find(({ key }) => key === 'findings')?.text).toContain('Pulmões sem alterações.');
    expect(named.sections.find(({ key }) => key === 'lung_score')?.text).toBe('Dois.');
  });
});

test('of the guide is accepted as printed', async () => {
  const guide = readFileSync(new URL('../../../../docs/guide-templates.md', import.meta.url), 'utf8');
  const shown = JSON.parse(/```json\n([^]*?)```/.exec(guide)?.[1] ?? '') as Record<string, unknown>;
  expect(await add(shown, await tokenOf())).toMatchObject(shown);
});

describe('a preview', () => {
  const definition = {
    ...ownCt,
    sections: [{ ...technique, text: '{modality}, [contraste: com|sem] contraste.' }, ...ownCt.sections.slice(1)],
  };
  const text = 'Tórax do serviço. Conclusão: nódulo.';
  const ask = (body: object, token = api.token) => api.call(preview, { token, body });

  test('is the report of the words, says whether the exam fits, and leaves nothing', async () => {
    const token = await tokenOf();
    const exam = { modality: 'CT', exam_description: 'TC TÓRAX' };
    const { sections, fits } = succeeded(await ask({ definition, text, exam }, token));
    expect(sections.map(({ key, text }) => [key, text])).toEqual([
      ['technique', 'tomografia computadorizada, [contraste: com|sem] contraste.'],
      ['findings', 'Pulmões sem alterações.'],
      ['lung_score', ''],
      ['impression', 'Nódulo.'],
    ]);
    expect(fits).toBe(true);
    const head = { modality: 'CT', exam_description: 'TC CRÂNIO' };
    expect((await ask({ definition, text: '', exam: head }, token)).data).toMatchObject({ fits: false });
    const coded = { ...definition, exams: { codes: ['X1'] } };
    expect((await ask({ definition: coded, text, exam: { ...head, procedure_code: 'x1' } }, token)).data.fits).toBe(
      true,
    );
    expect((await ask({ definition, text }, token)).data).not.toHaveProperty('fits');
    expect(await idsOf(token)).not.toContain('our_chest_ct');
    // Of two that fit, the one with the code, and otherwise the first by name; a stored one is not its own rival.
    const preferred = { id: 'a_rival', name: 'A rival' };
    const rival = { ...definition, ...preferred };
    await add(rival, token);
    expect((await ask({ definition, text, exam }, token)).data).toMatchObject({ fits: true, preferred });
    expect((await ask({ definition: rival, text, exam }, token)).data).not.toHaveProperty('preferred');
    const byCode = { definition: { ...definition, exams: { ...definition.exams, codes: ['X1'] } }, text };
    const answer = await ask({ ...byCode, exam: { ...exam, procedure_code: 'X1' } }, token);
    expect(answer.data).not.toHaveProperty('preferred');
  });

  test('is made of the templates that come with Laudio, as they are read', async () => {
    const { items } = succeeded(await api.call(list, {}));
    for (const shipped of items) expect((await ask({ definition: shipped, text: '' })).status).toBe(200);
  });

  test('is refused for what could not be stored, for too long a text, and without the scope', async () => {
    const invalid = {
      ...definition,
      sections: [{ key: 'findings', title: 'Achados', text: 'Exame normal.' }],
      macros: [],
    };
    const { error } = await ask({ definition: invalid, text });
    expect(error.details.errors.map(({ field }) => field)).toEqual(['sections.0.text']);
    expect((await ask({ definition, text: 'a'.repeat(maxPreviewText + 1) })).status).toBe(400);
    expect((await ask({ definition, text, exam: { modality: 'QQ', exam_description: '' } })).status).toBe(400);
    const { access_token } = await api.tokens({ scopes: ['medical_records:read'] });
    expect((await ask({ definition, text }, access_token)).status).toBe(403);
  });
});

describe('a document', () => {
  test('keeps to the version that it was made by, whatever becomes of the template', async () => {
    const token = await tokenOf();
    await add({}, token);
    const { id } = await dictate({ template_id: 'our_chest_ct' }, token);
    const sections = ownCt.sections.filter(({ key }) => key !== 'lung_score');
    const changed = await api.call(update, { token, params: { id: 'our_chest_ct' }, body: { ...ownCt, sections } });
    expect(changed.data.version).toBe(2);
    const edited = async (text: string) => {
      const body = { sections: [{ key: 'findings', title: 'Achados', text }] };
      return succeeded(await api.call(records.endpoints.update, { token, params: { id }, body }));
    };
    const missing = expect.arrayContaining([
      expect.objectContaining({ kind: 'section_missing', section: 'lung_score' }),
    ]);
    expect(await edited('Nódulo de 4 mm.')).toMatchObject({ template_version: 1, findings_to_review: missing });

    succeeded(await api.call(remove, { token, params: { id: 'our_chest_ct' } }));
    expect((await api.call(get, { token, params: { id: 'our_chest_ct' } })).status).toBe(404);
    expect(await edited('Nódulo de 5 mm.')).toMatchObject({ template_version: 1, findings_to_review: missing });
    const former = succeeded(await api.call(get, { token, params: { id: 'our_chest_ct' }, query: { version: 1 } }));
    expect(former.sections).toHaveLength(4);
    const instruction = { text: 'acrescente nos achados: sem derrame' };
    succeeded(await api.call(records.endpoints.correct, { token, params: { id }, body: instruction }));
    const file = await api.call(records.endpoints.export, { token, params: { id }, query: { format: 'txt' } });
    expect(file.status).toBe(200);

    // The same id again begins no second version 1.
    expect((await add({}, token)).version).toBe(3);
  });

  test('names a coded section by its code in HL7', async () => {
    const token = await tokenOf();
    await add({}, token);
    const { id } = await dictate(
      { text: 'Paciente Teste. Achados: nódulo. Escore pulmonar: dois.', template_id: 'our_chest_ct' },
      token,
    );
    const hl7 = await api.call(records.endpoints.export, { token, params: { id }, query: { format: 'hl7' } });
    expect(hl7.text).toContain('|RID1301^Escore pulmonar^RADLEX|');
  });

  test('of a job that waited is made by the template that was deleted meanwhile', async () => {
    const token = await tokenOf();
    await add({}, token);
    const request = { text: 'Paciente Teste. Achados: nódulo.', template_id: 'our_chest_ct' };
    const headers = { 'X-Laudio-Simulate': 'job=slow:1000' };
    const job = await api.enqueue(request, { token, headers });
    succeeded(await api.call(remove, { token, params: { id: 'our_chest_ct' } }));
    // Before that, no work waits for the clock.
    while (
      succeeded(await api.call(contract.jobs.endpoints.get, { token, params: { id: job.id } })).status === 'queued'
    )
      await new Promise((resolve) => setImmediate(resolve));
    api.clock.advance(2000);
    const { record_id } = await api.ended(job.id, { token });
    const record = await api.call(records.endpoints.get, { token, params: { id: record_id! } });
    expect(record.data).toMatchObject({ template_id: 'our_chest_ct', template_version: 1 });
  });
});

describe('a change', () => {
  test('with If-Match is made on that version alone, and an equal one makes none', async () => {
    const token = await tokenOf();
    await add({}, token);
    const params = { id: 'our_chest_ct' };
    const put = (name: string, match: string) =>
      api.call(update, { token, params, body: { ...ownCt, name }, headers: { 'If-Match': match } });
    expect((await put('A', '"1"')).data).toMatchObject({ name: 'A', version: 2 });
    expect(await put('B', '"1"')).toMatchObject({ status: 412, error: { code: 'VERSION_CONFLICT' } });
    expect((await put('A', '"2"')).data.version).toBe(2);
    expect((await api.call(remove, { token, params, headers: { 'If-Match': '"1"' } })).status).toBe(412);
  });

  test.each(['chest_ct', 'test_template_general'])('of %s, which comes with Laudio, is refused', async (id) => {
    const refused = { status: 409, error: { code: 'IDENTIFIER_CONFLICT' } };
    const body = { ...ownCt, id };
    expect(await api.call(create, { body })).toMatchObject(refused);
    expect(await api.call(update, { params: { id }, body })).toMatchObject(refused);
    const answer = await api.call(remove, { params: { id } });
    expect(answer).toMatchObject(refused);
    expect(answer.error.details).toMatchObject({ hint: expect.stringContaining('another id') });
  });

  test('needs the scope templates:write', async () => {
    const { access_token: token } = await api.tokens({ scopes: ['medical_records:read'] });
    expect(await api.call(create, { token, body: ownCt })).toMatchObject({
      status: 403,
      error: { details: { required_scope: 'templates:write' } },
    });
  });

  test('a second template with the same id is refused, and one too many', async () => {
    const token = await tokenOf();
    await add({}, token);
    expect(await api.call(create, { token, body: ownCt })).toMatchObject({ error: { code: 'IDENTIFIER_CONFLICT' } });
    for (let number = 1; number < maxOwnTemplates; number += 1) await add({ id: `t${number}` }, token);
    expect(await api.call(create, { token, body: { ...ownCt, id: 'more' } })).toMatchObject({
      status: 413,
      error: { details: { limit_items: maxOwnTemplates } },
    });
  });
});

test.each([
  ['sections.1.key', { sections: [technique, technique] }],
  ['sections.0.key', { sections: [{ key: 'addendum', title: 'Adendo' }] }],
  ['sections.0.text', { sections: [{ key: 'findings', title: 'Achados', text: 'Pulmões sem alterações.' }] }],
  ['sections.0.text', { sections: [{ key: 'impression', title: 'Conclusão', text: 'Exame normal.' }] }],
  ['sections.0.text', { sections: [{ key: 'findings', title: 'Achados', text: 'Sem derrame, baço com [__ cm].' }] }],
  ['sections.0.text', { sections: [{ key: 'lungs', title: 'Pulmões', text: 'Aspecto habitual' }] }],
  ['macros.0.section', { macros: [{ name: 'x', section: 'plan', text: 'y' }] }],
  ['macros.1.name', { macros: [macro, { ...macro, name: 'TORAX do Serviço' }] }],
  ['macros.0.name', { macros: [{ ...macro, name: '…' }] }],
  ['exams.modalities.0', { exams: { modalities: ['QQ'] } }],
  ['exams.regions.0', { exams: { regions: ['nowhere'] } }],
  ['exams.words.0', { exams: { words: ['(.*)*'] } }],
])('%s is refused in %j', async (field, changes) => {
  const answer = await api.call(create, { body: { ...ownCt, macros: [], ...changes } });
  expect(answer.status).toBe(400);
  expect(answer.error.details.errors.map((error) => error.field)).toEqual([field]);
});

test('a default of names and fields is no statement', async () => {
  const text = 'Fígado: [__ cm].\nBaço:\nVesícula [cálculos: com|sem] cálculos.';
  expect((await add({ id: 'liver', macros: [], sections: [{ key: 'findings', title: 'Achados', text }] })).id).toBe(
    'liver',
  );
});
