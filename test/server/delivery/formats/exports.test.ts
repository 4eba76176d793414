/** GET /api/v1/medical-records/{id}/export: text, HTML, PDF, FHIR R4 and HL7 v2. */
import { createHash } from 'node:crypto';
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { hl7Time } from '../../../../server/delivery/formats/hl7.ts';
import { escapeHl7 } from '../../../../server/delivery/formats/hl7/segments.ts';
import { pdfReport } from '../../../../server/delivery/formats/pdf.ts';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import { letterheadFor } from '../../../../src/reporting/report-head.ts';
import type { Report } from '../../../../src/reporting/report-head.ts';
import { exportFormats } from '../../../../src/contract/export.ts';
import type { ExportFormat } from '../../../../src/contract/export.ts';
import type { Section } from '../../../../src/contract/document.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import { storedItem } from '../../../support/stored-item.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { pdfText } from '../../../support/pdf-tools.ts';
import { fromHl7 } from '../../../support/unescape.ts';
import { createRecordService, testClient } from '../../../support/record-service.ts';
import type { RecordService } from '../../../support/record-service.ts';

const text = 'Paciente Teste. Achados: coração | pulmões & ^mediastino~ \\ <b>normais</b>. Impressão: exame normal.';

async function signed(
  options: Parameters<typeof createRecordService>[0] = {},
  said = text,
): Promise<{ service: RecordService; id: string }> {
  const service = await createRecordService(options);
  const item = await service.exam({
    patient_birth_date: '1971-06-14',
    patient_sex: 'M',
    study_uid: '1.2.826.0.1.3680043.8.498.4417',
    referring_physician: 'PRADO^HELENA^^DRA',
    hospital_name: 'Hospital São Lucas',
    procedure_id: 'PROC-TC-TX',
  });
  const { id } = await service.generate({ text: said, worklist_item_id: item });
  await service.routes.records.update({ params: { id }, body: { status: 'final' } }, service.call());
  return { service, id };
}

const exported = async (service: RecordService, id: string, format: ExportFormat) =>
  service.routes.records.export({ params: { id }, query: { format } }, service.call());

const addTo = async (service: RecordService, id: string, section: Section): Promise<void> => {
  const { sections } = await service.get(id);
  await service.routes.records.update({ params: { id }, body: { sections: [...sections, section] } }, service.call());
};

test.each(Object.keys(exportFormats) as ExportFormat[])(
  '%s is a file named by the exam and not by the patient, the same each time',
  async (format) => {
    const { service, id } = await signed({}, text.replace('normais', 'normais, nódulo de 6 mm'));
    const first = await exported(service, id, format);
    expect(first.status).toBe(200);
    expect(first.headers['Content-Type']).toBe(exportFormats[format]);
    expect(first.headers['Content-Disposition']).toMatch(
      new RegExp(`^attachment; filename="\\d{4}-\\d\\d-\\d\\d_[A-Z]+_[a-z-]+_${id.slice(-8)}(?:\\.[a-z0-9]+)+"$`),
    );
    service.clock.advance(60_000);
    expect((await exported(service, id, format)).body).toEqual(first.body);
  },
);

test('text has the exam, the sections and who signed', async () => {
  const { service, id } = await signed();
  const body = String((await exported(service, id, 'txt')).body);
  for (const part of [
    'Paciente: Paciente Teste',
    'Solicitante: Dra Helena Prado',
    'Assinado por: Dra. Helena Prado',
    'oração | pulmões',
    `${id}, versão 2`,
  ]) {
    expect(body).toContain(part);
  }
  expect(body).not.toContain('Rascunho');
});

test('a draft and a test document say so in every format to read', async () => {
  const service = await createRecordService();
  const caller = { ...testClient, space: 'local' };
  const { id } = await service.generate({ text: 'Test Patient. Findings: none.' }, { caller });
  const txt = String((await exported(service, id, 'txt')).body);
  const html = String((await exported(service, id, 'html')).body);
  for (const body of [txt, html]) {
    expect(body).toContain('Draft: not signed yet');
    expect(body).toContain('Test data: simulated document');
  }
});

