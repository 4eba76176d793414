/** JSON in its three shapes and NDJSON, in every encoding. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { jsonValues } from '../../../src/files/worklist/json-values.ts';
import { readFile } from '../../support/worklist-readings.ts';

const item = { accession_number: 'A1', patient_name: 'TESTE^PACIENTE', exam_description: 'TC de tórax' };
const other = { accession_number: 'A2', metadata: { items: [1], note: '"]}[{,' } };

describe('the shapes of JSON', () => {
  it.each([
    ['one item', item, [item]],
    ['an array', [item, other], [item, other]],
    ['a wrapped array', { items: [item, other] }, [item, other]],
    ['a wrapped array among other members', { a: { items: [1] }, b: '[', items: [item], c: [other] }, [item]],
    ['an empty array', [], []],
    ['an empty wrapped array', { items: [] }, []],
  ])('%s', async (_, value, expected) => {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2), `\n ${JSON.stringify(value)}\n\n`]) {
      const { items, problems } = await readFile(text);
      expect(problems).toEqual([]);
      expect(items.map((reading) => reading.item)).toEqual(expected);
    }
  });

  it('one after the other, as jq writes them', async () => {
    const { format, items } = await readFile(`${JSON.stringify(item, null, 2)}\n${JSON.stringify(other, null, 2)}\n`);
    expect({ format, accessions: items.map((reading) => reading.item['accession_number']) }).toEqual({
      format: 'json',
      accessions: ['A1', 'A2'],
    });
  });

  it('reports the line and number of unreadable items, and continues', async () => {
    const { items, problems } = await readFile(
      `[\n{"accession_number": "A1"},\n{"accession_number": A2},\n17,\n"x", null,\n{"accession_number": "A3"}\n]`,
    );
    expect(items.map(({ position }) => position)).toEqual([
      { line: 2, item: 1 },
      { line: 6, item: 6 },
    ]);
    expect(problems.map(({ position, message }) => [position.line, message])).toEqual([
      [3, 'This is not valid JSON.'],
      [4, 'This is JSON, but not an object with the fields of an item.'],
      [5, 'This is JSON, but not an object with the fields of an item.'],
      [5, 'This is JSON, but not an object with the fields of an item.'],
    ]);
  });

  it.each([
    ['[{"a": 1} {"b": 2}]', 'a comma is missing (line 1, item 2)'],
    ['[{"a": 1},, {"b": 2}]', 'there is an extra comma (line 1, item 2)'],
    ['[{"a": 1}}', 'brackets do not match (line 1, item 2)'],
    ['{"a": 1}\n]', 'a bracket is closed that was never opened (line 2, item 2)'],
    ['{"items": [\n{"a": 1},\n{"b": "', 'the file ends too early (line 3, item 2)'],
  ])('refuses %s', async (text, message) => {
    await expect(readFile(text, { format: 'json' })).rejects.toMatchObject({
      code: 'INVALID_JSON',
      message: `This is not valid JSON: ${message}.`,
    });
  });

  it('cuts values exactly as JSON.parse sees them', async () => {
    const chunked = async function* (text: string, size: number): AsyncGenerator<string> {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.nat(4),
        fc.integer({ min: 1, max: 9 }),
        async (values, indent, size) => {
          for (const text of [
            JSON.stringify(values, null, indent),
            JSON.stringify({ z: 1, entry: values, y: values }, null, indent),
          ]) {
            const found: unknown[] = [];
            for await (const some of jsonValues(chunked(text, size), { member: 'entry', limit: 1e6 })) {
              found.push(...some.map(({ json }) => JSON.parse(json) as unknown));
            }
            expect(found).toEqual(JSON.parse(JSON.stringify(values)));
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('NDJSON', () => {
  it('goes on after a bad line and counts lines as editors do', async () => {
    const { format, items, problems } = await readFile(
      '{"accession_number":"A1"}\r\n\r\n{"accession_number":"A2"\r\n[1]\r\n{"accession_number":"A3"}',
      {},
    );
    expect(format).toBe('ndjson');
    expect(items.map(({ position }) => position)).toEqual([
      { line: 1, item: 1 },
      { line: 5, item: 4 },
    ]);
    expect(problems.map(({ position }) => position)).toEqual([
      { line: 3, item: 2 },
      { line: 4, item: 3 },
    ]);
  });

  it('is reported even if its first line is broken', async () => {
    const { format, items, problems } = await readFile(
      '{"accession_number":"A1","x\n{"accession_number":"A2"}\n{"accession_number":"A3"}\n',
    );
    expect({ format, items: items.length, problems: problems.length }).toEqual({
      format: 'ndjson',
      items: 2,
      problems: 1,
    });
  });
});

describe('the encoding', () => {
  const line = (name: string): string => `${JSON.stringify({ accession_number: 'A1', patient_name: name })}\n`;
  const nameIn = async (bytes: Buffer, options = {}): Promise<unknown> =>
    (await readFile(bytes, options)).items.at(-1)?.item['patient_name'];

  it('is UTF-8 if it is strictly valid, else Windows-1252, and both are reported', async () => {
    const utf8 = await readFile(line('ANÔNIMO'));
    expect(utf8.guesses).toContainEqual(expect.objectContaining({ what: 'encoding', value: 'utf-8' }));
    const legacy = await readFile(Buffer.from(line('ANÔNIMO'), 'latin1'));
    expect(legacy.items[0]?.item['patient_name']).toBe('ANÔNIMO');
    expect(legacy.guesses).toContainEqual(expect.objectContaining({ what: 'encoding', value: 'windows-1252' }));
  });

  it('is settled by the first letter beyond ASCII, however late it comes', async () => {
    const ascii = line('TESTE').repeat(2000);
    expect(await nameIn(Buffer.concat([Buffer.from(ascii), Buffer.from(line('ANÔNIMO'), 'latin1')]))).toBe('ANÔNIMO');
    expect(await nameIn(Buffer.from(ascii + line('ANÔNIMO')))).toBe('ANÔNIMO');
    expect(await nameIn(Buffer.from(ascii + line('名前')))).toBe('名前');
  });

  it('that changes inside is reported line by line, and never guessed', async () => {
    const bytes = Buffer.concat([
      Buffer.from(line('ANÔNIMO')),
      Buffer.from(line('ANÔNIMO'), 'latin1'),
      Buffer.from(line('JOSÉ')),
    ]);
    const { items, problems } = await readFile(bytes);
    expect(items.map(({ position }) => position.line)).toEqual([1, 3]);
    expect(problems).toMatchObject([{ position: { line: 2 }, message: expect.stringContaining('not UTF-8') }]);
  });

  it('can be named', async () => {
    expect(await nameIn(Buffer.from(line('X').replace('X', '\xb3'), 'latin1'), { encoding: 'iso-8859-2' })).toBe('ł');
    await expect(readFile(line('X'), { encoding: 'klingon' })).rejects.toMatchObject({ code: 'USAGE' });
  });
});

describe('other content', () => {
  it.each([
    ['nothing', '', 'VALIDATION_FAILED', 'The file is empty.'],
    ['blank lines', ' \n\n', 'VALIDATION_FAILED', 'The file is blank.'],
    ['a workbook', 'PK\x03\x04....', 'UNSUPPORTED_MEDIA_TYPE', 'This is not a worklist: it is a zip archive.'],
    ['a PDF', '%PDF-1.7', 'UNSUPPORTED_MEDIA_TYPE', 'This is not a worklist: it is a PDF.'],
    ['a dump', '(0008,0050) SH [1]', 'UNSUPPORTED_MEDIA_TYPE', 'This is not a worklist: it is DICOM as text.'],
    ['XML', '<?xml version="1.0"?>', 'UNSUPPORTED_MEDIA_TYPE', 'This is not a worklist: it is XML.'],
    [
      'a table for a printer',
      'PACIENTE  NOME         DATA      HORA EXAME\n0000123   SILVA JOAO   20260302  0830 RX TORAX\n',
      'UNSUPPORTED_MEDIA_TYPE',
      'This is not a worklist: it is a table whose columns are aligned by spaces.',
    ],
    ['prose', 'Dear doctor,\nhere is the list.', 'UNSUPPORTED_MEDIA_TYPE', 'The format was not recognized.'],
  ])('%s is refused with a way out', async (_, text, code, message) => {
    await expect(readFile(Buffer.from(text, 'latin1'))).rejects.toMatchObject({ code, message });
  });
});

describe('the words of another system', () => {
  it('in Portuguese or Spanish are those of a table, whoever holds them, with the day before the month', async () => {
    const paciente = { nome: 'Joana Prado', prontuario: '1', sexo: 'F', dataNascimento: '01/02/1970' };
    const exame = { descricao: 'TC de seios da face', modalidade: 'CT' };
    const { items } = await readFile(
      JSON.stringify({ dados: { exames: [{ numeroAcesso: 'B1', paciente, exame, dataHora: '02/03/2026 10:00' }] } }),
    );
    expect(items.map((reading) => reading.item)).toMatchObject([
      {
        accession_number: 'B1',
        patient_id: '1',
        patient_name: 'Joana Prado',
        patient_birth_date: '1970-02-01',
        patient_sex: 'F',
        modality: 'CT',
        exam_description: 'TC de seios da face',
        exam_datetime: expect.stringMatching(/^2026-03-02T10:00/),
      },
    ]);
  });

  const flat = {
    PatientID: '0042',
    PatientName: 'Test^One',
    StudyDate: '20260302',
    StudyTime: '093000',
    Modality: 'CT',
  };
  const exam = {
    patient_id: '0042',
    patient_name: 'Test^One',
    exam_datetime: '2026-03-02T09:30:00-03:00',
    modality: 'CT',
  };
  const named = { AccessionNumber: 'A1', StudyDescription: 'CT head' };
  const found = { ...exam, accession_number: 'A1', exam_description: 'CT head' };

  it.each([
    ['one after the other', `${JSON.stringify({ ...flat, ...named })}\n${JSON.stringify({ ...flat, ...named })}\n`],
    ['an array', JSON.stringify([{ ...flat, ...named }])],
    ['wrapped in an answer', JSON.stringify({ total: 1, data: { rows: [{ ...flat, ...named }] } })],
    ['in parts', JSON.stringify([{ ID: 'x', PatientMainDicomTags: flat, MainDicomTags: named }])],
    ['with a list of one', JSON.stringify({ ...flat, ...named, Modality: undefined, Steps: [{ Modality: 'CT' }] })],
    ['with some names of the contract', JSON.stringify([{ ...found, exam_datetime: undefined, ...flat }])],
  ])('%s', async (_, text) => {
    expect((await readFile(text)).items[0]?.item).toMatchObject(found);
  });

  it.each([
    [{ orderStatus: 'CANCELLED' }, 'cancelled'],
    [{ order: { status: 'Cancelled' } }, 'cancelled'],
    [{ status: { code: 'cancelled' } }, 'cancelled'],
    [{ cancelled: true }, 'cancelled'],
    [{ cancelled: false }, undefined],
    [{ appointmentStatus: 'booked' }, undefined],
  ])('of an exam that says %j the status is %s', async (said, status) => {
    const { items } = await readFile(JSON.stringify([{ ...flat, ...named, ...said }]));
    expect(items).toMatchObject([{ item: found }]);
    expect(items[0]!.status).toBe(status);
    expect(items[0]!.warnings).toBeUndefined();
  });

  it('a doctor, a facility and an order are not the patient and the exam', async () => {
    const order = {
      id: 7,
      facility: { id: 'F1', name: 'Clinic' },
      doctor: { id: 'D1', name: 'Dr Who' },
      patient: { mrn: '0042', firstName: 'One', lastName: 'Test', dob: '1980-01-02' },
      exam: { accessionNumber: 'A1', name: 'MRI knee' },
      scheduledAt: '2026-03-02T09:30:00-05:00',
      status: 'canceled',
    };
    const { items } = await readFile(JSON.stringify({ orders: [order] }));
    expect(items[0]).toMatchObject({
      status: 'cancelled',
      item: { accession_number: 'A1', patient_id: '0042', patient_name: 'Test^One', modality: 'MR' },
    });
  });

  it('an identifier that a mapping names, and a member that only a later object has', async () => {
    const mapping = { fields: { accession_number: 'id' } };
    const rows = [...Array(3000).keys()].map((id) => ({ id: `N${id}`, ...flat, StudyDescription: 'CT' }));
    const { items } = await readFile(JSON.stringify([...rows, { ...rows[0], id: 'L', status: 'cancelled' }]), {
      mapping,
    });
    expect(items[0]?.item).toMatchObject({ ...exam, accession_number: 'N0' });
    expect(items.at(-1)).toMatchObject({ status: 'cancelled', item: { accession_number: 'L' } });
  });

  it.each([
    ['with a modality', {}],
    ['without', { modality: undefined }],
  ])(
    'an item with the names of the contract stays unchanged, %s: null clears, metadata has any shape',
    async (_, change) => {
      const metadata = { keep_absent: true, priority: 'STAT', extra: { room: { floor: 2 } } };
      const item = { ...found, patient_sex: null, images_count: 3, metadata, Sala: 'TC 1', ...change };
      expect((await readFile(JSON.stringify([item]))).items[0]?.item).toEqual(JSON.parse(JSON.stringify(item)));
    },
  );

  it('members that are others in each object cost no more than the objects, and are kept', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ ...flat, ...named, [`member ${at}`]: `value ${at}` }));
    const { items } = await readFile(JSON.stringify(rows));
    expect(items.at(-1)?.item).toEqual({ ...found, 'member 9999': 'value 9999' });
  });

  it('a number of which digits are lost is none; an update of one field stays one', async () => {
    const lost = JSON.stringify([{ ...flat, StudyDescription: 'CT' }]).replace(
      '{',
      '{"AccessionNumber":123456789012345678901,',
    );
    expect((await readFile(lost)).problems).toHaveLength(1);
    const update = { accession_number: 'A1', description: 'x', date: '2026-03-02', name: 'y' };
    expect((await readFile(JSON.stringify(update))).items[0]?.item).toEqual(update);
  });
});

it('a comment in JSON is named', async () => {
  await expect(readFile('[\n// the first\n{"accession_number": "A1"}]')).rejects.toMatchObject({
    message: 'This is not valid JSON: it contains a comment (line 2, item 1).',
  });
  const { problems } = await readFile('{"accession_number": "A1", /* "x" */ "modality": "CT"}');
  expect(problems).toMatchObject([{ message: 'This is not valid JSON: it contains a comment.' }]);
});
