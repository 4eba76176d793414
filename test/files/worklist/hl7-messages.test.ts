/** HL7 v2 besides plain orders: appointments, patients, order control, places that real systems use, single messages. */
import type { TextPatient } from '../../support/reading-texts.ts';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

const header = (type: string, charset = ''): string =>
  `MSH|^~\\&|RIS|HSL|LAUDIO|RAD|20260302080000||${type}|1|P|2.5.1|||||BRA|${charset}`;
const message = (type: string, ...segments: readonly string[]): string => [header(type), ...segments, ''].join('\r');
const read = async (text: string | Buffer, options: Parameters<typeof readFile>[1] = {}) =>
  readFile(typeof text === 'string' ? Buffer.from(text) : text, options);
const itemOf = async (text: string) => (await read(text)).items[0]?.item;

const pid = 'PID|||0045871^^^HSL^MR||TESTE^PACIENTE||19710614|M';

describe('places of real systems', () => {
  const request = (fields: Readonly<Record<number, string>>): string =>
    `OBR|${Array.from({ length: 44 }, (_, at) => fields[at + 1] ?? '').join('|')}`;
  const exam = { 4: 'TX^TC de tórax^L', 24: 'CT' };

  it.each([
    ['OBR-18', { 3: 'F1', 18: 'A1' }, 'A1'],
    ['OBR-3', { 3: 'F1', 20: 'B1' }, 'F1'],
    ['ORC-3', {}, 'OF1'],
  ])('the accession number is that of %s', async (_, fields, expected) => {
    const item = await itemOf(message('ORM^O01', pid, 'ORC|NW|P9|OF1', request({ ...exam, ...fields })));
    expect(item).toMatchObject({ accession_number: expected, metadata: { placer_order_number: 'P9' } });
  });

  it('numbers keep their subcomponents apart', async () => {
    const item = await itemOf(message('ORM^O01', pid, 'ORC|NW|P1^&1.2.3&ISO', request({ ...exam, 18: 'A1&x' })));
    expect(item).toMatchObject({ accession_number: 'A1', metadata: { placer_order_issuer: '1.2.3' } });
  });

  it('the issuer of the accession number and of the patient id are kept', async () => {
    const item = await itemOf(message('ORM^O01', pid, 'ORC|NW', request({ ...exam, 18: 'A1^HSL' })));
    expect(item).toMatchObject({ metadata: { patient_id_issuer: 'HSL' } });
    expect(JSON.stringify(item)).toContain('"accession_issuer":"HSL"');
  });

  it.each([
    ['529.982.247-25^^^RF^CPF~0045871^^^HSL^MR', '0045871', 'HSL'],
    ['0045871^^^HSL~111-22-3333^^^SSA^SS', '0045871', 'HSL'],
    ['111-22-3333^^^SSA~E7^^^EMPI~0045871^^^HSL^PI~9^^^HX^MR', '9', 'HX'],
    ['^^^HSL^MR~77^^^HX^XX', '77', 'HX'],
    ['1^^^HSL^MR~2^^^HX^MR', '1', 'HSL'],
    ['111-22-3333^^^SSA^SS', '111-22-3333', 'SSA'],
    ['^^^HSL^MR', 'P2', undefined],
  ])('of the ids %s that of the hospital counts, with its issuer', async (ids, id, issuer) => {
    const item = await itemOf(
      message('ORM^O01', `PID||P2|${ids}||TESTE^PACIENTE`, 'ORC|NW', request({ ...exam, 18: 'A1' })),
    );
    const { metadata } = { metadata: {}, ...item } as { metadata: Readonly<Record<string, unknown>> };
    expect([item?.['patient_id'], metadata['patient_id_issuer']]).toEqual([id, issuer]);
  });

  it.each([
    ['OMG^O19', ['TQ1|1||||||20260302083000']],
    ['OML^O21', []],
    ['OMI^O23', []],
  ])('%s without IPC is an order', async (type, more) => {
    const item = await itemOf(
      message(type, pid, 'ORC|NW', ...more, request({ ...exam, 18: 'A1', 36: '20260302083000' })),
    );
    expect(item).toMatchObject({ accession_number: 'A1', modality: 'CT', exam_datetime: '2026-03-02T08:30:00-03:00' });
  });

  it.each([
    ['Masculino', 'M'],
    ['женский', 'F'],
    ['男', 'M'],
    ['X', 'O'],
  ])('the sex %s of systems that write words is %s', async (written, sex) => {
    const patient = `PID|||1^^^HSL||O&apos;CONNOR&amp;SON^TESTE||19710614|${written}`;
    const item = await itemOf(message('ORM^O01', patient, 'ORC|NW', request({ ...exam, 18: 'A1' })));
    expect(item).toMatchObject({ patient_sex: sex, patient_name: "O'CONNOR&SON^TESTE" });
  });

  it('a time over a year before the exam’s own is a remnant', async () => {
    const { items } = await read(
      message('ORM^O01', pid, 'ORC|NW||||||^^^20020101100000', request({ ...exam, 18: 'A1', 7: '202603020830' })),
    );
    expect(items[0]?.item).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00' });
    expect(items[0]?.warnings).toEqual(['exam_datetime: ORC-7.4 is over a year before OBR-7.1, which was used.']);
  });

  it('a date that is none goes on to the next, with a warning', async () => {
    const { items } = await read(
      message('ORM^O01', pid, 'ORC|NW||||||^^^2026133008', request({ ...exam, 18: 'A1', 7: '202603020830' })),
    );
    expect(items[0]?.item).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00' });
    expect(items[0]?.warnings).toEqual([
      'exam_datetime: the value of ORC-7.4 is not a date and time, YYYYMMDDHHMM; OBR-7.1 was used.',
    ]);
  });

  it.each([
    ['TC de crânio', 'CT'],
    ['RX TORAX PA', 'CR'],
    ['MRT Schädel', 'MR'],
    ['IRM cérébrale', 'MR'],
    ['PET/CT oncológico', 'PT'],
    ['Ecografía abdominal', 'US'],
    ['Sono Abdomen', 'US'],
    ['Echo abdomen', 'US'],
    ['КТ грудной клетки', 'CT'],
    ['CHEST PA/LAT', 'CR'],
    ['Chest 2 views', 'CR'],
    ['Thorax in 2 Ebenen', 'CR'],
    ['Breast 2 views', undefined],
    ['SPECT 2 views', 'NM'],
    ['TC e RM de crânio', undefined],
    ['Consulta', undefined],
  ])('a department is not a modality: %s gives %s', async (description, expected) => {
    const item = await itemOf(
      message('ORM^O01', pid, 'ORC|NW', request({ 4: `X^${description}`, 18: 'A1', 24: 'RAD' })),
    );
    expect(item!['modality']).toBe(expected);
  });

  it('steps under several accession numbers are separate exams', async () => {
    const steps = ['IPC|A1||1.2.3|S1|CT|^Tórax', 'IPC|A1||1.2.3|S2|CT|^Abdome', 'IPC|A2||1.2.4|S3|MR|^Crânio'];
    const { items } = await read(message('OMI^O23', pid, 'ORC|NW|P1', request({ 4: '' }), ...steps));
    expect(items.map(({ item }) => [item['accession_number'], item['study_uid'], item['modality']])).toEqual([
      ['A1', '1.2.3', 'CT'],
      ['A2', '1.2.4', 'MR'],
    ]);
  });

  it('a name without an identifier is a name, and a line break is a space', async () => {
    const item = await itemOf(
      message(
        'ORM^O01',
        pid,
        'PV1||I|||||||Prado, Helena'.replace('|||||||P', '||||||P'),
        'ORC|NW',
        request({ ...exam, 4: 'X^TC\\.br\\de tórax', 18: 'A1' }),
      ),
    );
    expect(item).toMatchObject({ referring_physician: 'Prado, Helena', exam_description: 'TC de tórax' });
  });

  it('UTF-8 under the name of Latin-1 is read as UTF-8, with a warning', async () => {
    const text = [
      header('ORM^O01', '8859/1'),
      pid.replace('TESTE', 'JOSÉ'),
      'ORC|NW',
      request({ ...exam, 18: 'A1' }),
      '',
    ];
    const utf8 = await read(Buffer.from(text.join('\r')));
    expect(utf8.items[0]).toMatchObject({
      item: { patient_name: 'JOSÉ^PACIENTE' },
      warnings: ['MSH-18 names 8859/1, but the message is in UTF-8; it was read as UTF-8.'],
    });
    const latin = await read(Buffer.from(text.join('\r'), 'latin1'));
    expect(latin.items[0]).toMatchObject({ item: { patient_name: 'JOSÉ^PACIENTE' } });
    expect(latin.items[0]).not.toHaveProperty('warnings');
  });
});

