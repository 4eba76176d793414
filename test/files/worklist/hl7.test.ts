/** HL7 v2 orders: messages of public specifications, and what senders do to them. */
import { describe, expect, it } from 'vitest';
import { readFile, sampleBytes } from '../../support/worklist-readings.ts';

const header = (type: string, { charset = '', at = '20260302080000' } = {}): string =>
  `MSH|^~\\&|RIS|HSL|LAUDIO|RAD|${at}||${type}|1|P|2.5.1|||||BRA|${charset}`;
const orm = (segments: readonly string[], options = {}): string =>
  [header('ORM^O01', options), ...segments].join('\r') + '\r';
const read = async (text: string | Buffer) => readFile(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
const itemOf = async (text: string | Buffer) => (await read(text)).items[0]?.item;

const pid = 'PID|||0045871^^^HSL||TESTE^PACIENTE^DE^JR^DR||19710614|M';
const obr = 'OBR|1|P1|F1|CT1^CT^L^CT1^TC de t\u00f3rax^L||||||||||||||A1|R1|||||CT';

describe('public examples', () => {
  it('the imaging order of HL7’s Gender Harmony guide (OMI^O23)', async () => {
    const { items, problems } = await read(
      [
        'MSH|^~\\&|||||20220715090000||OMI^O23|WSA5mY0UBuCGrytRTAFR8UWJ|P|2.9.1',
        'PID|||patientID^^^^MR||Patient^Test^^^^^B~Patient^Sample^^^^^D|||F',
        'GSP|1|S||76691-5^Gender identity^LN|446151000124109^Identifies as male gender^SCT|20220715090000  ',
        'ORC|NW||||||||20220715090000|||^Cure^Matt^^^^MD',
        'OBR|1|entityID|fillrtOrderNum|82800-4^PET+CT Heart W contrast IV^LN||||||||||||||||||||NMS|||||||^Reason for Study|',
        'IPC|accessionNum|procedureID|1.2.826.0.1.3680043.8.498.1|schProcedureStepId|PT^Positron emission tomography^DCM|122793^PET Myocardial Perfusion, Rest and Stress^DCM',
      ].join('\n'),
    );
    expect(problems).toEqual([]);
    expect(items[0]?.item).toEqual({
      accession_number: 'accessionNum',
      study_uid: '1.2.826.0.1.3680043.8.498.1',
      procedure_id: 'procedureID',
      modality: 'PT',
      patient_id: 'patientID',
      patient_name: 'Patient^Test',
      exam_description: 'PET+CT Heart W contrast IV',
      patient_sex: 'F',
      referring_physician: 'Cure^Matt^^^MD',
      metadata: {
        protocol: 'PET Myocardial Perfusion, Rest and Stress',
        placer_order_number: 'entityID',
        filler_order_number: 'fillrtOrderNum',
        patient_id_type: 'MR',
        procedure_code: '82800-4',
        procedure_text: 'PET+CT Heart W contrast IV',
        procedure_code_system: 'LN',
        indication: 'Reason for Study',
      },
    });
  });

  it('a scheduled procedure in the form of IHE RAD-4 (ORM^O01, version 2.3.1, Latin-1)', async () => {
    const { items } = await read(
      [
        'MSH|^~\\&|QDOC|HL7V1.1|RIS|PACS|20170505112549||ORM^O01|03139638|P|2.3.1||||||8859/1',
        'PID|||123456Q||PATIENT^Test||19201231|M|||RUE DE LA STATION 14^^VILLAGE^^4999^BE||||||||12345678901',
        'ORC|SC||N4568254^NDB||IP||^^^20170505111800^^R|||C123456||123456^DOCTEUR^NICOLA|||||^^L',
        'OBR|||N4568254^NDB|CTCRANE^CT c\u00e9r\u00e9bral^QDOC^^^QUADRAT||20170505111800|20170505111800||||||||^^^NEURO CERV|123456^DOCTEUR^NICOLA||0897456|0897456|0897456|||||||^^^20170505111800^^R|||||||^^^NDB^CT NDB||20170505111800',
        'ZDS|1.2.41.0.1.1.202.123.42.21.5832143.5832122^Vendor^Application^DICOM',
      ].join('\r') + '\r',
    );
    expect(items[0]?.item).toMatchObject({
      accession_number: '0897456',
      modality: 'CT',
      study_uid: '1.2.41.0.1.1.202.123.42.21.5832143.5832122',
      exam_datetime: '2017-05-05T11:18:00-03:00',
      exam_description: 'CT cérébral',
      referring_physician: 'DOCTEUR^NICOLA',
      metadata: { priority: 'ROUTINE', filler_order_number: 'N4568254' },
    });
    expect(items[0]?.warnings).toEqual(['modality: none is given; CT was taken from the exam description.']);
  });
});

describe('fields', () => {
  it('names change their order from XPN to PN', async () => {
    expect(await itemOf(orm([pid, 'ORC|NW', obr]))).toMatchObject({ patient_name: 'TESTE^PACIENTE^DE^DR^JR' });
  });

  it('empty leaves what is stored, and "" deletes it, but never what an item cannot be without', async () => {
    const item = await itemOf(orm(['PID|||""||""||""|', 'PV1||E|""', 'ORC|XO', obr]));
    expect(item).toEqual({
      accession_number: 'A1',
      procedure_id: 'R1',
      modality: 'CT',
      exam_description: 'TC de tórax',
      patient_birth_date: null,
      location: null,
      hospital_name: 'HSL',
      metadata: {
        patient_class: 'E',
        placer_order_number: 'P1',
        filler_order_number: 'F1',
        procedure_code: 'CT1',
        procedure_text: 'CT',
        procedure_code_system: 'L',
        procedure_alternate_code: 'CT1',
        procedure_alternate_text: 'TC de tórax',
        procedure_alternate_system: 'L',
      },
    });
  });

  it.each([
    ['MR', 'MR'],
    ['NMR', 'MR'],
    ['RUS', 'US'],
    ['XX', 'XX'],
  ])('the section %s is the modality %s', async (section, modality) => {
    expect(await itemOf(orm([pid, 'ORC|NW', obr.replace(/CT$/, section)]))).toMatchObject({ modality });
  });

  it('escapes are replaced by their characters', async () => {
    const info = 'a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f\\.br\\g\\X41\\h\\H\\i\\N\\ 5\\6';
    const item = await itemOf(orm([pid, 'ORC|NW', obr.replace('||||||||||||||A1', `|||||||||${info}|||||A1`)]));
    expect(item).toMatchObject({ accession_number: 'A1', metadata: { clinical_info: 'a|b^c&d~e\\f\ngAhi 5\\6' } });
  });

  it('separators are those of the header', async () => {
    const text = orm([pid, 'ORC|NW', obr]).replaceAll('|', '*').replaceAll('^', '$');
    expect(await itemOf(text)).toMatchObject({ accession_number: 'A1', patient_name: 'TESTE^PACIENTE^DE^DR^JR' });
  });

  it.each([
    ['20260302', '2026-03-02T00:00:00-03:00'],
    ['202603020830', '2026-03-02T08:30:00-03:00'],
    ['20260302083059.1234+0100', '2026-03-02T08:30:59.1234+01:00'],
  ])('the time %s has an offset', async (time, expected) => {
    expect(await itemOf(orm([pid, `ORC|NW||||||^^^${time}`, obr]))).toMatchObject({ exam_datetime: expected });
  });

  it('the offset of the header holds for the message', async () => {
    expect(await itemOf(orm([pid, 'ORC|NW||||||^^^202603020830', obr], { at: '20260302080000+0200' }))).toMatchObject({
      exam_datetime: '2026-03-02T08:30:00+02:00',
    });
  });

  it('a wrong value costs the field, or the item where it is needed', async () => {
    const { items, problems } = await read(
      orm([pid.replace('19710614', '19711332'), 'ORC|NW', obr]) + orm([pid, 'ORC|NW||||||^^^2026133008', obr]),
    );
    expect(items[0]?.warnings).toEqual([
      'patient_birth_date: the value of PID-7.1 is not a date, YYYYMMDD; it was left out.',
    ]);
    expect(problems).toMatchObject([
      {
        message: 'exam_datetime: the value of ORC-7.4 is not a date and time, YYYYMMDDHHMM.',
        position: { message: 2 },
      },
    ]);
  });
});

describe('character sets', () => {
  it.each([
    ['8859/1', Buffer.from('ANÔNIMO', 'latin1'), 'ANÔNIMO'],
    ['UNICODE UTF-8', Buffer.from('ANÔNIMO'), 'ANÔNIMO'],
    ['', Buffer.from('ANÔNIMO', 'latin1'), 'ANÔNIMO'],
    ['', Buffer.from('ANÔNIMO'), 'ANÔNIMO'],
    ['8859/2', Buffer.from([0xb3]), 'ł'],
    ['8859/5', Buffer.from([0xd0]), 'а'],
    ['GB 18030-2000', Buffer.from([0xb2, 0xe2, 0x81, 0x7c]), '测亅'],
    ['~ISO IR87', Buffer.from('\x1b$B;3ED\x1b(B^B', 'latin1'), '山田^B'],
  ])('%s', async (charset, bytes, expected) => {
    const [before, after] = orm([pid, 'ORC|NW', obr], { charset }).split('TESTE^PACIENTE^DE^JR^DR');
    const item = await itemOf(Buffer.concat([Buffer.from(before!), bytes, Buffer.from(after!)]));
    expect(item).toMatchObject({ patient_name: expected });
  });

  it('that the bytes contradict cost the item', async () => {
    const bytes = Buffer.from(
      orm([pid.replace('TESTE', 'JOSÉ'), 'ORC|NW', obr], { charset: 'UNICODE UTF-8' }),
      'latin1',
    );
    expect((await read(bytes)).problems).toMatchObject([
      { message: 'patient_name: the value of PID-5 is not in the named character set.' },
    ]);
  });
});

describe('orders', () => {
  it.each([
    ['CA', '', 'cancelled'],
    ['DC', '', 'cancelled'],
    ['OC', '', 'cancelled'],
    ['SC', 'DC', 'cancelled'],
    ['NW', '', undefined],
    ['XO', 'SC', undefined],
    ['XO', 'CM', undefined],
  ])('%s %s: %s', async (control, status, expected) => {
    const { items } = await read(orm([pid, `ORC|${control}||||${status}`, obr]));
    expect(items[0]?.status).toBe(expected);
    // The images of a completed procedure are yet to be read.
    if (expected) expect(items[0]?.item).not.toHaveProperty('metadata');
  });

  it.each([
    ['NW', 'placed'],
    ['XO', undefined],
    ['SN', 'placed'],
    ['SC', undefined],
    ['CA', undefined],
  ])('%s is an order that is %s', async (control, expected) => {
    expect((await read(orm([pid, `ORC|${control}`, obr]))).items[0]?.order).toBe(expected);
  });

  const of = (control: string, number: string, description = 'TC') =>
    [`ORC|${control}|${number}^RIS|F-${number}`, obr.replace('TC de t\u00f3rax', description)] as const;

  it('under one accession number are cancelled when all are, and reported by their numbers', async () => {
    const half = await read(orm([pid, ...of('CA', 'P1', 'TC de cranio'), ...of('NW', 'P2', 'TC de abdome')]));
    expect(half.items).toMatchObject([
      {
        item: { accession_number: 'A1', exam_description: 'TC de abdome', metadata: { placer_order_number: 'P2' } },
        order: 'placed',
        orders: [
          { status: 'cancelled', placer_order_number: 'P1', filler_order_number: 'F-P1' },
          { status: 'open', placer_order_number: 'P2', filler_order_number: 'F-P2' },
        ],
      },
    ]);
    expect(half.items[0]).not.toHaveProperty('status');
    const whole = await read(orm([pid, ...of('CA', 'P1'), ...of('DC', 'P2')]));
    expect(whole.items).toMatchObject([
      { status: 'cancelled', orders: [{ status: 'cancelled' }, { status: 'cancelled', placer_order_number: 'P2' }] },
    ]);
    expect(whole.items[0]).not.toHaveProperty('order');
  });

  it('of several procedures under one ORC are all under its control', async () => {
    const { items } = await read(orm([pid, 'ORC|CA|P1', obr, obr]));
    expect(items).toMatchObject([{ status: 'cancelled' }]);
  });

  it('of several exams under one ORC take the time and the referrer from it, and the numbers from their own OBR', async () => {
    const control = 'ORC|NW|P1|F1||SC||^^^20260302093000|||||77^Referrer^Test';
    const second = obr.replace('|P1|F1|', '|P2|F2|').replace('|A1|', '|A2|');
    const { items } = await read(
      orm([pid, control, obr, second, second.replace('|P2|F2|', '|||').replace('|A2|', '|A3|')]),
    );
    const told = { exam_datetime: expect.stringContaining('2026-03-02T09:30'), referring_physician: 'Referrer^Test' };
    expect(items.map(({ item }) => item)).toMatchObject([
      { accession_number: 'A1', ...told, metadata: { placer_order_number: 'P1', filler_order_number: 'F1' } },
      { accession_number: 'A2', ...told, metadata: { placer_order_number: 'P2', filler_order_number: 'F2' } },
      { accession_number: 'A3', ...told },
    ]);
    expect(items[2]!.item['metadata']).not.toHaveProperty('placer_order_number');
  });

  it('of many exams under one ORC are read as fast as under their own', async () => {
    const many = 20_000;
    const { items } = await read(
      orm([
        pid,
        'ORC|NW|P1|F1',
        ...Array.from({ length: many }, () => 'TQ1|1||||||20260302093000'),
        ...Array.from({ length: many }, (_, at) => obr.replace('|A1|', `|A${at}|`)),
      ]),
    );
    expect(items).toHaveLength(many);
    expect(items.at(-1)!.item['exam_datetime']).toBe(items[0]!.item['exam_datetime']);
  });

  it('"" deletes what is kept as metadata as well, notes included', async () => {
    const item = await itemOf(
      orm(['PID|||1', 'ORC|XO|""|F1', obr.replace('||||||||||||||A1', '|||||||||""|||||A1'), 'NTE|||""']),
    );
    expect(item).toMatchObject({
      metadata: { placer_order_number: null, filler_order_number: 'F1', clinical_info: null, notes: null },
    });
  });

  it('several in one message are several items, but not those with one accession number', async () => {
    const { items } = await read(
      orm([pid, 'ORC|NW', obr, 'ORC|NW', obr, 'ZDS|1.2.3', 'ORC|NW', obr.replace('|A1|', '|A2|'), 'ZDS|1.2.4']),
    );
    expect(items.map(({ item }) => [item['accession_number'], item['study_uid']])).toEqual([
      ['A1', '1.2.3'],
      ['A2', '1.2.4'],
    ]);
  });

  it('without an identifier are reported', async () => {
    const byPlacer = obr.replace('|A1|', '||').replace('|F1|', '||');
    // The placer's number alone is for the service to judge.
    expect((await read(orm([pid, 'ORC|NW', byPlacer]))).problems).toEqual([]);
    expect((await read(orm([pid, 'ORC|NW', byPlacer.replace('|P1|', '||')]))).problems).toMatchObject([
      {
        message: 'It has neither an accession number nor a study UID.',
        hint: 'They are read from OBR-18.1, IPC-1.1, OBR-3.1, ORC-3.1, OBR-20.1 and ZDS-1.1, IPC-3.1. To read them elsewhere, use a mapping (--mapping FILE): {"fields":{"accession_number":["OBR-2","ORC-2"]}}.',
      },
    ]);
  });

  it('other messages are reported, and acknowledgements skipped', async () => {
    const { items, problems } = await read(
      `${header('ADT^A01')}\rPID|||1\r${header('ACK')}\rMSA|AA|1\r${orm([pid, 'ORC|NW', obr])}`,
    );
    expect(items).toHaveLength(1);
    expect(problems).toMatchObject([
      { message: 'It changes no patient (ADT^A01).', isForeign: true, position: { line: 1, message: 1 } },
    ]);
  });
});

describe('envelopes', () => {
  const batch = sampleBytes('batch.hl7').toString('latin1');

  it.each([
    ['a message count that differs', batch.replace('BTS|4', 'BTS|5'), 'BTS counts 5 messages, but there are 4.'],
    ['a batch count that differs', batch.replace('FTS|1', 'FTS|2'), 'FTS counts 2 batches, but there are 1.'],
    ['a trailer that is missing', batch.replace(/BTS[^]*$/, ''), 'The batch has no trailer.'],
  ])('%s is reported', async (_, text, message) => {
    const { items, problems } = await read(text);
    expect(items).toHaveLength(4);
    expect(problems).toMatchObject([{ message }]);
  });

  it('a frame that is cut off is reported, and the next is read', async () => {
    const text = sampleBytes('capture.mllp').toString('latin1').replace('\x1c\r', '');
    const { items, problems } = await read(text);
    expect(items).toHaveLength(2);
    expect(problems).toMatchObject([
      { message: 'The message is cut off: the end of its MLLP frame is missing.', position: { line: 1, message: 1 } },
    ]);
  });

  it('a file that ends inside an identifier is reported', async () => {
    const whole = orm([pid, 'ORC|NW', obr, 'ZDS|1.2.3.4']);
    expect((await read(whole)).items).toHaveLength(1);
    expect((await read(whole.slice(0, -1))).problems).toMatchObject([
      { message: 'The file ends inside an identifier, which may be cut off.' },
    ]);
  });
});

describe('messages as other systems write them', () => {
  const order = (pid5: string, obr24 = 'CT') => [
    'MSH|^~\\&|RIS|H|L|H|20260302080000||ORM^O01|1|P|2.5',
    `PID|||0042||${pid5}||19800102|F`,
    'ORC|NW|P1|F1||||^^^20260302093000',
    `OBR|1|P1|F1|CXR^Chest X-ray^L${'|'.repeat(20)}${obr24}`,
  ];
  const itemOf = async (lines: readonly string[]) => (await readFile(`${lines.join('\r')}\r`)).items[0]?.item;

  it.each([
    ['Birth^Ana^^^^^B~Legal^Ana^^^^^L', 'Legal^Ana'],
    ['Former^Ana^^^^^NOUSE~Legal^Ana', 'Legal^Ana'],
    ['First^Ana^^^^^M~Second^Ana^^^^^A', 'First^Ana'],
  ])('of the names %s the legal one', async (text, expected) => {
    expect(await itemOf(order(text))).toMatchObject({ patient_name: expected });
  });

  it('segments that somebody indented', async () => {
    const [first = '', ...others] = order('Test^Ana');
    expect(await itemOf([first, ...others.map((line) => `    ${line}`)])).toMatchObject({
      accession_number: 'F1',
      patient_name: 'Test^Ana',
    });
  });

  it('a last segment without an end that goes beyond the numbers is whole, one that ends before them is not', async () => {
    const [header, patient, control, request = ''] = order('Test^Ana');
    const read = async (last: string) => (await readFile([header, patient, control, last].join('\r'))).readings[0];
    expect(await read(request)).toMatchObject({ item: { accession_number: 'F1' } });
    expect(await read('OBR|1|P1|F1|CXR^Chest X-ray')).toMatchObject({ kind: 'problem' });
  });

  it('a number in place of the modality is ignored, and the description decides', async () => {
    expect(await itemOf(order('Test^Ana', '1^^^20260302'))).toMatchObject({ modality: 'CR' });
  });
});
