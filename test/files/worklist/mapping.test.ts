/** A mapping: one for all formats, checked, and what it does to each. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { WorklistMapping } from '../../../src/contract/worklist-mapping.ts';
import { dicomPlaceOf } from '../../../src/files/worklist/dicom/places.ts';
import { normalisePlace } from '../../../src/files/worklist/hl7/places.ts';
import { checkedMapping, faultsOfMapping } from '../../../src/files/worklist/mapping-faults.ts';
import { proposedMapping, surveyFile } from '../../../src/files/worklist/survey.ts';
import type { Reading } from '../../../src/files/worklist/reading.ts';
import { readWorklist } from '../../../src/files/worklist/worklist-file.ts';
import { inChunks, readFile, sampleBytes } from '../../support/worklist-readings.ts';

const hl7 = (...segments: readonly string[]): string =>
  ['MSH|^~\\&|RIS|HSL|||20260302080000||ORM^O01|1|P|2.5', ...segments, ''].join('\r');
const order = hl7(
  'PID|||1^^^A~77^^^B||TESTE^PACIENTE',
  'ORC|NW|PL-1|||||||20260302083000',
  'OBR|1|PL-1||X^Angio||||||||||||||||||||XCT',
  'ZXX|zz^yy|Cancelado',
);
const dicom = JSON.stringify([
  {
    '00080050': { vr: 'SH', Value: ['A1'] },
    '00100020': { vr: 'LO', Value: ['1'] },
    '00400100': {
      vr: 'SQ',
      Value: [{ '00080060': { vr: 'CS', Value: ['RX'] }, '00400009': { vr: 'SH', Value: ['S-9'] } }],
    },
  },
]);
const fhir = JSON.stringify({
  resourceType: 'ServiceRequest',
  id: 'sr1',
  status: 'active',
  intent: 'order',
  identifier: [{ type: { coding: [{ code: 'PLAC' }] }, value: 'PL-1' }],
  code: { text: 'CT' },
  authoredOn: '2026-03-02T08:30:00-03:00',
});
const table = 'Chave;Quem;Quando;O que;Situ\nA1;TESTE^PACIENTE;02/03/2026 08:30;RX;Nao veio\n';
const readAll = async (text: string, options: WorklistMapping): Promise<readonly Reading[]> => {
  const readings: Reading[] = [];
  const file = await readWorklist(inChunks(Buffer.from(text)), { mapping: options });
  for await (const reading of file.readings) readings.push(reading);
  return readings;
};
const item = async (text: string, mapping: WorklistMapping) => (await readFile(text, { mapping })).items[0];

/** One mapping, with places of every format. */
const mapping: WorklistMapping = {
  fields: {
    accession_number: ['OBR-2', '(0040,0100)/(0040,0009)', "ServiceRequest.identifier.where(type='PLAC')", 'Chave'],
    patient_id: ['PID-3[2].1'],
    exam_datetime: ['ORC-9', 'Quando'],
    modality: ['OBR-24', 'O que'],
    patient_name: ['PID-5', 'Quem'],
    'metadata.own': ['ZXX-1.2', '(0010,0020)', 'ServiceRequest.id'],
  },
  values: { modality: { XCT: 'CT', RX: 'DX' } },
  defaults: { hospital_name: 'HSL' },
  accession_issuer: 'RIS1',
};