describe('order control', () => {
  const order = (control: string, status = '', accession = 'A1'): readonly string[] => [
    `ORC|${control}|P-${accession}|||${status}`,
    `OBR|1|||X^TC de tórax||||||||||||||${accession}||||||CT`,
  ];
  const one = async (control: string, status = '') =>
    (await read(message('ORM^O01', pid, ...order(control, status)))).readings[0];

  it.each([
    ['NW', 'SC', 'scheduled'],
    ['NW', 'IP', 'arrived'],
    ['SC', 'IP', 'in_progress'],
    ['XO', 'CM', 'completed'],
    ['XO', '', undefined],
  ])('%s %s: the exam is %s, and the report has no part in it', async (control, status, expected) => {
    const reading = await one(control, status);
    expect(reading).not.toHaveProperty('status');
    expect(JSON.stringify(reading).includes(`"exam_status":"${expected}"`)).toBe(expected !== undefined);
  });

  it.each(['RP', 'RU', 'RQ', 'OD', 'DR', 'CR'])('%s ends the order', async (control) => {
    expect(await one(control)).toMatchObject({ status: 'cancelled' });
  });

  it.each(['SS', 'UA', 'DE'])('%s is reported, and changes nothing', async (control) => {
    expect(await one(control)).toMatchObject({ kind: 'problem', place: 'ORC-1', isForeign: true });
  });

  it.each([
    ['Canceled', 'cancelled'],
    ['Cancelado', 'cancelled'],
    ['DISCONTINUED', 'cancelled'],
    ['Scheduled', undefined],
    ['In Progress', undefined],
  ])('a status in words (%s): %s', async (word, expected) => {
    const { items } = await read(message('ORM^O01', pid, ...order('XO', word, 'A1')));
    expect(items[0]?.status).toBe(expected);
  });

  it('a replaced order and the one in its place are two exams', async () => {
    const { items } = await read(message('ORM^O01', pid, ...order('RP', '', 'A1'), ...order('RO', '', 'A2')));
    expect(items.map(({ item, status, order: placed }) => [item['accession_number'], status, placed])).toEqual([
      ['A1', 'cancelled', undefined],
      ['A2', undefined, 'placed'],
    ]);
  });
});