test.each([
  ['pt-BR', 'Laudo retificado: substitui o laudo anterior deste exame (rec_first, versão 4)'],
  ['en-US', 'Corrected report: it replaces the prior report of this exam (rec_first, version 4)'],
  ['es-ES', 'Informe corregido: sustituye al informe anterior de este estudio (rec_first, versión 4)'],
] as const)('a report in the place of another says so in every format to read, in %s', async (language, notice) => {
  const corrected = { language, replaces: { record_id: 'rec_first', version: 4 } } as const;
  const report = reportWith([{ key: 'findings', title: 'Achados', text: 'Normal.' }], corrected);
  for (const format of ['txt', 'html'] as const) {
    expect(String(await writers[format](report))).toContain(notice);
    const plain = reportWith(report.record.sections, { language });
    expect(String(await writers[format](plain))).not.toContain('rec_first');
  }
  expect(Buffer.from((await writers['dicom-sr'](report))!).toString('utf8')).toContain(notice);
});

const stamped = (): Report => ({
  ...reportWith([{ key: 'findings', title: 'Achados', text: 'Normal.' }]),
  item: storedItem('wli_1', {
    hospital_name: 'Hospital São Lucas',
    patient_birth_date: '1971-06-14',
    exam_datetime: '2026-03-02T07:30:00-03:00',
  }),
  signature: { who: 'Dra. Helena Prado', licence: 'CRM-SP 123456', place: 'São Paulo', at: '2026-03-02T11:00:00.000Z' },
  timeZone: 'America/Sao_Paulo',
});