describe('a modality that is preset', () => {
  const of = {
    HL7: (name: string) => hl7('PID|||1||TESTE', 'ORC|NW|P1|F1', `OBR|1|P1|F1|X^${name}`),
    FHIR: (name: string) => JSON.stringify({ ...(JSON.parse(fhir) as object), code: { text: name } }),
    DICOM: (name: string) =>
      JSON.stringify([{ '00080050': { vr: 'SH', Value: ['A1'] }, '00321060': { vr: 'LO', Value: [name] } }]),
    'a table': (name: string) => `Accession;Exame\nA1;${name}\n`,
  };
  const fields = { accession_number: ['OBR-3', 'ServiceRequest.id', 'Accession', '(0008,0050)'] };

  it.each(Object.entries(of))('gives way to the description, in %s', async (_, text) => {
    const modalityOf = async (name: string, modality: string) =>
      (await item(text(name), { fields, defaults: { modality } }))?.item['modality'];
    expect(await modalityOf('TC de tórax', 'CR')).toBe('CT');
    expect(await modalityOf('Tórax PA', 'CR')).toBe('CR');
    // Either may be meant.
    expect(await modalityOf('RX e TC de tórax', 'MR')).toBe('MR');
    // It is an X-ray all the same.
    expect(await modalityOf('RX de tórax', 'DX')).toBe('DX');
  });

  it('is that of no order with a different one', async () => {
    const orders = ['TC de tórax', 'TC de abdome'].flatMap((name, at) => [
      `ORC|NW|P${at}|F1`,
      `OBR|${at}|P${at}|F1|X^${name}`,
    ]);
    const found = await item(hl7('PID|||1||TESTE', ...orders), { defaults: { modality: 'CR' } });
    expect(found?.item['modality']).toBe('CT');
    expect(found?.orders?.map(({ modality }) => modality)).toEqual(['CT', 'CT']);
  });
});