describe('appointments (SIU)', () => {
  const siu = (event: string, status = 'Booked'): string =>
    message(
      `SIU^${event}`,
      `SCH|AP1|AF1|||||^TC de tórax||30|min|^^30^202603020830^202603020900||||||||||||||${status}|P7|F7`,
      pid,
      'RGS|1|A',
      'AIS|1|A|TX^TC de tórax^L|202603020845',
      'AIL|1|A|SALA2^Tomografia 2',
    );

  it('of a message with both the time is that of TQ1', async () => {
    const lines = siu('S12').split('\r');
    const both = [...lines.slice(0, 2), 'TQ1|1||||||20260303100000', ...lines.slice(2)].join('\r');
    expect(await itemOf(siu('S12'))).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00' });
    expect(await itemOf(both)).toMatchObject({ exam_datetime: '2026-03-03T10:00:00-03:00' });
  });

  it('S12 orders an exam', async () => {
    const { items } = await read(siu('S12'));
    expect(items).toMatchObject([
      {
        item: {
          accession_number: 'F7',
          patient_id: '0045871',
          modality: 'CT',
          exam_datetime: '2026-03-02T08:30:00-03:00',
          exam_description: 'TC de tórax',
          exam_room: 'Tomografia 2',
          metadata: { placer_order_number: 'P7', filler_order_number: 'F7', appointment_number: 'AF1' },
        },
        order: 'placed',
      },
    ]);
  });

  it.each([
    ['S13', 'Booked', undefined],
    ['S14', 'Booked', undefined],
    ['S14', 'Cancelled', 'cancelled'],
    ['S15', 'Booked', 'cancelled'],
    ['S17', '', 'cancelled'],
    ['S26', 'Noshow', 'cancelled'],
    ['S14', 'Noshow', 'cancelled'],
  ])('%s %s: %s', async (event, status, expected) => {
    expect((await read(siu(event, status))).items[0]?.status).toBe(expected);
  });

  const schedule = (event: string, ...services: readonly string[]): string =>
    message(`SIU^${event}`, 'SCH|AP1|AF1|||||||||^^^202603020830||||||||||||||Booked', pid, ...services);
  const requestFor = (number: string, exam: string): string =>
    `OBR|1|P${number}|F${number}|X^${exam}^L${'|'.repeat(14)}A${number}${'|'.repeat(6)}CT`;
  const told = async (text: string) =>
    (await read(text)).items.map(({ item, status }) => [item['accession_number'], item['exam_description'], status]);

  it('of several services describe their exam by all that are not taken out', async () => {
    const two = ['RGS|1', 'AIS|1|A|T^TC de tórax', 'AIL|1|A|S1', 'RGS|2', 'AIS|2|A|A^TC de abdome'];
    expect(await told(schedule('S12', ...two))).toEqual([['AF1', 'TC de tórax + TC de abdome', undefined]]);
    expect(await told(schedule('S14', ...two.with(4, 'AIS|2|D|A^TC de abdome')))).toEqual([
      ['AF1', 'TC de tórax', undefined],
    ]);
    expect(await told(schedule('S14', ...two.with(1, 'AIS|1|A|T^TC de tórax|||||||Cancelled')))).toEqual([
      ['AF1', 'TC de abdome', undefined],
    ]);
    expect(await told(schedule('S15', ...two))).toEqual([['AF1', 'TC de tórax + TC de abdome', 'cancelled']]);
  });

  it.each([
    ['behind both', ['RGS|1', 'AIS|1|A|T', 'RGS|2', 'AIS|2|A|A']],
    ['of one service', ['RGS|1', 'AIS|1|A|T']],
    ['of none', []],
  ])('of several requests, %s, are an exam of each', async (_, services) => {
    const requests = [requestFor('1', 'TC de tórax'), requestFor('2', 'TC de abdome')];
    const { items } = await read(schedule('S12', ...requests, ...services));
    expect(items).toMatchObject([
      { item: { accession_number: 'A1', exam_description: 'TC de tórax', metadata: { placer_order_number: 'P1' } } },
      { item: { accession_number: 'A2', exam_description: 'TC de abdome', metadata: { placer_order_number: 'P2' } } },
    ]);
    for (const { item } of items) expect(item).toMatchObject({ exam_datetime: '2026-03-02T08:30:00-03:00' });
  });

  it('a service whose request is cancelled with it leaves the exam of the other', async () => {
    const requests = [requestFor('1', 'TC de tórax'), requestFor('2', 'TC de abdome')];
    expect(await told(schedule('S14', ...requests, 'AIS|1|D|T', 'AIS|2|A|A'))).toEqual([
      ['A1', 'TC de tórax', 'cancelled'],
      ['A2', 'TC de abdome', undefined],
    ]);
  });

  it('other events are reported', async () => {
    expect((await read(siu('S23'))).problems).toMatchObject([
      { message: 'It is not an order but SIU^S23.', isForeign: true },
    ]);
  });

  it('that is booked again after a patient did not come restores the exam', async () => {
    const { items } = await read(`${siu('S26')}${siu('S13')}`);
    expect(items).toMatchObject([
      { status: 'cancelled', orders: [{ status: 'cancelled' }] },
      { order: 'placed', orders: [{ status: 'open' }] },
    ]);
  });
});

