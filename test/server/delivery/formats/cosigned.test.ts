/** What a preliminary document, and one that was co-signed, say of themselves in each format. */
import { expect, test } from 'vitest';
import { writers } from '../../../../server/delivery/formats/registry.ts';
import type { Report, Signature } from '../../../../src/reporting/report-head.ts';
import { fhirFaults } from '../../../support/fhir-r4.ts';
import { pdfText } from '../../../support/pdf-tools.ts';
import { reportWith } from '../../../support/signed-report.ts';
import { storedItem } from '../../../support/stored-item.ts';

const resident: Signature = {
  who: 'Dr. Caio Nunes',
  role: 'resident',
  licence: 'CRM-SP 22',
  at: '2026-03-02T11:00:00.000Z',
};
const attending: Signature = {
  who: 'Dra. Helena Prado',
  role: 'attending',
  licence: 'CRM-SP 1',
  place: 'São Paulo',
  at: '2026-03-02T12:30:00.000Z',
};
const { record, ...rest } = reportWith([{ key: 'impression', title: 'Impressão', text: 'Normal.' }]);
const signature = { by: 'Dr. Caio Nunes', at: resident.at, version: 2 };
const base = { ...rest, item: storedItem('wli_1'), timeZone: 'America/Sao_Paulo', preliminary: resident };
const preliminary: Report = {
  ...base,
  record: { ...record, status: 'preliminary', preliminary: signature },
  signature: null,
};
const cosigned: Report = { ...base, record: { ...record, preliminary: signature }, signature: attending };

const linesOf = {
  txt: async (report: Report) => String(await writers.txt(report)),
  html: async (report: Report) =>
    String(await writers.html(report))
      .replace(/<\/dt><dd>/g, ': ')
      .replace(/<style>[^]*<\/style>|<[^>]*>/g, '\n'),
  pdf: async (report: Report) => pdfText((await writers.pdf(report)) as Uint8Array),
};
const residentLines = ['Laudo preliminar de', 'Dr. Caio Nunes, residente, CRM-SP 22', '02/03/2026, 08:00 GMT-3'];
const attendingLines = [
  'Assinado por',
  'Dra. Helena Prado, preceptor(a), CRM-SP 1',
  'São Paulo, 02/03/2026, 09:30 GMT-3',
];
const warning = 'ainda não revisado e assinado por preceptor(a)';

test.each(['txt', 'html', 'pdf'] as const)('%s names the resident, and after co-signing both', async (format) => {
  const before = await linesOf[format](preliminary);
  for (const part of [...residentLines, warning]) expect(before).toContain(part);
  for (const part of attendingLines) expect(before).not.toContain(part);
  const after = await linesOf[format](cosigned);
  const places = [...residentLines, ...attendingLines].map((part) => after.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(after).not.toContain(warning);
});

test('a preliminary document that an attending has changed says so', async () => {
  const changed = { ...preliminary, record: { ...preliminary.record, version: 3 } };
  expect(await linesOf.txt(changed)).toContain('alterado desde a assinatura preliminar');
  expect(await linesOf.txt(preliminary)).not.toContain('alterado desde');
});

const fieldsOf = async (report: Report, name: string): Promise<string[][]> =>
  String(await writers.hl7(report))
    .split('\r')
    .map((segment) => segment.split('|'))
    .filter(([found]) => found === name);

test.each([
  ['preliminary', preliminary, 'P', 'IP', 'CRM-SP 22&Dr. Caio Nunes', undefined],
  ['co-signed', cosigned, 'F', 'CM', 'CRM-SP 1&Dra. Helena Prado', 'CRM-SP 22&Dr. Caio Nunes'],
] as const)('ORU of a %s document', async (_state, report, status, order, principal, assistant) => {
  const [obr = []] = await fieldsOf(report, 'OBR');
  expect([obr[25], obr[32], obr[33]]).toEqual([status, principal, assistant]);
  expect((await fieldsOf(report, 'ORC'))[0]![5]).toBe(order);
  for (const obx of await fieldsOf(report, 'OBX')) expect(obx[11]).toBe(status);
});

test('ORU of a co-signed document with an addendum is a correction', async () => {
  const sections = [...record.sections, { key: 'addendum', title: 'Adendo', text: 'Mais.' }];
  const amended = { ...cosigned, record: { ...cosigned.record, sections }, addenda: [attending] };
  expect((await fieldsOf(amended, 'OBR'))[0]![25]).toBe('C');
});

test('FHIR: preliminary, then final with both as interpreters and the attending as performer', async () => {
  const read = async (report: Report) => JSON.parse(String(await writers.fhir(report)));
  const names = (people: { display: string }[]) => people.map(({ display }) => display);
  const before = await read(preliminary);
  expect(fhirFaults(before)).toEqual([]);
  expect(before.status).toBe('preliminary');
  expect(names(before.resultsInterpreter)).toEqual(['Dr. Caio Nunes']);
  const after = await read(cosigned);
  expect(fhirFaults(after)).toEqual([]);
  expect(after.status).toBe('final');
  expect(names(after.resultsInterpreter)).toEqual(['Dra. Helena Prado', 'Dr. Caio Nunes']);
  expect(names(after.performer)).toEqual(['Dra. Helena Prado']);
});
