/** CSV and TSV: what tables leave open, and what they do to values. */
import { parse } from 'csv-parse/sync';
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { modalityCodes } from '../../../src/contract/modalities.ts';
import { readHeader } from '../../../src/files/worklist/csv/columns.ts';
import { csvColumns, headingWords } from '../../../src/files/worklist/csv/headings.ts';
import { readRecords } from '../../../src/files/worklist/csv/records.ts';
import { splitLines } from '../../../src/files/worklist/lines.ts';
import type { Guess, ReadOptions } from '../../../src/files/worklist/reading.ts';
import { modalityOf } from '../../../src/files/worklist/coded-words.ts';
import { readFile } from '../../support/worklist-readings.ts';

const read = async (lines: readonly string[], options: ReadOptions = {}) => readFile(`${lines.join('\n')}\n`, options);
/** What one column becomes beside an accession number. */
const fieldOf = async (heading: string, value: string, field: string, options: ReadOptions = {}): Promise<unknown> => {
  const { items, problems } = await read([`Accession;Paciente;${heading}`, `A1;Paciente Teste;${value}`], options);
  return items[0]?.item[field] ?? problems[0]?.message;
};

describe('records', () => {
  it('are those of csv-parse', async () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ';', '\n', '7'), maxLength: 8 });
    const quoted = (text: string): string => (/[";\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 2, maxLength: 4 }), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = rows.map((row) => row.map(quoted).join(';')).join('\n');
          const chunks = async function* (): AsyncGenerator<string> {
            for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
          };
          const found: (readonly string[])[] = [];
          for await (const records of readRecords(splitLines(chunks(), 1e6), ';', 1e6))
            found.push(...records.map(({ values }) => values));
          expect(found).toEqual(
            parse(text, { delimiter: ';', relax_column_count: true, skip_records_with_empty_values: true }),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('that are broken are reported, and the others are read', async () => {
    const { items, problems } = await read([
      'Accession;Paciente',
      'A1;Paciente Teste',
      'A2',
      'A3;x;y',
      'A4;Paciente 5" Teste',
      '"A5";"open',
      'A6;x',
    ]);
    expect(items.map(({ item, position }) => [item['accession_number'], position])).toEqual([
      ['A1', { line: 2, item: 1 }],
      ['A4', { line: 5, item: 4 }],
      ['A6', { line: 7, item: 6 }],
    ]);
    expect(problems.map(({ position, message }) => [position.line, message])).toEqual([
      [3, 'The row has 1 column, but the header has 2.'],
      [4, 'The row has 3 columns, but the header has 2.'],
      [6, 'A quote is opened here and never closed.'],
    ]);
  });
});

describe('headings', () => {
  it('mean one field each', () => {
    const all = csvColumns.flatMap(({ to, headings }) => [
      headingWords(to.replace(/^metadata\./, '')),
      ...headings.split(', '),
    ]);
    expect(all.filter((words, index) => all.indexOf(words) !== index)).toEqual([]);
    expect(all.filter((words) => headingWords(words) !== words)).toEqual([]);
  });

  it.each([
    ['Nº Acesso', 'accession_number'],
    ['ACCESSION NO.', 'accession_number'],
    ['Número de acceso', 'accession_number'],
    ['StudyInstanceUID', 'study_uid'],
    ['Prontuário', 'patient_id'],
    ['Historia Clínica', 'patient_id'],
    ['Nome do paciente', 'patient_name'],
    ['Modalidade', 'modality'],
    ['Data do exame', 'exam_date'],
    ['Hora de la cita', 'exam_time'],
    ['Fecha y hora', 'exam_datetime'],
    ['Descrição do exame', 'exam_description'],
    ['patient_birth_date', 'patient_birth_date'],
    ['Médico solicitante', 'referring_physician'],
    ['F. Nac.', 'patient_birth_date'],
    ['Né(e) le', 'patient_birth_date'],
    ['geb.', 'patient_birth_date'],
    ['ID Orden', 'accession_number'],
  ])('%s is %s', (heading, field) => {
    expect([...readHeader([heading]).columnOf]).toEqual([[field, 0]]);
  });

  it('that are unknown are kept, and can be mapped by name or number', async () => {
    const lines = ['Acc;Chave;Quem;Exame', 'A1;Z-9;Paciente Teste;RM'];
    const { items, guesses } = await read(lines, {
      mapping: { fields: { accession_number: ['chave'], patient_name: '3' } },
    });
    expect(items[0]?.item).toEqual({
      accession_number: 'Z-9',
      patient_name: 'Paciente Teste',
      exam_description: 'RM',
      modality: 'MR',
      Acc: 'A1',
    });
    expect(guesses.find(({ what }) => what === 'columns')?.value).toBe(
      'accession_number = Chave, patient_name = Quem, exam_description = Exame',
    );
    await expect(read(lines, { mapping: { fields: { accession: 'Chave' } } })).rejects.toMatchObject({ code: 'USAGE' });
    await expect(read(lines, { mapping: { fields: { study_uid: ['UID'] } } })).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('may be missing if the columns are given by number', async () => {
    const { items, guesses } = await read(['A1;Paciente Teste;x', 'A2;Paciente Teste;y'], {
      mapping: { fields: { accession_number: ['1'], patient_name: ['2'] } },
    });
    expect(items.map(({ item }) => item)).toEqual([
      { accession_number: 'A1', patient_name: 'Paciente Teste', 'column 3': 'x' },
      { accession_number: 'A2', patient_name: 'Paciente Teste', 'column 3': 'y' },
    ]);
    expect(JSON.stringify(guesses)).not.toContain('Paciente');
  });

  it('may follow the line by which Excel names the delimiter', async () => {
    const { items } = await read(['sep=|', 'Accession|Paciente', 'A1|Paciente Teste']);
    expect(items).toMatchObject([{ item: { accession_number: 'A1' }, position: { line: 3 } }]);
  });
});

describe('dates', () => {
  it.each([
    ['04/03/2026 09:15', '2026-03-04T09:15:00-03:00'],
    ['4.3.2026 9:15', '2026-03-04T09:15:00-03:00'],
    ['04-03-2026, 09h15', '2026-03-04T09:15:00-03:00'],
    ['04/03/26 09:15', '2026-03-04T09:15:00-03:00'],
    ['2026/03/04 09:15', '2026-03-04T09:15:00-03:00'],
    ['2026-03-04 09:15', '2026-03-04T09:15:00-03:00'],
    ['2026-03-04T09:15:00+01:00', '2026-03-04T09:15:00+01:00'],
    ['2026-03-04T12:15:00Z', '2026-03-04T12:15:00Z'],
    ['202603040915', '2026-03-04T09:15:00-03:00'],
    ['4 mar 2026 09:15', '2026-03-04T09:15:00-03:00'],
    ['4 de março de 2026 9:15 PM', '2026-03-04T21:15:00-03:00'],
    ['31/02/2026 09:15', 'exam_datetime: the value of the column "Data e hora" is not a date and time, YYYYMMDDHHMM.'],
    ['04/03/2026 25:15', 'exam_datetime: the value of the column "Data e hora" is not a date and time, YYYYMMDDHHMM.'],
    ['46085,385416', 'exam_datetime: the column "Data e hora" contains a spreadsheet’s number for a date.'],
  ])('%s', async (value, expected) => {
    expect(await fieldOf('Data e hora', value, 'exam_datetime')).toBe(expected);
  });

  it('in two columns are joined', async () => {
    const { items } = await read([
      'Accession,Date,Time',
      'A1,03/04/2026,1:30 PM',
      'A2,20260304,133000',
      'A3,2026-03-04,13:30',
      'A4,03/25/2026,',
    ]);
    expect(items.map(({ item, warnings }) => [item['exam_datetime'], warnings])).toEqual([
      ['2026-03-04T13:30:00-03:00', undefined],
      ['2026-03-04T13:30:00-03:00', undefined],
      ['2026-03-04T13:30:00-03:00', undefined],
      ['2026-03-25T00:00:00-03:00', ['exam_datetime: the column "Date" has no time of day; midnight was used.']],
    ]);
  });

  it.each([
    ['Fecha', '2026-03-04 00:00:00', 'Hora', '08:30', '2026-03-04T08:30:00-03:00'],
    ['Date', '2026-03-04 00:00:00.000', 'Time', '4:30 PM', '2026-03-04T16:30:00-03:00'],
    ['Data', '04/03/2026 00:00', 'Hora', '0830', '2026-03-04T08:30:00-03:00'],
    ['Study Date', '2026-03-04T00:00:00', 'Study Time', '08:30 (GMT-5)', '2026-03-04T08:30:00-05:00'],
    ['Date', '2026-03-04 12:00:00 AM', 'Time', '08:30', '2026-03-04T08:30:00-03:00'],
    ['Agendamento', '2026-03-04 00:00:00', 'Hora', '08:30', '2026-03-04T08:30:00-03:00'],
    ['Data Hora', '2026-03-04T00:00:00.000', 'Hora', '08:30', '2026-03-04T08:30:00-03:00'],
    ['Data', '2026-03-04 00:00:00', 'Hora', '', '2026-03-04T00:00:00-03:00'],
    ['Data', '2026-03-04 00:00:00', 'Hora', 'manhã', '2026-03-04T00:00:00-03:00'],
    ['Data', '2026-03-04 09:15:00', 'Hora', '08:30', '2026-03-04T09:15:00-03:00'],
    ['Date', '2026-03-04T00:00:00Z', 'Time', '08:30', '2026-03-04T08:30:00-03:00'],
    ['Date', '2026-03-04T00:00:00.000Z', 'Time', '08:30 (GMT-5)', '2026-03-04T08:30:00-05:00'],
    ['Data', '2026-03-04 00:00:00+00', 'Hora', '0830', '2026-03-04T08:30:00-03:00'],
    ['Date', '2026-03-04T00:00:00+01:00', 'Time', '4:30 PM', '2026-03-04T16:30:00+01:00'],
    ['Date', '2026-03-04T00:00:00+01:00', 'Time', '08:30 (GMT-5)', '2026-03-04T08:30:00-05:00'],
    ['Date', '2026-03-04T00:00:00+01:00', 'Time', '', '2026-03-04T00:00:00+01:00'],
    ['Date', '2026-03-04T09:15:00Z', 'Time', '08:30', '2026-03-04T09:15:00Z'],
    ['Data', '04/03/2026', 'Hora', '04/03/2026 08:30:00', '2026-03-04T08:30:00-03:00'],
    ['Data', '04/03/2026 00:00:00', 'Hora', '30/12/1899 08:30:00', '2026-03-04T08:30:00-03:00'],
  ])('%s %s and %s %s', async (date, day, time, clock, expected) => {
    const { items } = await read([`Accession;${time};${date}`, `A1;${clock};${day}`]);
    expect(items[0]?.item['exam_datetime']).toBe(expected);
  });

  it('a time next to two dates belongs to the day, not to another time', async () => {
    const { items } = await read(['Accession;Scheduled;Study Date;Study Time', 'A1;2026-03-04 00:00;2026-03-05;08:30']);
    expect(items[0]?.item['exam_datetime']).toBe('2026-03-04T00:00:00-03:00');
  });

  it.each([
    [['Accession;Data', 'A1;02/03/2026', 'A2;25/03/2026'], {}, '2026-03-02', 'day, month, year', 'A number above 12'],
    [['Accession;Data', 'A1;02/03/2026', 'A2;03/25/2026'], {}, '2026-02-03', 'month, day, year', 'A number above 12'],
    [['Accession;Fecha', 'A1;02/03/2026'], {}, '2026-03-02', 'day, month, year', 'could be read either way'],
    [['Accession,Datum', 'A1,02/03/2026'], {}, '2026-03-02', 'day, month, year', 'could be read either way'],
    [['Accession,dateRDV', 'A1,02/03/2026'], {}, '2026-03-02', 'day, month, year', 'could be read either way'],
    [['Accession,Date', 'A1,02/03/2026'], {}, '2026-02-03', 'month, day, year', 'could be read either way'],
    [['Accession,Date', 'A1,02/03/2026'], { dateOrder: 'dmy' }, '2026-03-02', undefined, undefined],
  ] as const)('are in the order that they show, or that is usual: %j %j', async (lines, options, day, value, why) => {
    const { items, guesses } = await read(lines, options);
    expect(String(items[0]?.item['exam_datetime']).slice(0, 10)).toBe(day);
    const guess = guesses.find(({ what }) => what === 'dates');
    expect(guess?.value).toBe(value);
    if (why) expect(guess?.why).toContain(why);
  });

  it('of birth need a year of four digits', async () => {
    expect(await fieldOf('Nascimento', '14/05/1972', 'patient_birth_date')).toBe('1972-05-14');
    const { items } = await read(['Accession;Nascimento', 'A1;14/05/72']);
    expect(items).toMatchObject([
      { item: { accession_number: 'A1' }, warnings: [expect.stringContaining('left out')] },
    ]);
    expect(items[0]?.item).not.toHaveProperty('patient_birth_date');
  });
});

describe('values', () => {
  it.each([
    ['Modalidade', 'Ressonância Magnética', 'modality', 'MR'],
    ['Modalidad', 'TAC', 'modality', 'CT'],
    ['Modality', 'dx', 'modality', 'DX'],
    ['Sexo', 'Feminino', 'patient_sex', 'F'],
    ['Sexo', 'Hombre', 'patient_sex', 'M'],
    ['Idade', '54 anos', 'patient_age', '054Y'],
    ['Edad', '3 meses', 'patient_age', '003M'],
    ['Imagens', '1.204', 'images_count', 1204],
    ['Imagens', '12,0', 'images_count', 12],
    ['Prontuário', '="0045871"', 'patient_id', '0045871'],
    ['Prontuário', '0045871', 'patient_id', '0045871'],
    [
      'Prontuário',
      '4,5871E+12',
      'patient_id',
      'patient_id: the column "Prontuário" contains a number that a spreadsheet shortened.',
    ],
  ])('%s %s', async (heading, value, field, expected) => {
    expect(await fieldOf(heading, value, field)).toBe(expected);
  });

  it.each([
    ['of a column with gaps', ['100.0', '', '102.0', 'NaN'], ['100', undefined, '102', undefined]],
    ['of requests with several exams', ['100.0', '100.1', '102.0'], ['100.0', '100.1', '102.0']],
    ['beside ids that are none', ['100.0', 'X1.0'], ['100.0', 'X1.0']],
    ['with two zeros', ['100.00'], ['100.00']],
  ])('that are numbers %s', async (_, ids, expected) => {
    const isMended = expected[0] === '100';
    const told = (guesses: readonly Guess[]) => guesses.flatMap(({ what, value }) => (what === 'decimal' ? value : []));
    const patients = await read(['Accession;Patient ID', ...ids.map((id, at) => `A${at};${id}`)]);
    expect(patients.items.map(({ item }) => item['patient_id'])).toEqual(expected);
    expect(told(patients.guesses)).toEqual(isMended ? ['patient_id'] : []);
    const exams = await read(['Accession;UID', ...ids.map((id, at) => `${id};1.2.${at}`)]);
    expect(exams.items.map(({ item }) => item['accession_number'])).toEqual(expected);
    expect(told(exams.guesses)).toEqual(isMended ? ['accession_number'] : []);
  });

  it('in words are taken for no DICOM term', () => {
    expect(modalityCodes.filter((code) => modalityOf(code) !== code)).toEqual([]);
  });

  it('M is a woman where men are H', async () => {
    const { items } = await read(['Acceso;Sexo', 'A1;M', 'A2;H']);
    expect(items.map(({ item }) => item['patient_sex'])).toEqual(['F', 'M']);
  });

  it('that are empty are absent, so that nothing stored is cleared', async () => {
    const { items } = await read(['Accession;Sala;Sexo;Convênio', 'A1;;;']);
    expect(items[0]?.item).toEqual({ accession_number: 'A1' });
  });
});

describe('reports of other systems', () => {
  it.each([
    ['04/16/2026 4:37 PM PDT', '2026-04-16T16:37:00-07:00'],
    ['04/16/2026 12:05 AM EST', '2026-04-16T00:05:00-05:00'],
    ['2026-04-16 04:37 PM UTC', '2026-04-16T16:37:00+00:00'],
    ['04/16/2026 16:37 (GMT-3)', '2026-04-16T16:37:00-03:00'],
    ['04/16/2026 16:37:10 +0530', '2026-04-16T16:37:10+05:30'],
    ['Apr 16, 2026 4:37 PM', '2026-04-16T16:37:00-03:00'],
    ['Thursday, April 16th, 2026 4:37 PM CDT', '2026-04-16T16:37:00-05:00'],
    ['Thu, 16 Apr 2026 16:37:00 GMT', '2026-04-16T16:37:00+00:00'],
  ])('the time %s', async (text, expected) => {
    const { items } = await read(['Accession\tPatient\tStudy Date', `A1\tTest Patient\t${text}`]);
    expect(items[0]?.item['exam_datetime']).toBe(expected);
  });

  it('a zone that several places call by one name is that of the place, and one that nobody knows is refused', async () => {
    const at = async (zone: string, timeZone: string) =>
      (await read(['Accession,Patient,Study Date', `A1,Test Patient,04/16/2026 16:37 ${zone}`], { timeZone }))
        .readings[0];
    expect(await at('CST', 'Asia/Shanghai')).toMatchObject({ item: { exam_datetime: '2026-04-16T16:37:00+08:00' } });
    expect(await at('CST', 'America/Bogota')).toMatchObject({ item: { exam_datetime: '2026-04-16T16:37:00-06:00' } });
    expect(await at('XYZ', 'America/Bogota')).toMatchObject({ kind: 'problem' });
  });

  it.each([
    ['CR,DX', 'CR'],
    ['SR\\CT', 'CT'],
    ['OT / US', 'US'],
  ])('of the modalities %s the first that makes images', async (text, expected) => {
    const { items } = await read(['Accession;Patient;Modality', `A1;Test Patient;${text}`]);
    expect(items[0]).toMatchObject({ item: { modality: expected }, warnings: [expect.stringContaining('several')] });
  });

  it.each([
    ['NewVue-Canceled', { status: 'cancelled' }],
    ['Cancelado pelo paciente', { status: 'cancelled' }],
    ['Not cancelled', { warnings: [expect.stringContaining('an unknown status')] }],
    ['Check-In', { item: { exam_status: 'arrived' }, order: 'standing' }],
    ['Unread', { item: { exam_status: 'completed' } }],
  ])('the status %s', async (word, expected) => {
    const { items } = await read(['Accession;Patient;Status', 'A0;Test Patient;Scheduled', `A1;Test Patient;${word}`]);
    expect(items[1]).toMatchObject(expected);
    if (!('status' in expected)) expect(items[1]).not.toHaveProperty('status');
  });

  it.each([
    ['spaces behind a time', `2026-03-02 09:30${' '.repeat(30_000)}x`],
    ['digits', `2026-03-02 ${'1 '.repeat(30_000)}x`],
    ['a word again and again', 'Mon '.repeat(30_000)],
    ['words between', `2 ${'de '.repeat(30_000)}2026`],
  ])('a date that is %s is refused at once', async (_, text) => {
    const { problems } = await read(['Accession;Patient;Date', `A1;Test Patient;${text}`]);
    expect(problems).toHaveLength(1);
  });

  it.each([
    ['Order Status', 'Cancelled'],
    ['Appt Status', 'No Show'],
    ['Situação do Agendamento', 'Desmarcado'],
    ['Cancelado', 'Sim'],
    ['Cancelado', 'X'],
  ])('%s says %s: the exam does not take place', async (heading, word) => {
    const { items } = await read([`Accession;Patient;${heading}`, 'A0;Test Patient;', `A1;Test Patient;${word}`]);
    expect(items.map((item) => ('status' in item ? item.status : undefined))).toEqual([undefined, 'cancelled']);
  });

  it.each([
    ['Não', false],
    ['0', false],
    ['', false],
    ['Paciente desistiu', true],
  ])('Cancelado says %s: the exam stays, and an unknown word is reported', async (word, isTold) => {
    const { items } = await read(['Accession;Patient;Cancelado', `A1;Test Patient;${word}`]);
    expect(items[0]).not.toHaveProperty('status');
    expect(JSON.stringify(items[0]).includes('an unknown status')).toBe(isTold);
  });

  it.each([
    ['Etapa', 'Cancelado', true],
    ['Etapa', 'O exame de ontem foi cancelado por ela', false],
    ['Etapa', 'Sim', false],
    ['Status Pagamento', 'Cancelado', false],
    ['Payment Status', 'Cancelled', false],
    ['Estado de pago', 'Anulado', false],
    ['billingStatus', 'cancelled', false],
    ['Situação do convênio', 'Cancelada', false],
    ['Pré-autorização', 'Cancelada', false],
    ['Insurance Authorization', 'Cancelled', false],
    ['Zahlungsstatus', 'storniert', false],
    ['Fatura cancelada', 'Sim', false],
  ])('a column that nobody knows (%s) and says %s', async (heading, word, isTold) => {
    const { items } = await read([`Accession;Patient;${heading}`, `A1;Test Patient;${word}`]);
    expect(items).toHaveLength(1);
    expect(JSON.stringify(items[0]).includes('an unknown status')).toBe(isTold);
  });

  it.each(['NULL', 'null', 'NaN', 'N/A', '#N/A', '#REF!', '-', ' None '])('%s has no meaning', async (word) => {
    const { items } = await read(['Accession;Patient;MRN;Room;Etapa', `A1;Test Patient;${word};${word};${word}`]);
    expect(items.map(({ item }) => item)).toEqual([{ accession_number: 'A1', patient_name: 'Test Patient' }]);
  });

  it.each([
    ['Primer apellido;Segundo apellido;Nombre', 'Teste;Demo;Paciente', 'Teste Demo^Paciente'],
    ['Apellido 1;Apellido 2;Nombre', 'Teste;;Paciente', 'Teste^Paciente'],
    ['Patient Last Name;Patient First Name', 'Test;Patient', 'Test^Patient'],
    ['Nom de naissance;Prénom', 'Test;Patient', 'Test^Patient'],
  ])('the name in the columns %s', async (headings, values, expected) => {
    const { items } = await read([`Accession;${headings}`, `A1;${values}`]);
    expect(items[0]).toMatchObject({ item: { patient_name: expected } });
  });

  it('a status counts where it comes late among words that say nothing of an exam', async () => {
    const rows = Array.from({ length: 8000 }, (_, at) => `A${at};Test Patient;${at === 7990 ? 'Cancelled' : 'SP'}`);
    const { items } = await read(['Accession;Patient;Status', ...rows]);
    const cancelled = items.filter((item) => 'status' in item);
    expect(cancelled).toMatchObject([{ item: { accession_number: 'A7990' }, status: 'cancelled' }]);
    expect(JSON.stringify(items)).not.toContain('an unknown status');
  });

  it.each([
    ['Patient’s Name', 'patient_name'],
    ['PatientsBirthDate', 'patient_birth_date'],
    ['pat_dob', 'patient_birth_date'],
    ['accessionno', 'accession_number'],
    ['procdesc', 'exam_description'],
    ['Req_Proc_Desc', 'exam_description'],
    ['Ref.Physician', 'referring_physician'],
    ['ModalitiesInStudy', 'modality'],
    ['NumberOfStudyRelatedSeries', 'series_count'],
    ['Sch_Proc_Step_Start_Date', 'exam_date'],
    ['IMGS', 'images_count'],
  ])('the heading %s is %s', (heading, field) => {
    expect([...readHeader([heading]).columnOf.keys()]).toEqual([field]);
  });

  it.each(['hospitalno', 'Account#', 'PT', 'Request Date', 'Acc Date'])('the heading %s is none', (heading) => {
    expect([...readHeader([heading]).columnOf.keys()]).toEqual([]);
  });
});

it('of columns that mean the same, the better name counts, and a time goes with its date', async () => {
  const { items } = await read([
    'Order ID,Accession Number,Date,Request Time,Name,Study Date,Study Time,Patient Name',
    'O1,A1,01/15/2026,07:00,Desk,03/16/2026,09:30,Test Patient',
  ]);
  expect(items[0]?.item).toMatchObject({
    accession_number: 'A1',
    patient_name: 'Test Patient',
    exam_datetime: '2026-03-16T09:30:00-03:00',
  });
});

it('rows that a spreadsheet emptied are no exams, and count as lines', async () => {
  const { items, problems } = await readFile('accession_number;patient_id\n;\nA1;P1\n ; \n"";\nA2;P2\n;');
  expect(problems).toEqual([]);
  expect(items.map(({ item, position }) => [item['accession_number'], position.line])).toEqual([
    ['A1', 3],
    ['A2', 6],
  ]);
});
