/** What the page says about a worklist file that was imported. */
import { fileMessage } from '../../../src/contract/messages/files.ts';
import { describe, expect, test } from 'vitest';
import { showAllWords } from './all-words.ts';
import { placeWords, readAs, reasonWords } from '../../../desktop/renderer/views/worklist/import-words.ts';

const remark = { accession_number: null, message: 'It is not JSON.' };

describe('how a file was interpreted', () => {
  const table = {
    format: 'csv' as const,
    guesses: [
      { what: 'format' as const, value: 'csv' },
      { what: 'encoding' as const, value: 'windows-1252' },
      { what: 'columns' as const, value: 'accession_number = Acesso' },
      { what: 'dates' as const, value: 'day, month, year' },
      { what: 'times' as const, value: 'America/Sao_Paulo' },
    ],
  };
  test.each([
    ['en-US', 'Read as CSV, windows-1252, dates with the day first, times of America/Sao_Paulo.'],
    ['pt-BR', 'Lido como CSV, windows-1252, datas com o dia primeiro, horários de America/Sao_Paulo.'],
    ['es-ES', 'Leído como CSV, windows-1252, fechas con el día primero, horas de America/Sao_Paulo.'],
  ] as const)('in %s', async (language, words) => {
    await showAllWords(language);
    expect(readAs(table)).toBe(words);
  });

  test('omits the obvious', async () => {
    await showAllWords('en-US');
    const guesses = [
      { what: 'compression' as const, value: 'gzip' },
      { what: 'encoding' as const, value: 'utf-8' },
    ];
    expect(readAs({ format: 'fhir', guesses })).toBe('Read as FHIR, gzip.');
    expect(readAs({ format: 'csv', guesses: [{ what: 'dates', value: 'month, day, year' }] })).toBe(
      'Read as CSV, dates with the month first.',
    );
  });
});

test.each([
  [{ line: 1200, item: 1199 }, 'Linha 1.200'],
  [{ message: 3 }, 'Mensagem 3'],
  [{ message: 3, line: 17 }, 'Mensagem 3, linha 17'],
  [{ item: 2, offset: 40 }, 'Exame 2'],
  [{ offset: 40 }, 'Byte 40'],
])('%j is %s', async (place, words) => {
  await showAllWords('pt-BR');
  expect(placeWords({ ...remark, place })).toBe(words);
  expect(placeWords({ ...remark, place, accession_number: 'SL-1' })).toBe(`${words} · SL-1`);
});

describe('why', () => {
  test.each([
    ['en-US', 'This exam belongs to another patient.'],
    ['pt-BR', 'Este exame é de outro paciente.'],
    ['es-ES', 'Este estudio es de otro paciente.'],
  ] as const)('an exam of another patient was refused, in %s', async (language, words) => {
    await showAllWords(language);
    const told = reasonWords({ ...remark, place: {}, code: 'PATIENT_MISMATCH' });
    expect(told).toMatch(new RegExp(`^${words}`));
  });

  test('anything else, in English as the service says it, elsewhere by its code', async () => {
    const refused = {
      ...remark,
      message: 'modality: It is none.',
      place: {},
      code: 'INVALID_FORMAT',
      hint: 'Mend it.',
    } as const;
    await showAllWords('en-US');
    expect(reasonWords(refused)).toBe('modality: It is none. Mend it.');
    await showAllWords('pt-BR');
    expect(reasonWords(refused)).toBe('modality: o texto não tem a forma do campo.');
    expect(reasonWords({ ...remark, message: fileMessage('empty'), place: {} })).toBe('O arquivo está vazio.');
  });
});