describe('small changes', () => {
  const changing: WorklistMapping = {
    fields: {
      accession_number: ['OBR-18', '(0008,0050)', 'ServiceRequest.id', 'Chave'],
      'metadata.site': ['OBR-18', '(0008,0050)', 'ServiceRequest.id', 'Chave'],
      exam_datetime: ['OBR-7', '(0008,0020)', 'ServiceRequest.note.text', 'Quando'],
      patient_birth_date: ['PID-7', '(0010,0030)', 'ServiceRequest.note.time', 'Nasc'],
    },
    parts: {
      accession_number: { separator: '-', take: -1 },
      'metadata.site': { separator: '-', take: 1 },
    },
    dates: {
      exam_datetime: ['DD/MM/YYYY H[h]mm', 'MM.DD.YYYY hh:mm A'],
      patient_birth_date: 'DDMMYYYY',
    },
    copies: { procedure_id: 'accession_number' },
    time_zone: 'America/Sao_Paulo',
  };
  const hl7Order = (number: string, when: string, event = 'ORM^O01', control = 'NW') =>
    hl7(
      'PID|||1||TESTE||03041980',
      `ORC|${control}|P-${number}`,
      `OBR|1|||X^TC|||${when}${'|'.repeat(11)}${number}`,
    ).replace('ORM^O01', event);
  const written = {
    HL7: hl7Order('HSL-778', '05/03/2026 8h30'),
    DICOM: JSON.stringify([
      {
        '00080050': { vr: 'SH', Value: ['HSL-778'] },
        '00080020': { vr: 'LO', Value: ['03.05.2026 08:30 am'] },
        '00100030': { vr: 'LO', Value: ['03041980'] },
      },
    ]),
    FHIR: JSON.stringify({
      ...(JSON.parse(fhir) as object),
      id: 'HSL-778',
      note: [{ text: '05/03/2026 8h30', time: '03041980' }],
    }),
    'a table': 'Chave;Exame;Quando;Nasc\nHSL-778;TC;05/03/2026 8h30;03041980\n',
    'JSON of the API': JSON.stringify({ Chave: 'HSL-778', Quando: '05/03/2026 8h30', Nasc: '03041980' }),
  };

  it.each(Object.entries(written))(
    'take a copy as it is, whatever the places of its own field would become: %s',
    async (_, text) => {
      const mapping: WorklistMapping = {
        ...changing,
        parts: { ...changing.parts, procedure_id: { separator: '|', take: 2 } },
        values: { procedure_id: { '778': 'another' } },
      };
      const read = await item(text, mapping);
      expect(read?.item).toMatchObject({ accession_number: '778', procedure_id: '778' });
    },
  );

  it('ask a pattern of many blanks no more than one of one', async () => {
    const pattern = `D${'[ ]'.repeat(60)}/MM/YYYY`;
    const mapping: WorklistMapping = { ...changing, dates: { ...changing.dates, patient_birth_date: pattern } };
    const table = `Chave;Exame;Quando;Nasc\nHSL-778;TC;05/03/2026 8h30;1${' '.repeat(90)}x\n`;
    expect((await item(table, mapping))?.item).not.toHaveProperty('patient_birth_date');
  });

  it.each(Object.entries(written))('are made to %s', async (_, text) => {
    expect((await item(text, changing))?.item).toMatchObject({
      accession_number: '778',
      procedure_id: '778',
      exam_datetime: '2026-03-05T08:30:00-03:00',
      patient_birth_date: '1980-04-03',
      metadata: expect.objectContaining({ site: 'HSL' }) as object,
    });
  });

  it('leave nothing that is written another way to chance', async () => {
    const { items, problems } = await readFile(hl7Order('HSL-778', '2026-03-05'), { mapping: changing });
    expect(items).toEqual([]);
    expect(problems[0]).toMatchObject({
      message: 'exam_datetime: the value of OBR-7.1 is not written as the mapping writes dates.',
      hint: expect.stringContaining('{"dates": {"exam_datetime": ["YYYYMMDDHHmm", "DD/MM/YYYY HH:mm"]}}') as string,
    });
    const noPart = await readFile('Chave;Exame\nHSL/778;TC\n', {
      mapping: { fields: { accession_number: 'Chave' }, parts: { accession_number: { separator: '-', take: 2 } } },
    });
    expect(noPart.problems).toHaveLength(1);
  });

  it('split a column with a date from one with a time', async () => {
    const read = await item('Chave;Data do exame;Hora do exame;Exame\nA-7;260305;0830;TC\n', {
      fields: { accession_number: 'Chave' },
      dates: { exam_datetime: 'YYMMDD', exam_time: 'HHmm' },
    });
    expect(read?.item['exam_datetime']).toMatch(/^2026-03-05T08:30:00/);
  });

  it.each([
    ['drop by event', { drop: [{ event: 'ADT^A08' }, { event: ['DFT'] }] }, ['ORM^O01', 'ORM^O01']],
    ['keep by event', { keep: [{ event: 'ORM' }] }, ['ORM^O01', 'ORM^O01']],
    [
      'drop by value',
      { drop: [{ event: 'ORM^O01', where: { 'ORC-1': ['sc', 'XX'] } }] },
      ['ORM^O01', 'ADT^A08', 'DFT'],
    ],
    ['of other formats', { drop: [{ where: { Chave: '778' } }, { where: { '(0008,0050)': ['A-778'] } }] }, undefined],
  ])('%s', async (_, rules, left) => {
    const text = [
      hl7Order('A-778', '05/03/2026 8h30'),
      hl7Order('A-779', '05/03/2026 8h30', 'ORM^O01', 'SC'),
      hl7Order('A-780', '05/03/2026 8h30', 'ADT^A08'),
      hl7Order('A-781', '05/03/2026 8h30', 'DFT^P03'),
    ].join('');
    const readings = await readAll(text, { ...changing, ...rules });
    expect(readings.filter(({ kind }) => kind !== 'skipped')).toHaveLength(left?.length ?? 4);
    expect(readings).toHaveLength(4);
  });

  it('pass over one order of a message, and rows of a table', async () => {
    const both = hl7('PID|||1||TESTE', 'ORC|NW|P1', 'OBR|1|P1|A1|X^TC', 'ORC|SC|P2', 'OBR|2|P2|A2|X^RM');
    const kinds = (await readAll(both, { drop: [{ where: { 'ORC-1': 'SC' } }] })).map(({ kind }) => kind);
    expect(kinds).toEqual(['item', 'skipped']);
    const rows = 'Chave;Exame;Unidade\n1;TC;A\n2;TC;B\n3;TC;\n';
    const unit = { fields: { accession_number: 'Chave' }, keep: [{ where: { Unidade: ['a', ''] } }] };
    expect((await readAll(rows, unit)).map(({ kind }) => kind)).toEqual(['item', 'skipped', 'item']);
    await expect(readAll(rows, { drop: [{ where: { Setor: 'A' } }] })).rejects.toThrow('a rule');
  });
});

