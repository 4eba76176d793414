/** Headings as databases and other systems have them: which field each names, and which none. */
import { describe, expect, it } from 'vitest';
import { fieldOfHeading } from '../../../src/files/worklist/csv/headings.ts';
import { readFile } from '../../support/worklist-readings.ts';

describe('a heading that says number', () => {
  it.each([
    ['Patient Number', 'patient_id'],
    ['Patient No.', 'patient_id'],
    ['Patient #', 'patient_id'],
    ['Hospital Number', 'patient_id'],
    ['Nº do paciente', 'patient_id'],
    ['Número de paciente', 'patient_id'],
    ['N° patient', 'patient_id'],
    ['Exam No', 'accession_number'],
    ['Study Number', 'accession_number'],
    ['Nº petición', 'accession_number'],
    ['Order #', 'accession_number'],
    ['Procedure Number', 'procedure_id'],
    ['Nº do procedimento', 'procedure_id'],
    ['MRN #', 'patient_id'],
    ['Room No', 'exam_room'],
    ['Number of images', 'images_count'],
  ])('%s is %s', (heading, field) => expect(fieldOfHeading(heading)).toBe(field));

  it.each(['Doctor No', 'Physician Number', 'Unit Number', 'Department No', 'Name No', 'Nº do médico'])(
    '%s is no text',
    (heading) => expect(fieldOfHeading(heading)).toBeUndefined(),
  );

  it('is never taken for the name of the patient', async () => {
    const { items } = await readFile('Accession,Patient Number,Procedure\nA1,0045871,CT chest\n');
    expect(items).toMatchObject([{ item: { patient_id: '0045871' } }]);
    expect(items[0]!.item).not.toHaveProperty('patient_name');
  });

  it('N. paciente may be short for their name', () => expect(fieldOfHeading('N. paciente')).toBe('patient_name'));
});

describe('headings of databases', () => {
  it.each([
    ['CD_PACIENTE', 'patient_id'],
    ['NM_PACIENTE', 'patient_name'],
    ['DT_NASCIMENTO', 'patient_birth_date'],
    ['TP_SEXO', 'patient_sex'],
    ['IE_SEXO', 'patient_sex'],
    ['NR_ACESSO_DICOM', 'accession_number'],
    ['DS_PROCEDIMENTO', 'exam_description'],
    ['CD_PROCEDIMENTO', 'procedure_id'],
    ['CD_MODALIDADE', 'modality'],
    ['DT_EXAME', 'exam_date'],
    ['DT_PEDIDO', 'exam_date'],
    ['HR_PEDIDO', 'exam_time'],
    ['DS_EXA_RX', 'exam_description'],
    ['CD_ITPED_RX', 'accession_number'],
    ['CD_PED_RX', 'accession_number'],
    ['Exame Solicitado', 'exam_description'],
    ['Name, Vorname', 'patient_name'],
    ['Pat.-Nr.', 'patient_id'],
    ['Reg. Paciente', 'patient_id'],
    ['ID_SOLICITACAO', 'accession_number'],
    ['DATA_AGENDA', 'exam_date'],
    ['H. Cita', 'exam_time'],
    ['Geschlecht (m/w/d)', 'patient_sex'],
    ['HR_EXAME', 'exam_time'],
    ['NM_MEDICO_SOLICITANTE', 'referring_physician'],
    ['DS_SETOR', 'location'],
    ['Appt Status', 'status'],
    ['Begin Exam Date', 'exam_date'],
    ['Begin Exam Time', 'exam_time'],
    ['Date and Time', 'exam_datetime'],
    ['DATA_AGENDADA', 'exam_date'],
    ['Hora agendada', 'exam_time'],
    ['N° accès', 'accession_number'],
    ['Numero accesso', 'accession_number'],
    ['ID Paziente', 'patient_id'],
    ['Cognome', 'patient_family_name'],
    ['Data di nascita', 'patient_birth_date'],
    ['Sesso', 'patient_sex'],
    ['Esame', 'exam_description'],
    ['Data e ora esame', 'exam_datetime'],
    ['Ora esame', 'exam_time'],
    ['Medico richiedente', 'referring_physician'],
    ['Quesito diagnostico', 'metadata.clinical_info'],
  ])('%s is %s', (heading, field) => expect(fieldOfHeading(heading)).toBe(field));

  it.each(['NM_MAE', 'NM_CONVENIO', 'CD_CONVENIO', 'Report Date', 'NM_MEDICO_LAUDADOR', 'HR_CHEGADA'])(
    '%s is none',
    (heading) => expect(fieldOfHeading(heading)).toBeUndefined(),
  );

  it('a part of the body replaces a description, and a file number an id, if there is no better column', async () => {
    const row = 'A1;CT;Thorax;D7';
    const { items } = await readFile(`Accession;Modality;Body Part;N° dossier\n${row}\n`);
    expect(items).toMatchObject([{ item: { exam_description: 'Thorax', patient_id: 'D7' } }]);
    const better = await readFile(`Accession;Modality;Body Part;N° dossier;Procedure;IPP\n${row};CT chest;0045871\n`);
    expect(better.items).toMatchObject([{ item: { exam_description: 'CT chest', patient_id: '0045871' } }]);
  });

  it('a state is that of the exam where its words are', async () => {
    const rows = (...states: readonly string[]) => states.map((state, at) => `A${at},${state},CT chest`).join('\n');
    const { items } = await readFile(`Accession,State,Procedure\n${rows('SCHEDULED', 'CANCELLED')}\n`);
    expect(items.map(({ status, item }) => [status, item['exam_status']])).toEqual([
      [undefined, 'scheduled'],
      ['cancelled', undefined],
    ]);
    const places = await readFile(`Accession,State,Procedure\n${rows('CA', 'NY', 'SC')}\n`);
    expect(places.items.map(({ status, item }) => [status, item['exam_status']])).toEqual(
      Array.from({ length: 3 }, () => [undefined, undefined]),
    );
  });
});

