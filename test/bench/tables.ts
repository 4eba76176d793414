/** How fast the rows of a table become exams, beside csv-parse, which parts them into values and no more. */
import { parse } from 'csv-parse/sync';
import { readWorklist } from '../../src/files/worklist/worklist-file.ts';
import type { Row } from './bench.ts';
import { takeTurns } from './rounds.ts';

const count = 100_000;
const pieceSize = 256 * 1024;

export async function tableRows(): Promise<Row[]> {
  const text = table();
  const bytes = new TextEncoder().encode(text);
  const { exams, values } = await takeTurns(
    {
      exams: () => rateOf(async () => readAll(bytes)),
      values: () => rateOf(() => parse(text, { delimiter: ';' }).length),
    },
    5,
  );
  return [
    {
      what: 'reading a table, 100,000 rows',
      against: 'csv-parse on the same rows',
      value: exams,
      base: values,
      unit: 'items/s',
      target: { atLeast: 0.25 },
    },
  ];
}

function table(): string {
  const rows = Array.from({ length: count }, (_, at) => {
    const patient = at % 5000;
    const minute = String(at % 60).padStart(2, '0');
    return `A${at};${patient};TESTE^P${patient};02/03/2026;08:${minute};CR;RX de tórax;Agendado`;
  });
  return ['Pedido;Prontuário;Paciente;Data;Hora;Modalidade;Exame;Situação', ...rows, ''].join('\n');
}

/** Rows a second. */
async function rateOf(read: () => number | Promise<number>): Promise<number> {
  const begun = performance.now();
  const rows = await read();
  if (rows < count) throw new Error(`Only ${rows} rows were read.`);
  return (count / (performance.now() - begun)) * 1000;
}

async function readAll(bytes: Uint8Array): Promise<number> {
  let items = 0;
  const { readings } = await readWorklist(inPieces(bytes), { timeZone: 'America/Sao_Paulo' });
  for await (const { kind } of readings) if (kind === 'item') items += 1;
  return items;
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
}