describe('one mapping serves', () => {
  it.each([
    [
      'HL7',
      order,
      { accession_number: 'PL-1', patient_id: '77', modality: 'CT', exam_datetime: '2026-03-02T08:30:00-03:00' },
      'yy',
    ],
    ['DICOM', dicom, { accession_number: 'S-9', modality: 'DX' }, '1'],
    ['FHIR', fhir, { accession_number: 'PL-1', modality: 'CT' }, 'sr1'],
    [
      'a table',
      table,
      { accession_number: 'A1', modality: 'DX', exam_datetime: '2026-03-02T08:30:00-03:00' },
      undefined,
    ],
  ])('%s', async (_, text, fields, own) => {
    const read = await item(text, mapping);
    expect(read?.item).toMatchObject({ ...fields, hospital_name: 'HSL' });
    expect((read?.item['metadata'] as Record<string, unknown> | undefined)?.['own']).toBe(own);
    expect(JSON.stringify(read?.item)).toContain('"accession_issuer":"RIS1"');
  });

  it('JSON of the API', async () => {
    const text = JSON.stringify({ chave: 'A1', patient: { id: 7 }, modality: 'rx', exam_datetime: '2026-03-02 08:30' });
    const read = await item(text, {
      ...mapping,
      fields: { accession_number: ['chave'], patient_id: ['patient.id'] },
      time_zone: 'America/Sao_Paulo',
    });
    expect(read?.item).toMatchObject({
      accession_number: 'A1',
      patient_id: '7',
      modality: 'DX',
      exam_datetime: '2026-03-02T08:30:00-03:00',
      hospital_name: 'HSL',
    });
  });

  it.each([
    ['PID-2', { patient_id: '9' }, 'C'],
    ['PID-3[2].1', { patient_id: '77' }, 'B'],
    ['PID-3', { patient_id: '1' }, 'A'],
    ['PID-4', { patient_id: '5' }, undefined],
  ])('the issuer of an id is that of its field: %s', async (place, fields, issuer) => {
    const text = order.replace('PID|||', 'PID||9^^^C|').replace('~77^^^B|', '~77^^^B|5');
    const read = await item(text, { fields: { patient_id: place, accession_number: 'OBR-2' } });
    expect(read!.item).toMatchObject(fields);
    expect((read!.item['metadata'] as Record<string, unknown>)['patient_id_issuer']).toBe(issuer);
  });

  it('places that no format has are reported', async () => {
    const { guesses } = await readFile(order, {
      mapping: { fields: { patient_id: ['PID_3'], accession_number: ['OBR-2'] } },
    });
    expect(guesses.find(({ what }) => what === 'mapping')?.value).toBe('patient_id (PID_3)');
  });

  it('a path that is not FHIRPath is reported before anything is read', async () => {
    const wrong = { fields: { accession_number: ['ServiceRequest.identifier.where('] } };
    await expect(readFile(fhir, { mapping: wrong })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('parts of a field', () => {
  const fields = {
    patient_family_name: ['Foo'],
    patient_second_family_name: ['Baz'],
    patient_given_name: 'Bar',
    exam_date: 'Dia',
    exam_time: 'Relogio',
  };

  it('have separate columns in tables, which precede columns of the whole', async () => {
    const { items, guesses } = await readFile(
      'Acesso;Foo;Bar;Baz;Dia;Relogio;Paciente;Agendamento\nA1;TESTE;PACIENTE;DEMO;02/03/2026;08:30;x;01/01/2026\n',
      { mapping: { fields } },
    );
    expect(items[0]?.item).toEqual({
      accession_number: 'A1',
      patient_name: 'TESTE DEMO^PACIENTE',
      exam_datetime: '2026-03-02T08:30:00-03:00',
      Paciente: 'x',
      Agendamento: '01/01/2026',
    });
    expect(guesses.filter(({ what }) => what === 'mapping')).toEqual([]);
    const one = await readFile('Acesso;Foo;Nombre\nA1;TESTE;PACIENTE\n', {
      mapping: { fields: { patient_family_name: 'Foo' } },
    });
    expect(one.items[0]?.item).toEqual({ accession_number: 'A1', patient_name: 'TESTE^PACIENTE' });
  });

  it.each([
    ['HL7', order, 'PID-5.1'],
    ['DICOM', dicom, '(0010,0010)'],
    ['FHIR', fhir, 'ServiceRequest.id'],
  ])('are reported as possible only in tables in %s, and no field of the item', async (_, text, place) => {
    const { items, guesses } = await readFile(text, {
      mapping: { fields: { patient_family_name: place, accession_number: mapping.fields!['accession_number']! } },
    });
    expect(guesses.find(({ what }) => what === 'mapping')).toMatchObject({
      value: `patient_family_name (${place})`,
      why: expect.stringContaining('of tables alone'),
    });
    expect(items[0]?.item).not.toHaveProperty('patient_family_name');
  });

  it('are passed over in items of the contract', async () => {
    const { items } = await readFile('{"accession_number": "A1", "foo": "X"}', {
      mapping: { fields: { patient_family_name: 'foo' } },
    });
    expect(items.map(({ item: each }) => each)).toEqual([{ accession_number: 'A1', foo: 'X' }]);
  });

  it('of a name have no separate values or defaults', () => {
    const wrong = faultsOfMapping({ defaults: { patient_given_name: 'X' }, values: { patient_family_name: {} } });
    expect(wrong.map(({ field }) => field)).toEqual(['defaults.patient_given_name', 'values.patient_family_name']);
  });
});

describe('a status', () => {
  it.each([
    ['HL7', order, 'ZXX-2'],
    ['a table', table.replace('Chave', 'Acesso').replace('Quem', 'Paciente'), 'Situ'],
    ['DICOM', dicom.replace('"RX"', '"CT"').replace('S-9', 'Nao veio'), '(0040,0100)/(0040,0009)'],
  ])('of %s cancels by the words of the mapping', async (_, text, column) => {
    const status = { column, Cancelado: 'cancelled', 'nao veio': 'cancelled' };
    expect(
      (await item(text, { fields: { accession_number: ['OBR-2', 'Acesso', '(0008,0050)'] }, status }))?.status,
    ).toBe('cancelled');
  });

  it.each([
    ['Cancelada', 'cancelled', undefined],
    ['Realizado', undefined, 'completed'],
    ['Chegou', undefined, 'arrived'],
    ['Talvez', undefined, undefined],
  ])('of a column that is known by its heading: %s', async (word, status, exam) => {
    const { items } = await readFile(`Acesso;Paciente;Exame;Situação\nA1;T;RX;${word}\nA2;T;RX;Agendado\n`);
    expect(items[0]?.status).toBe(status);
    const said = exam === undefined ? '"Situação"' : `"exam_status":"${exam}"`;
    expect(JSON.stringify(items[0])).toContain(said);
    expect((items[0]?.warnings ?? []).some((warning) => warning.includes('an unknown status'))).toBe(word === 'Talvez');
  });
});

describe('a mapping is proposed', () => {
  const open = (text: string) => () => inChunks(Buffer.from(text));
  const survey = async (text: string) => {
    const known = await surveyFile(open(text), { timeZone: 'America/Sao_Paulo' });
    return { known, proposed: await proposedMapping(known, open(text), { timeZone: 'America/Sao_Paulo' }) };
  };

  it('that takes what was missing', async () => {
    const text = order.replace('||||||||||||||||||||XCT', '||||||||||||||||||||XCT'.replace('XCT', 'ZZ'));
    const { known, proposed } = await survey(text);
    expect(known.missing.get('accession_number')).toBe(1);
    expect(known.whole).toBe(0);
    expect(proposed).toEqual({
      fields: { accession_number: ['OBR-2.1'], exam_datetime: ['ORC-9.1'] },
      values: { modality: { ZZ: 'CR' } },
    });
    expect((await item(text, proposed))?.item).toMatchObject({ accession_number: 'PL-1', modality: 'CR' });
  });

  it('is empty where nothing is missing', async () => {
    const { known, proposed } = await survey(sampleBytes('order.hl7').toString('latin1'));
    expect([known.whole, proposed]).toEqual([1, {}]);
    expect([...known.found.get('accession_number')!]).toEqual([['OBR-18.1', 1]]);
  });
});

describe('faults of a mapping are reported', () => {
  it.each([
    [[], 'A mapping is a JSON object.'],
    [
      { field: {} },
      'A mapping has no field. It has fields, values, parts, dates, copies, defaults, keep, drop, time_zone, accession_issuer, skip_rows, status.',
    ],
    [{ parts: { modality: { separator: '-', take: 0 } } }, 'parts.modality must be a separator and a part'],
    [{ dates: { patient_birth_date: 'DD/MM/YY' } }, 'dates.patient_birth_date must be a pattern'],
    [{ dates: { exam_datetime: 'MM/YYYY' } }, 'dates.exam_datetime must be a pattern'],
    [{ copies: { location: 'location' } }, 'copies.location must be the name of another field.'],
    [
      { drop: [{ event: 'ADT' }, {}] },
      'The mapping’s rule 2 of drop must name an event, or places with their values, or both',
    ],
    [{ fields: { accession: 'X' } }, 'accession is not a field that is mapped.'],
    [{ fields: { modality: [] } }, 'fields.modality must be a place or a list of places'],
    [{ values: { modality: 'CT' } }, 'values.modality must be an object'],
    [{ defaults: { modality: true } }, 'defaults.modality must be a text'],
    [{ time_zone: 'Mars/Base' }, 'time_zone takes a name'],
    [{ skip_rows: -1 }, 'skip_rows is a number of rows'],
    [{ status: { Cancelado: 'cancelled' } }, 'status names its place as column'],
    [{ status: { column: 'S', X: 'gone' } }, 'The status of "X" must be one of scheduled'],
  ])('%j', (value, said) => {
    expect(faultsOfMapping(value)[0]?.message).toContain(said);
    expect(() => checkedMapping(value)).toThrow(said);
  });

  it('whatever it is, it is checked or reported', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        for (const { message } of faultsOfMapping({ fields: value, status: value, skip_rows: value }))
          expect(message).toMatch(/\.$/);
      }),
    );
  });

  it('places are written in one way, and read again', () => {
    const number = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(fc.constantFrom('OBR', 'ZX1'), number, number, number, (segment, field, repetition, component) => {
        const place = `${segment}-${field}[${repetition}].${component}`;
        expect(normalisePlace(place, 'patient_id')).toBe(place);
        expect(normalisePlace(place.toLowerCase().replace('-', '.'), 'patient_id')).toBe(place);
      }),
    );
    expect(normalisePlace('OBR-4', 'exam_description')).toBe('OBR-4');
    expect(normalisePlace('Acesso', 'patient_id')).toBeUndefined();
    expect(dicomPlaceOf('(0040,0100) > (0008,0060)')).toBe('00400100>00080060');
    expect(dicomPlaceOf('20260302x')).toBeUndefined();
  });
});

