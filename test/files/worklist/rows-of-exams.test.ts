/** Rows of a table that have one number: nobody's exam takes the place of another. */
import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../support/worklist-readings.ts';

interface Row {
  readonly number: string;
  readonly patient?: string;
  readonly modality?: string;
  readonly time?: string;
  readonly procedure: string;
  readonly status?: string;
}
const headings = ['Pedido', 'Prontuário', 'Paciente', 'Modalidade', 'Data', 'Exame', 'Situação'];
const line = ({
  number,
  patient = '45',
  modality = 'CR',
  time = '2026-03-02 08:00',
  procedure,
  status = 'Agendado',
}: Row) => [number, patient, 'TESTE^PACIENTE', modality, time, procedure, status].join(';');
const read = (...rows: Row[]) => readFile(`${[headings.join(';'), ...rows.map(line)].join('\n')}\n`);

const chest: Row = { number: '100', procedure: 'RX tórax' };
const knee: Row = { number: '100', procedure: 'RX joelho' };

describe('several procedures under one number', () => {
  it('are one exam, with a warning', async () => {
    const { items, problems } = await read(chest, { ...knee, time: '2026-03-02 08:10' });
    expect(problems).toEqual([]);
    expect(items).toMatchObject([
      {
        position: { line: 2 },
        item: { exam_description: 'RX tórax + RX joelho', exam_datetime: expect.stringContaining('T08:00') },
        warnings: ['Line 3 has the same number: both describe one exam.'],
      },
    ]);
  });

  it('are reported together wherever their rows are', async () => {
    const { items } = await read(chest, { number: '101', procedure: 'TC' }, knee);
    expect(items.map(({ item }) => item['exam_description'])).toEqual(['RX tórax', 'TC', 'RX tórax + RX joelho']);
    expect(items[2]!.warnings).toEqual(['Line 2 has the same number: both describe one exam.']);
  });

  it.each([
    ['the second', [chest, { ...knee, status: 'Cancelado' }], 'RX tórax'],
    ['the first', [{ ...chest, status: 'Cancelado' }, knee], 'RX joelho'],
  ])('without %s, which is cancelled', async (_which, rows, exam_description) => {
    const { items } = await read(...rows);
    expect(items).toMatchObject([{ item: { exam_description }, order: 'standing' }]);
    expect(items[0]).not.toHaveProperty('status');
  });

  it('are cancelled together', async () => {
    const { items } = await read({ ...chest, status: 'Cancelado' }, { ...knee, status: 'Cancelado' });
    expect(items.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('are those of JSON in the words of another system, too', async () => {
    const rows = [chest, knee].map(({ number, procedure }) => ({
      orderNumber: number,
      mrn: '45',
      patientName: 'TESTE^PACIENTE',
      modality: 'CR',
      studyDate: '2026-03-02 08:00',
      studyDescription: procedure,
      accession: number,
    }));
    const { items } = await readFile(JSON.stringify(rows));
    expect(items).toMatchObject([{ item: { exam_description: 'RX tórax + RX joelho' } }]);
  });
});

describe('several exams under one number', () => {
  it.each([
    ['another modality', { ...knee, modality: 'US' }],
    ['another day', { ...knee, time: '2026-03-03 08:00' }],
    ['the same procedure at another time', { ...chest, time: '2026-03-02 14:00' }],
    ['another modality, cancelled', { ...knee, modality: 'US', status: 'Cancelado' }],
  ])('%s: the second is refused, and says what to write into a mapping', async (_what, second) => {
    const { items, problems } = await read(chest, second);
    expect(items).toMatchObject([{ item: { exam_description: 'RX tórax' }, order: 'standing' }]);
    expect(problems).toMatchObject([
      {
        position: { line: 3 },
        message: 'Line 2 has the same number, and another modality or time.',
        hint: expect.stringContaining('{"fields": {"accession_number": ["HEADING"]}}'),
      },
    ]);
  });
});

it('more procedures than anybody orders are refused, so that a file cannot take a reader’s time', async () => {
  const rows = Array.from({ length: 150 }, (_, at) => ({ ...chest, procedure: `X${at}` }));
  expect((await read(...rows)).problems).toHaveLength(50);
});

describe('one exam in several rows', () => {
  it('the same again is as it was', async () => {
    const { items, problems } = await read(chest, chest);
    expect([items.length, problems]).toEqual([2, []]);
    expect(items[1]).not.toHaveProperty('warnings');
  });

  it('one that is cancelled and put on again at another time moves', async () => {
    const { items } = await read({ ...chest, status: 'Cancelado' }, { ...chest, time: '2026-03-04 08:00' });
    expect(items.map(({ status, order }) => status ?? order)).toEqual(['cancelled', 'standing']);
  });

  it('rows that name two patients are left to the service, which refuses the second', async () => {
    const { items } = await read(chest, { ...knee, patient: '46' });
    expect(items.map(({ item }) => item['exam_description'])).toEqual(['RX tórax', 'RX joelho']);
  });
});

it('no procedure is lost: the last word of each number names all that are not cancelled, or its row is refused', async () => {
  const row = fc.record({
    number: fc.constantFrom('100', '101'),
    modality: fc.constantFrom('CR', 'CR', 'US'),
    time: fc.constantFrom('2026-03-02 08:00', '2026-03-02 08:00', '2026-03-02 09:00', '2026-03-03 08:00'),
    procedure: fc.constantFrom('A', 'B', 'C'),
    status: fc.constantFrom('Agendado', 'Agendado', 'Cancelado'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), async (rows) => {
      const { items, problems } = await read(...rows);
      const refused = new Set(problems.map(({ position }) => position.line! - 2));
      for (const number of ['100', '101']) {
        const taken = rows.filter((each, at) => each.number === number && !refused.has(at));
        const state = new Map(taken.map(({ procedure, status }) => [procedure, status]));
        const open = [...state].filter(([, status]) => status === 'Agendado').map(([procedure]) => procedure);
        const last = items.findLast(({ item }) => item['accession_number'] === number);
        if (open.length === 0) expect(last?.status).toBe(last && 'cancelled');
        else expect(String(last!.item['exam_description']).split(' + ').toSorted()).toEqual(open.toSorted());
      }
    }),
    { numRuns: 100 },
  );
});