it('a table with an NHS number has British dates, and decimal points', async () => {
  const row = (nhs: string) => `Order No,${nhs},Surname,Exam,Appointment Date\nO1,943,TESTE,CT chest,01/12/2026\n`;
  const dayOf = async (nhs: string) => String((await readFile(row(nhs))).items[0]?.item['exam_datetime']).slice(0, 10);
  expect([await dayOf('NHS No'), await dayOf('MRN')]).toEqual(['2026-12-01', '2026-01-12']);
});

describe('the dates of an order', () => {
  const tableOf = (headings: string, row: string): string =>
    `NR_PEDIDO;CD_PACIENTE;NM_PACIENTE;DS_EXAME;MODALIDADE;${headings}\n1;7;ANA TESTE;RX TORAX;CR;${row}\n`;
  const instantOf = async (headings: string, row: string): Promise<unknown> =>
    (await readFile(tableOf(headings, row))).items[0]?.item['exam_datetime'];

  it.each([
    ['stand for those of an exam that has none', 'DT_PEDIDO;HR_PEDIDO', '02/03/2026;08:30', '2026-03-02T08:30:00'],
    [
      'give way to those of the exam',
      'DT_PEDIDO;HR_PEDIDO;DT_EXAME;HR_EXAME',
      '01/02/2026;07:00;02/03/2026;08:30',
      '2026-03-02T08:30:00',
    ],
    ['lend no time of day to a date of the exam', 'DT_EXAME;HR_PEDIDO', '02/03/2026;08:30', '2026-03-02T00:00:00'],
  ])('%s', async (_what, headings, row, expected) =>
    expect(await instantOf(headings, row)).toMatch(new RegExp(`^${expected}`)),
  );

  it('stays what it is next to the moment of the exam', async () => {
    const headings = 'DT_PEDIDO;HR_PEDIDO;DATA_HORA_EXAME';
    const { items } = await readFile(tableOf(headings, '01/02/2026;07:00;02/03/2026 08:30'));
    expect(items[0]?.item).toMatchObject({ DT_PEDIDO: '01/02/2026', HR_PEDIDO: '07:00' });
    expect(items[0]?.item['exam_datetime']).toMatch(/^2026-03-02T08:30:00/);
  });

  it.each([
    'às 08:30',
    'as 8h30',
    '08:30 h',
    '08:30 hs',
    'a las 08:30',
    '8:30 Uhr',
    'um 8.30 Uhr',
    'à 08h30',
    'at 8:30 am',
  ])('a time is written as %s', async (time) =>
    expect(await instantOf('DT_EXAME', `02/03/2026 ${time}`)).toMatch(/^2026-03-02T08:30:00/),
  );
});

it.each([
  'Total: 2 exames',
  'TOTAL',
  'Grand total',
  'Gesamt: 2',
  'Gesamtsumme',
  '2 registros',
  'Subtotal',
  'Nombre total : 2',
  '2 Untersuchungen',
])('a line with %j below the rows is none', async (line) => {
  const table = `Acesso;Prontuário;Paciente;Exame;Modalidade;Data Hora\n1;7;ANA TESTE;RX TORAX;CR;02/03/2026 08:30\n${line};;;;;\n`;
  const { items, problems } = await readFile(table);
  expect([items.length, problems.length]).toEqual([1, 0]);
});

it.each([
  ['ECO abdominal', 'US'],
  ['RM de crânio com gradiente eco', 'MR'],
])('%s is %s', async (exam, modality) => {
  const { items } = await readFile(`Acesso;Paciente;Exame\nA1;ANA TESTE;${exam}\n`);
  expect(items[0]?.item).toMatchObject({ modality });
});

it('a patient of that name is no total', async () => {
  const { items } = await readFile('Acesso,Prontuário,Paciente,Exame\nTOTAL-1,7,TOTAL^ANA,RX TORAX\n');
  expect(items).toHaveLength(1);
});

it('the sex of a person may be d', async () => {
  const { items } = await readFile('Auftragsnr.;Pat.-Nr.;Name;Geschlecht\nA1;55;Muster Kim;d\n');
  expect(items[0]?.item).toMatchObject({ patient_id: '55', patient_sex: 'O' });
});