describe('tables of real systems', () => {
  it('have titles above the headings, and names in two columns', async () => {
    const text = 'Relatório;;\nde 02/03/2026;;\nPrueba;Apellidos;Nombre;Nº de acceso\nTC;TESTE;PACIENTE;=("007")\n';
    const { items, guesses } = await readFile(text);
    expect(items[0]?.item).toMatchObject({ accession_number: '007', patient_name: 'TESTE^PACIENTE', modality: 'CT' });
    expect(guesses.find(({ what }) => what === 'rows')?.value).toBe('2');
    const named = await readFile(text, { mapping: { skip_rows: 2 } });
    expect(named.items.map(({ item: each }) => each)).toEqual(items.map(({ item: each }) => each));
  });

  it.each([
    ['Técnica', 'RM', { modality: 'MR' }],
    ['Técnica', 'RM de joelho', { modality: 'MR', exam_description: 'RM de joelho' }],
    ['Untersuchung', 'MRT Knie', { modality: 'MR', exam_description: 'MRT Knie' }],
    ['Nº do exame', 'A9', { accession_number: 'A9' }],
  ])('%s: %s', async (heading, value, fields) => {
    const { items } = await readFile(
      `Acesso;Paciente;${heading}\nA1;T;${value}\n`.replace(
        heading.startsWith('N') ? 'Acesso;' : ' ',
        heading.startsWith('N') ? 'Sala;' : ' ',
      ),
    );
    expect(items[0]?.item).toMatchObject(fields);
  });
});
