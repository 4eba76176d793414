/** Critical results: found by the check or marked by hand, told or dismissed, in the document and in every export. */
import { expect, test } from 'vitest';
import type { CriticalDecision, CriticalResult } from '../../../src/contract/critical.ts';
import type { ExportFormat } from '../../../src/contract/export.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { fhirFaults } from '../../support/fhir-r4.ts';
import { pdfText } from '../../support/pdf-tools.ts';
import { colleague, createRecordService, elsewhere } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { fromHl7 } from '../../support/unescape.ts';
import { refusal } from '../../support/worklist.ts';

const text = 'Paciente Teste. Achados: pneumotórax hipertensivo à direita. Impressão: pneumotórax hipertensivo.';
const phoned = { to: 'Dr. Paulo Nunes', role: 'plantonista', way: 'phone', read_back: true } as const;

async function withPneumothorax(): Promise<{ service: RecordService; record: MedicalRecord; result: CriticalResult }> {
  const service = await createRecordService();
  const worklist_item_id = await service.exam({ study_uid: '1.2.3.4' });
  const record = await service.generate({ text, language: 'pt-BR', worklist_item_id });
  return { service, record, result: record.critical_results![0]! };
}

const decide = (service: RecordService, id: string, result: string, body: CriticalDecision, options = {}) =>
  service.routes.criticalResults.decide({ params: { id, result }, body }, service.call(options));
const tell = (service: RecordService, id: string, result: string, more: object = {}) =>
  decide(service, id, result, { status: 'told', communication: { ...phoned, ...more } });
const update = async (service: RecordService, id: string, body: object) =>
  (await service.routes.records.update({ params: { id }, body }, service.call())).data;
const openRecords = async (service: RecordService) =>
  (await service.routes.records.list({ query: { critical: 'open' } }, service.call())).data.items.map(({ id }) => id);
const findingOf = ({ findings_to_review: found = [] }: MedicalRecord) =>
  found.find(({ kind }) => kind === 'critical_not_communicated');

test('a critical finding is a critical result with the id of its finding, and its record is listed', async () => {
  const { service, record, result } = await withPneumothorax();
  expect(record.critical_results).toEqual([
    {
      id: findingOf(record)!.id,
      section: 'impression',
      words: expect.stringMatching(/pneumotórax hipertensivo/i) as string,
      marked_by: null,
      since: record.created_at,
      status: 'open',
      communication: null,
      dismissal: null,
    },
  ]);
  expect(result.status).toBe('open');
  await service.generate();
  expect(await openRecords(service)).toEqual([record.id]);
});

test('a recorded communication makes a version, closes the finding and the list entry, and is in the text', async () => {
  const { service, record, result } = await withPneumothorax();
  service.clock.advance(60_000);
  const answer = await tell(service, record.id, result.id, { at: '2026-03-02T07:59:00-03:00' });
  expect(answer.headers).toEqual({ ETag: '"2"' });
  expect(answer.data.sections).toEqual(record.sections);
  expect(answer.data.critical_results![0]).toMatchObject({
    status: 'told',
    communication: {
      ...phoned,
      at: '2026-03-02T10:59:00.000Z',
      by: 'Dra. Helena Prado',
      noted_at: '2026-03-02T11:01:00.000Z',
    },
  });
  expect(findingOf(answer.data)).toMatchObject({ status: 'resolved', by: 'Dra. Helena Prado' });
  expect(answer.data.text).toMatch(
    /Comunicação de resultado crítico\nPneumotórax hipertensivo: comunicado a Dr\. Paulo Nunes \(plantonista\) por telefone em 02\/03\/2026, \d\d:59 GMT.*, por Dra\. Helena Prado; lido de volta e confirmado\.$/,
  );
  expect(await openRecords(service)).toEqual([]);
  const { data } = await service.routes.records.versions({ params: { id: record.id }, query: {} }, service.call());
  expect(data.items.map(({ change }) => change)).toEqual(['communicated', 'generated']);
  const { data: origin } = await service.routes.reviews.provenance(
    { params: { id: record.id }, query: {} },
    service.call(),
  );
  expect(origin.words.length).toBeGreaterThan(0);
});

test('a communication stays recorded while the draft changes, and reopens once it is taken back', async () => {
  const { service, record, result } = await withPneumothorax();
  await tell(service, record.id, result.id);
  const sections = record.sections.map((each) =>
    each.key === 'findings' ? { ...each, text: `${each.text} Pulmões expandidos à esquerda.` } : each,
  );
  const edited = await update(service, record.id, { sections });
  expect(edited.critical_results![0]!.status).toBe('told');
  expect(findingOf(edited)?.status).toBe('resolved');
  expect(edited.text).toContain('comunicado a Dr. Paulo Nunes');
  const { data: back } = await decide(service, record.id, result.id, { status: 'open' });
  expect(back.text).not.toContain('comunicado a');
  expect(back.version).toBe(4);
  expect(await openRecords(service)).toEqual([record.id]);
  expect(findingOf(await update(service, record.id, { title: 'Other' }))?.status).toBe('open');
});