describe('segments after the orders', () => {
  const imaging = (number: string, exam: string) => [
    `ORC|NW|P${number}|F${number}||||||^^^20260302083000`,
    `OBR|1|P${number}|F${number}|MR^${exam}^L${'|'.repeat(14)}A${number}${'|'.repeat(6)}MR`,
  ];
  const prior = ['OBR|1|P0|F0|CT^TC de cranio^L|||20240105||||||||||||A0', 'OBX|1|TX|1||Normal'];

  it.each([
    ['of the patient', [pid, 'ORC|PR|P0|F0||CM', ...prior]],
    ['without control', [pid, ...prior]],
    ['of the mother', ['PID|||99^^^HSL^MR||TESTE^MAE||19900101|F', 'ORC|PR|P0|F0||CM', ...prior]],
    ['under the patient of the orders', ['ORC|PR|P0|F0||CM', ...prior]],
  ])('results of before %s are no orders', async (_, results) => {
    const { items, problems } = await read(message('OMG^O19', pid, ...imaging('1', 'RM de cranio'), ...results));
    expect(problems).toEqual([]);
    expect(items).toMatchObject([
      { item: { accession_number: 'A1', patient_id: '0045871', exam_description: 'RM de cranio' }, order: 'placed' },
    ]);
    expect(items[0]!.orders).toHaveLength(1);
  });

  it('a second patient is refused', async () => {
    const other = 'PID|||99^^^HSL^MR||TESTE^OUTRO||19900101|F';
    const { items, problems } = await read(
      message('ORM^O01', pid, ...imaging('1', 'RM'), other, ...imaging('2', 'RM')),
    );
    expect(items).toEqual([]);
    expect(problems).toMatchObject([{ message: 'It names a second patient after its orders.', place: 'PID' }]);
  });
});