test.each(['txt', 'html'] as const)('%s has letterhead, local dates, and the signature last', async (format) => {
  const shown = String(await writers[format](stamped()))
    .replace(/<\/dt><dd>/g, ': ')
    .replace(/<style>[^]*<\/style>|<[^>]*>/g, '\n');
  const parts = [
    'Hospital São Lucas',
    'Nascimento: 14/06/1971',
    'Data do exame: 02/03/2026, 07:30',
    'Normal.',
    'Assinado por: Dra. Helena Prado, CRM-SP 123456',
    'Assinado em: São Paulo, 02/03/2026, 08:00 GMT-3',
    'versão 2, 02/03/2026, 08:00 GMT-3',
  ];
  const places = parts.map((part) => shown.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('HL7 and FHIR name the signer by name and licence', async () => {
  const obr = parseHl7(String(await writers.hl7(stamped()))).find(({ name }) => name === 'OBR')!;
  expect(obr.field(32)).toBe('CRM-SP 123456&Dra. Helena Prado');
  const resource = JSON.parse(String(await writers.fhir(stamped())));
  expect(fhirFaults(resource)).toEqual([]);
  expect(resource.resultsInterpreter).toEqual([
    {
      display: 'Dra. Helena Prado',
      type: 'Practitioner',
      identifier: {
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MD' }] },
        value: 'CRM-SP 123456',
      },
    },
  ]);
});

test('the letterhead is that of the institution that the exam names, or the only one', () => {
  const lucas = ['Hospital São Lucas', 'Rua A, 10', 'Tel. 1 & 2'];
  const sul = ['Clínica Sul', 'Rua B, 2'];
  const of = (hospital_name: string | undefined, all: readonly (readonly string[])[]) =>
    letterheadFor(storedItem('wli_1', hospital_name === undefined ? {} : { hospital_name }), all);
  expect(of('hospital sao lucas', [sul, lucas])).toEqual(lucas);
  expect(of('Santa Casa', [lucas])).toBeUndefined();
  expect(of('', [lucas])).toEqual(lucas);
  expect(of('', [lucas, sul])).toBeUndefined();
  expect(letterheadFor(null, [lucas])).toEqual(lucas);
});

test.each(['txt', 'html'] as const)('%s has all lines of the letterhead', async (format) => {
  const letterhead = ['Hospital São Lucas', 'Rua A, 10', 'Tel. 1 & 2'];
  const shown = String(await writers[format]({ ...stamped(), letterhead }))
    .replace(/<style>[^]*<\/style>|<[^>]*>/g, '\n')
    .replace('&amp;', '&');
  const places = [...letterhead, 'Achados'].map((part) => shown.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('the server writes the letterhead that it was given', async () => {
  const { service, id } = await signed({ letterheads: [['Hospital São Lucas', 'Rua A, 10']] });
  expect(String((await exported(service, id, 'txt')).body)).toMatch(/^Hospital São Lucas\nRua A, 10\n/);
  expect((await service.routes.letterheads.list({}, service.call())).data).toEqual({
    items: [{ name: 'Hospital São Lucas', lines: ['Rua A, 10'] }],
  });
});

test('each addendum has a separate signature, in every format', async () => {
  const { record, ...rest } = stamped();
  const addendum = (text: string): Section => ({ key: 'addendum', title: 'Adendo', text });
  const report: Report = {
    ...rest,
    record: { ...record, sections: [...record.sections, addendum('Cisto à esquerda.'), addendum('Sem cisto.')] },
    addenda: [
      { who: 'Dr. Rui', licence: 'CRM-RJ 2', place: 'Niterói', at: '2026-03-03T12:30:00.000Z' },
      { who: 'Dra. Helena Prado', licence: 'CRM-SP 123456', at: '2026-03-04T12:30:00.000Z' },
    ],
  };
  const signed = [
    'Normal.',
    'Assinado por: Dra. Helena Prado, CRM-SP 123456',
    'Assinado em: São Paulo, 02/03/2026, 08:00 GMT-3',
    'Cisto à esquerda.',
    'Assinado por: Dr. Rui, CRM-RJ 2',
    'Assinado em: Niterói, 03/03/2026, 09:30 GMT-3',
    'Sem cisto.',
    'Assinado por: Dra. Helena Prado, CRM-SP 123456',
    'Assinado em: 04/03/2026, 09:30 GMT-3',
  ];
  const expectInOrder = (shown: string, parts: readonly string[]): void => {
    let from = 0;
    for (const part of parts) {
      const at = shown.indexOf(part, from);
      expect(at, part).toBeGreaterThanOrEqual(from);
      from = at + part.length;
    }
  };
  const plain = (html: string): string =>
    html.replace(/<\/dt><dd>/g, ': ').replace(/<style>[^]*<\/style>|<[^>]*>/g, '\n');
  expectInOrder(String(await writers.txt(report)), signed);
  expectInOrder(plain(String(await writers.html(report))), signed);
  expectInOrder(
    pdfText((await pdfReport(report))!),
    signed.map((line) => line.replace('Assinado por:', 'Assinado por').replace('Assinado em:', 'Assinado em')),
  );
  const resource = JSON.parse(String(await writers.fhir(report)));
  expect(fhirFaults(resource)).toEqual([]);
  expect(resource.resultsInterpreter.map(({ display }: { display: string }) => display)).toEqual([
    'Dra. Helena Prado',
    'Dr. Rui',
  ]);
  expectInOrder(plain(resource.text.div), signed);
  const segments = parseHl7(String(await writers.hl7(report)));
  const shown = segments.flatMap(({ name, field }) =>
    name === 'NTE' ? [field(3)] : name === 'OBX' && field(2) === 'TX' ? [field(5)] : [],
  );
  expect(shown).toEqual(signed);
  const addenda = segments.filter(({ name, field }) => name === 'OBX' && field(3) === 'addendum^Adendo^L');
  expect(addenda.map(({ field }) => [field(14), field(16)])).toEqual([
    ['20260303123000+0000', 'CRM-RJ 2^Dr. Rui'],
    ['20260304123000+0000', 'CRM-SP 123456^Dra. Helena Prado'],
  ]);
});

test('an addendum is signed by whoever added it, as they were then', async () => {
  const { service, id } = await signed();
  const call = service.call();
  const user = { ...call.caller.user!, space: 'local', created_at: '2026-03-02T11:00:00.000Z', password_hash: '' };
  await service.store.transact(async (tx) => tx.put('users', { ...user, licence: 'CRM-SP 1', place: 'Santos' }));
  await addTo(service, id, { key: 'addendum', title: 'Adendo', text: 'Mais.' });
  await service.store.transact(async (tx) => tx.put('users', { ...user, licence: 'CRM-RJ 2', place: 'Niterói' }));
  await addTo(service, id, { key: 'addendum', title: 'Adendo', text: 'E mais.' });
  const shown = String((await exported(service, id, 'txt')).body);
  expect(shown).toMatch(
    /Mais\.\n\nAssinado por: [^\n]*, CRM-SP 1\nAssinado em: Santos, [^]*E mais\.\n\nAssinado por: [^\n]*, CRM-RJ 2\nAssinado em: Niterói, /,
  );
});

test('the lines under a signature are those at the time of signing', async () => {
  const service = await createRecordService();
  const call = service.call();
  const user = { ...call.caller.user!, space: 'local', created_at: '2026-03-02T11:00:00.000Z', password_hash: '' };
  await service.store.transact(async (tx) => tx.put('users', { ...user, licence: 'CRM-SP 1', place: 'Santos' }));
  const { id } = await service.generate({ text });
  await service.routes.records.update({ params: { id }, body: { status: 'final' } }, call);
  await service.store.transact(async (tx) => tx.put('users', { ...user, licence: 'CRM-RJ 2', place: 'Niterói' }));
  const shown = String((await exported(service, id, 'txt')).body);
  expect(shown).toContain('Assinado por: Dra. Helena Prado, CRM-SP 1\nAssinado em: Santos, 02/03/2026,');
  const { data } = await service.routes.records.versions({ params: { id }, query: {} }, call);
  expect(data.items.map(({ signer }) => signer)).toEqual([{ licence: 'CRM-SP 1', place: 'Santos' }, undefined]);
});

test('HTML escapes what was dictated, and its policy allows its own style sheet and nothing else', async () => {
  const { service, id } = await signed();
  const answer = await exported(service, id, 'html');
  const body = String(answer.body);
  expect(body).toContain('&lt;b&gt;normais&lt;/b&gt;');
  expect(body).not.toMatch(/<script|<b>|style="|https?:|\bon\w+=/i);
  expect(body).toMatch(/^<!doctype html>\n<html lang="pt-BR">/);
  const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!;
  const hash = createHash('sha256').update(style).digest('base64');
  expect(answer.headers['Content-Security-Policy']).toBe(`default-src 'none'; style-src 'sha256-${hash}'`);
});

test.each(['pdf', 'fhir', 'hl7'] as const)(
  '%s of more pages than anybody reads is refused in words; text is not',
  async (format) => {
    const service = await createRecordService();
    const { id } = await service.generate({ text });
    await addTo(service, id, { key: 'addendum', title: 'Adendo', text: 'linha\n'.repeat(60_000) });
    await expect(exported(service, id, format)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [{ field: 'format', code: 'TOO_LONG', message: expect.stringContaining('1000 pages') }] },
    });
    expect((await exported(service, id, 'txt')).body?.toString()).toContain('linha\nlinha');
  },
);

test('FHIR is a DiagnosticReport that points to exam, patient and order', async () => {
  const { service, id } = await signed();
  const read = async () => JSON.parse(String((await exported(service, id, 'fhir')).body));
  const report = await read();
  expect(report).toMatchObject({
    resourceType: 'DiagnosticReport',
    status: 'final',
    meta: { versionId: '2' },
    language: 'pt-BR',
    identifier: [{ value: id }, { type: { coding: [{ code: 'ACSN' }] }, value: 'SL-1' }],
    basedOn: [{ type: 'ServiceRequest', identifier: { type: { coding: [{ code: 'ACSN' }] }, value: 'SL-1' } }],
    category: [{ coding: [{ code: 'RAD' }] }],
    code: { coding: [{ system: 'http://loinc.org', code: '11528-7' }], text: 'TC de tórax sem contraste' },
    subject: { reference: '#patient' },
    contained: [
      {
        resourceType: 'Patient',
        id: 'patient',
        identifier: [{ value: '0045871' }],
        gender: 'male',
        birthDate: '1971-06-14',
      },
    ],
    effectiveDateTime: '2026-03-02T08:30:00-03:00',
    issued: '2026-03-02T11:00:00.000Z',
    resultsInterpreter: [{ display: 'Dra. Helena Prado' }],
    imagingStudy: [{ identifier: { system: 'urn:dicom:uid', value: 'urn:oid:1.2.826.0.1.3680043.8.498.4417' } }],
    conclusion: expect.stringContaining('xame normal'),
  });
  expect(report.id).toMatch(/^[A-Za-z0-9.-]{1,64}$/);
  expect(Buffer.from(report.presentedForm[0].data, 'base64').toString()).toContain('oração');
  expect(Buffer.from(report.presentedForm[1].data, 'base64').toString('latin1')).toMatch(/^%PDF-/);
  await addTo(service, id, { key: 'addendum', title: 'Adendo', text: 'Mais.' });
  expect((await read()).status).toBe('appended');
});

/** Segment → its fields, MSH counted as the standard does. */
function parseHl7(message: string): { name: string; field: (number: number) => string }[] {
  const segments = message.split('\r');
  expect(segments.pop()).toBe('');
  return segments.map((segment) => {
    const fields = segment.split('|');
    const shift = fields[0] === 'MSH' ? 1 : 0;
    return { name: fields[0]!, field: (number) => fields[number - shift] ?? '' };
  });
}

test('HL7 is an ORU^R01 with its fields at their standard places', async () => {
  const { service, id } = await signed();
  const body = String((await exported(service, id, 'hl7')).body);
  const segments = parseHl7(body);
  expect(segments.map(({ name }) => name)).toEqual([
    'MSH',
    'PID',
    'PV1',
    'ORC',
    'OBR',
    'TQ1',
    ...Array(segments.length - 9).fill('OBX'),
    // Below the last section: who signed, and when.
    'NTE',
    'NTE',
    'OBX',
  ]);
  const [msh, pid, , orc, obr, tq1, ...rest] = segments;
  const obx = rest.filter(({ name }) => name === 'OBX');
  expect(body.slice(0, 9)).toBe('MSH|^~\\&|');
  expect([3, 4, 9, 11, 12, 18].map(msh!.field)).toEqual([
    'LAUDIO',
    'Hospital São Lucas',
    'ORU^R01^ORU_R01',
    'P',
    '2.5.1',
    'UNICODE UTF-8',
  ]);
  expect(msh!.field(10)).toMatch(/^[0-9A-F]{20}$/);
  expect(msh!.field(7)).toBe('20260302110000+0000');
  expect([3, 5, 7, 8].map(pid!.field)).toEqual(['0045871', 'TESTE^PACIENTE', '19710614', 'M']);
  expect([1, 3, 5].map(orc!.field)).toEqual(['RE', 'SL-1', 'CM']);
  expect([4, 7, 16, 18, 19, 24, 25, 32].map(obr!.field)).toEqual([
    'PROC-TC-TX^TC de tórax sem contraste^L',
    '20260302083000-0300',
    '^PRADO^HELENA^^^DRA',
    'SL-1',
    'PROC-TC-TX',
    'CT',
    'F',
    '&Dra. Helena Prado',
  ]);
  expect(tq1!.field(7)).toBe('20260302083000-0300');
  expect(obx.map(({ field }) => field(1))).toEqual(obx.map((_, index) => String(index + 1)));
  expect([2, 3, 5, 11].map(obx[0]!.field)).toEqual([
    'ST',
    '113014^DICOM Study^DCM',
    '1.2.826.0.1.3680043.8.498.4417',
    'F',
  ]);
  const findings = obx.find(({ field }) => field(3).startsWith('59776-5^Achados^LN'))!;
  expect(findings.field(2)).toBe('TX');
  expect(findings.field(5)).toContain('oração \\F\\ pulmões \\T\\ \\S\\mediastino\\R\\ \\E\\ <b>');
  expect(obx.at(-1)!.field(5)).toMatch(/^\^application\^pdf\^Base64\^JVBERi/);
});

test('HL7 of a draft is preliminary, of an addendum a correction of the whole under another control id', async () => {
  const service = await createRecordService();
  const { id } = await service.generate({ text });
  const draft = parseHl7(String((await exported(service, id, 'hl7')).body));
  expect(draft.find(({ name }) => name === 'OBR')!.field(25)).toBe('R');
  expect(draft.at(-1)!.field(11)).toBe('P');
  await service.routes.records.update({ params: { id }, body: { status: 'final' } }, service.call());
  for (const words of ['Mais.', 'E mais.']) await addTo(service, id, { key: 'addendum', title: 'Adendo', text: words });
  const final = parseHl7(String((await exported(service, id, 'hl7')).body));
  expect(final.find(({ name }) => name === 'OBR')!.field(25)).toBe('C');
  const observed = final.filter(({ name }) => name === 'OBX').map(({ field }) => field(11));
  expect(new Set(observed)).toEqual(new Set(['C']));
  expect(final[0]!.field(10)).not.toBe(draft[0]!.field(10));
  const addenda = final.filter(({ field }) => field(3) === 'addendum^Adendo^L');
  expect(addenda.map(({ field }) => [field(4), field(5)])).toEqual([
    ['1', 'Mais.'],
    ['2', 'E mais.'],
  ]);
});

test('no text breaks out of its HL7 field, and none is lost', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const escaped = escapeHl7(value);
      expect(escaped).not.toMatch(/[|^&~\x00-\x1f]/);
      expect(fromHl7(escaped)).toBe(value.replace(/\r\n?/g, '\n'));
    }),
  );
});

test.each([
  ['2026-03-02T08:30:00-03:00', '20260302083000-0300'],
  ['2026-03-02T08:30:00.123Z', '20260302083000+0000'],
  ['2026-03-02T08:30:00', '20260302083000'],
])('%s is %s in HL7', (iso, hl7) => expect(hl7Time(iso)).toBe(hl7));

const anySection = fc.record({
  key: fc.constantFrom('findings', 'impression', 'other'),
  title: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  text: fc.string({ unit: 'binary', maxLength: 200 }),
});

test('any text can be exported in any format', async () => {
  const { service, id } = await signed();
  const record = await service.get(id);
  await fc.assert(
    fc.asyncProperty(fc.array(anySection, { minLength: 1, maxLength: 3 }), async (sections) => {
      const report: Report = {
        record: { ...record, title: sections[0]!.title, sections },
        item: null,
        signature: null,
      };
      const measured = { key: 'findings', title: 'Achados', text: 'Nódulo de 6 mm.' };
      for (const write of Object.values(writers)) {
        const written = await write({ ...report, record: { ...report.record, sections: [...sections, measured] } });
        expect(written?.length).toBeGreaterThan(0);
      }
      expect(
        Buffer.from((await pdfReport(report))!)
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
    }),
    { numRuns: 10 },
  );
});