test('a draft that loses the words, or names the communication itself, has no open result', async () => {
  const { service, record } = await withPneumothorax();
  const write = (impression: string) =>
    update(service, record.id, {
      sections: record.sections.map((each) => ({ ...each, text: each.key === 'impression' ? impression : 'Normal.' })),
    });
  expect((await write('Pneumotórax. Comunicado ao plantonista por telefone.')).critical_results).toBeUndefined();
  expect((await write('Pneumotórax.')).critical_results).toHaveLength(1);
  expect((await write('Exame normal.')).critical_results).toBeUndefined();
  expect(await openRecords(service)).toEqual([]);
});

test('signing asks: an open result is an open finding, and stays open where it is signed over', async () => {
  const { service, record, result } = await withPneumothorax();
  const sign = { status: 'final', require_resolved: true };
  expect(await refusal(update(service, record.id, sign))).toMatchObject({
    code: 'OPEN_FINDINGS',
    details: { open: expect.arrayContaining([expect.objectContaining({ id: result.id })]) as unknown },
  });
  const open = record.findings_to_review!.filter(({ severity }) => severity === 'warning').map(({ id }) => id);
  const signed = await update(service, record.id, { ...sign, acknowledged: open });
  expect(signed.status).toBe('final');
  expect(signed.critical_results![0]!.status).toBe('open');
  expect(await openRecords(service)).toEqual([record.id]);
  service.clock.advance(60_000);
  const { data: told } = await tell(service, record.id, result.id);
  expect([told.status, told.version, told.critical_results![0]!.status]).toEqual(['final', 3, 'told']);
  expect(await openRecords(service)).toEqual([]);
});

test('a dismissal needs a reason, keeps the version, and lasts', async () => {
  const { service, record, result } = await withPneumothorax();
  const reason = 'Conhecido desde março, sem mudança.';
  const { data } = await decide(service, record.id, result.id, { status: 'dismissed', reason });
  expect(data.version).toBe(1);
  expect(data.critical_results![0]).toMatchObject({
    status: 'dismissed',
    dismissal: { reason, by: 'Dra. Helena Prado', at: '2026-03-02T11:00:00.000Z' },
  });
  expect(findingOf(data)?.status).toBe('dismissed');
  expect(await openRecords(service)).toEqual([]);
  const first = await service.routes.records.version({ params: { id: record.id, n: 1 } }, service.call());
  expect(first.data.critical_results![0]!.status).toBe('dismissed');
  const edited = await update(service, record.id, { title: 'Other' });
  expect(edited.critical_results![0]!.status).toBe('dismissed');
});

test('marked words are a result like any other, until the communication', async () => {
  const service = await createRecordService();
  const record = await service.generate({ text: 'Achados: massa de 9 cm. Impressão: massa.', language: 'pt-BR' });
  expect(record.critical_results).toBeUndefined();
  const mark = (section: string, words: string) =>
    service.routes.criticalResults.mark({ params: { id: record.id }, body: { section, words } }, service.call());
  const { data } = await mark('findings', 'assa de 9 cm');
  const [result] = data.critical_results!;
  expect(result).toMatchObject({ words: 'assa de 9 cm', marked_by: 'Dra. Helena Prado', status: 'open' });
  const found = findingOf(data)!;
  expect(data.sections.find(({ key }) => key === 'findings')!.text.slice(found.start, found.end)).toBe('assa de 9 cm');
  expect((await mark('findings', 'assa de 9 cm')).data.critical_results).toEqual([result]);
  const gone = record.sections.map((each) => ({ ...each, text: 'Normal.' }));
  const edited = await update(service, record.id, { sections: gone });
  expect(edited.critical_results).toHaveLength(1);
  expect(findingOf(edited)).toMatchObject({ id: result!.id, start: 0, end: 0, status: 'open' });
  expect(await refusal(update(service, record.id, { status: 'final', require_resolved: true }))).toMatchObject({
    code: 'OPEN_FINDINGS',
  });
  const { data: told } = await tell(service, record.id, result!.id);
  expect(told.text).toContain('Assa de 9 cm: comunicado a');
  expect(await refusal(mark('findings', 'not there'))).toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await refusal(mark('none', 'Normal.'))).toMatchObject({ code: 'VALIDATION_FAILED' });
});