describe('laboratory orders', () => {
  const order = (...more: string[]) => message('OML^O21', pid, 'ORC|NW|P1|F1|||||^^^20260302083000', ...more);
  const obr = (department: string) => `OBR|1|P1|F1|2951-2^Sodium^LN${'|'.repeat(20)}${department}`;

  it.each([
    ['the department', [obr('CH')], 'It is a laboratory order (OBR-24 CH).'],
    ['the specimen', [obr(''), 'SPM|1|||SER'], 'It is an order for a specimen (SPM).'],
  ])('by %s are no exams, and the advice is to leave them out', async (_, segments, expected) => {
    const { items, problems } = await read(order(...segments));
    expect(items).toEqual([]);
    expect(problems).toMatchObject([
      { message: expected, hint: expect.stringContaining('Keep laboratory orders out') },
    ]);
  });

  it('are exams where a mapping says the modality', async () => {
    const mapped = { mapping: { values: { modality: { CH: 'SM' } } } };
    expect((await read(order(obr('CH')), mapped)).items).toMatchObject([{ item: { modality: 'SM' } }]);
    const preset = { mapping: { defaults: { modality: 'SM' } } };
    expect((await read(order(obr(''), 'SPM|1|||TISS'), preset)).items).toMatchObject([{ item: { modality: 'SM' } }]);
  });

  it('of imaging with a specimen are exams', async () => {
    expect((await read(order(obr('US'), 'SPM|1|||TISS'))).items).toMatchObject([{ item: { modality: 'US' } }]);
  });
});

describe('patients (ADT)', () => {
  const patients = async (text: string) =>
    (await read(text)).readings.filter((reading): reading is TextPatient => reading.kind === 'patient');

  it.each(['A08', 'A31'])('%s changes facts', async (event) => {
    expect(await patients(message(`ADT^${event}`, 'EVN|', pid.replace('19710614', '""'), 'PV1||I'))).toMatchObject([
      {
        event,
        patient: {
          patient_id: '0045871',
          patient_id_issuer: 'HSL',
          patient_name: 'TESTE^PACIENTE',
          patient_birth_date: null,
          patient_sex: 'M',
        },
      },
    ]);
  });

  it('A40 merges, of each patient all ids that are given up', async () => {
    const text = message(
      'ADT^A40',
      'EVN|',
      pid,
      'MRG|11^^^HSL~12^^^HSL||||||OLD^NAME',
      'PID|||77^^^HSL||X^Y',
      'MRG|13',
    );
    const readings = await patients(text);
    expect(readings.map(({ patient, merged }) => [merged?.patient_id, patient.patient_id])).toEqual([
      ['11', '0045871'],
      ['12', '0045871'],
      ['13', '77'],
    ]);
    expect(readings[0]!.merged).toEqual({ patient_id: '11', patient_id_issuer: 'HSL', patient_name: 'OLD^NAME' });
  });

  it('A40 of a patient with ids of several hospitals moves each exam to the id of its hospital', async () => {
    const ids = '1^^^HA^MR~2^^^HB^MR';
    const readings = await patients(message('ADT^A40', `PID|||${ids}||TESTE^PACIENTE`, 'MRG|8^^^HB~9^^^HA~7'));
    expect(readings.map(({ patient, merged }) => [merged?.patient_id, patient.patient_id])).toEqual([
      ['8', '2'],
      ['9', '1'],
      ['7', '1'],
    ]);
  });

  it('a mapping names their places, as for orders, and the issuer of the id', async () => {
    const text = message('ADT^A40', 'PID||E5|9^^^SSA^SS||TESTE^PACIENTE', 'MRG|8^^^SSA|||E4|||OLD^NAME');
    const mapping = {
      fields: { patient_id: ['PID-2'], exam_room: ['ZXX-1'] },
      defaults: { 'metadata.patient_id_issuer': 'HSL', patient_name: 'Nobody', modality: 'CT' },
    };
    const { readings } = await read(text.replaceAll('^^^SSA', ''), { mapping });
    expect(readings).toMatchObject([
      {
        patient: { patient_id: 'E5', patient_id_issuer: 'HSL', patient_name: 'TESTE^PACIENTE' },
        merged: { patient_id: 'E4', patient_id_issuer: 'HSL', patient_name: 'OLD^NAME' },
      },
    ]);
    const [, changed] = (await read(`${text}${message('ADT^A08', 'PID||E5')}`, { mapping })).readings;
    expect(changed).toMatchObject({ patient: { patient_id: 'E5' } });
    expect(changed).not.toHaveProperty('patient.patient_name');
  });

  it.each([
    ['a patient without an id', message('ADT^A08', 'PID|||'), 'The patient has no id (PID-3).'],
    ['a merge without MRG', message('ADT^A40', pid), 'It merges patients, but names no other (MRG).'],
    ['no patient', message('ADT^A08', 'EVN|'), 'It names no patient (PID).'],
  ])('%s is reported', async (_, text, said) => {
    expect((await read(text)).problems).toMatchObject([{ message: said }]);
  });
});