test.each([
  [{ status: 'told' }, 'communication'],
  [{ status: 'told', communication: phoned, reason: 'x' }, 'reason'],
  [{ status: 'told', communication: { ...phoned, at: '2026-03-02T11:02:01Z' } }, 'communication.at'],
  [{ status: 'dismissed' }, 'reason'],
  [{ status: 'dismissed', reason: 'x', communication: phoned }, 'communication'],
  [{ status: 'open', reason: 'x' }, 'reason'],
] as [CriticalDecision, string][])('refuses %j, by its field', async (body, field) => {
  const { service, record, result } = await withPneumothorax();
  const refused = await refusal(decide(service, record.id, result.id, body));
  expect(refused).toMatchObject({ code: 'VALIDATION_FAILED', details: { errors: [{ field }] } });
  expect(await service.get(record.id)).toEqual(record);
});

test('another space knows of nothing, an application decides nothing, another version is refused', async () => {
  const { service, record, result } = await withPneumothorax();
  const dismissal: CriticalDecision = { status: 'dismissed', reason: 'x' };
  const ask = (options: object, id = result.id) => refusal(decide(service, record.id, id, dismissal, options));
  expect(await ask({ caller: elsewhere })).toMatchObject({ code: 'NOT_FOUND' });
  expect(await ask({}, 'f_none')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await ask({ caller: { user: null } })).toMatchObject({ code: 'FORBIDDEN' });
  expect(await ask({ headers: { 'If-Match': '"7"' } })).toMatchObject({ code: 'VERSION_CONFLICT' });
});

test('events name the version, and whether it is signed, an addendum or a correction', async () => {
  const { service, record, result } = await withPneumothorax();
  const { id } = record;
  await update(service, id, { status: 'final' });
  service.clock.advance(60_000);
  await tell(service, id, result.id);
  const { sections } = await service.get(id);
  service.clock.advance(60_000);
  await update(service, id, { sections: [...sections, { key: 'addendum', title: 'Adendo', text: 'Dreno.' }] });
  service.clock.advance(60_000);
  await decide(service, id, result.id, { status: 'open' });
  const told = (await service.announced()).map(({ data }) => [
    data.version,
    data.signed,
    data.addendum,
    data.correction,
  ]);
  expect(told).toEqual([
    [2, true, false, false],
    [3, true, true, false],
    [4, true, true, false],
    [5, true, false, true],
  ]);
});

test('each format names the recipient, and an addendum after it keeps its signer', async () => {
  const { service, record, result } = await withPneumothorax();
  await update(service, record.id, { status: 'final' });
  await tell(service, record.id, result.id);
  const addendum = { key: 'addendum', title: 'Adendo', text: 'Dreno posicionado.' };
  await service.routes.records.update(
    { params: { id: record.id }, body: { sections: [...record.sections, addendum] } },
    service.call({ caller: colleague }),
  );
  await decide(service, record.id, result.id, {
    status: 'told',
    communication: { to: 'Dra. Rita Sá', way: 'in_person', read_back: false },
  });
  const written = async (format: ExportFormat): Promise<string> => {
    const { body } = await service.routes.records.export(
      { params: { id: record.id }, query: { format } },
      service.call(),
    );
    const bytes = body as Buffer;
    return format === 'pdf' ? pdfText(bytes) : bytes.toString('utf8');
  };
  for (const format of ['txt', 'html', 'pdf', 'dicom-sr'] as const) {
    const whole = (await written(format)).replace(/\s+/g, ' ');
    expect(whole).toContain('Comunicação de resultado crítico');
    expect(whole).toMatch(/Pneumotórax hipertensivo: comunicado a Dra\. Rita Sá pessoalmente em/);
    expect(whole).not.toContain('Paulo Nunes');
    expect(whole).toMatch(/Adendo.*Dr\. Bruno/);
  }
  const segments = (await written('hl7')).split('\r').map((segment) => segment.split('|'));
  const told = segments.find(([name, , , identifier]) => name === 'OBX' && identifier?.startsWith('73568-7^'));
  expect(fromHl7(told![5]!)).toMatch(/comunicado a Dra\. Rita Sá/);
  const report = JSON.parse(await written('fhir')) as Parameters<typeof fhirFaults>[0];
  expect(fhirFaults(report)).toEqual([]);
  expect(report.contained).toEqual([
    expect.objectContaining({ resourceType: 'Patient' }),
    expect.objectContaining({
      resourceType: 'Communication',
      status: 'completed',
      about: [{ reference: '#' }],
      recipient: [{ display: 'Dra. Rita Sá' }],
      payload: [{ contentString: expect.stringMatching(/pneumotórax/i) as string }],
    }),
  ]);
});
