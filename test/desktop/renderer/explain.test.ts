/** What errors and remarks say in the language of the page: never the English sentences of the app and the service. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { showAllWords } from './all-words.ts';
import { errors as english } from '../../../desktop/renderer/i18n/en/errors.ts';
import { fileCodes } from '../../../desktop/renderer/i18n/en/file-codes.ts';
import { translated } from '../../../desktop/renderer/i18n/index.ts';
import { pageMessage, pageMessages } from '../../../src/contract/messages/page.ts';
import { errorParagraph, explainError } from '../../../desktop/renderer/state/explain.ts';
import { remarkParagraph } from '../../../desktop/renderer/state/explain-remark.ts';
import { reasonText } from '../../../desktop/renderer/views/recorder/reason.ts';
import { AppError, detailCodes, errors } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { appMessage, appMessages } from '../../../src/contract/messages/app.ts';
import { fileMessage, fileMessages } from '../../../src/contract/messages/files.ts';
import { bridgeErrorOf } from '../../../desktop/app/page/failure.ts';
import { readTerms } from '../../../src/files/wordbook/term-file.ts';
import { readTemplateFile } from '../../../src/files/templates/template-file.ts';
import { readWorklist } from '../../../src/files/worklist/worklist-file.ts';
import { root } from '../../support/modules.ts';

const codes = Object.keys(errors) as ErrorCode[];

/** Every English sentence that a source passes as the message or the hint of an error. */
const sentencesIn = (directory: string): string[] =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(join(root, directory, name), 'utf8').matchAll(/(?:message|hint):\s*(?:'([^'\n]+)'|`([^`]+)`)/g),
    ])
    .map(([, plain, template]) => (plain ?? template)!);

describe('an English sentence reaches no person at the page', () => {
  /** Answers to calls that the page never makes. */
  const toNobody = new Set([
    'There is no such call.',
    "${field || 'The input'} ${problem}.",
    'There is no such take.',
    'Begin it first.',
    'Only the desktop app inserts text in other programs.',
    'sample ${here} has to come first',
    'the sound is not ${type}',
    'a block has whole samples of ${bytesPerSample} bytes, at least one',
  ]);
  it('from the app', () => {
    expect(sentencesIn('desktop/app').filter((sentence) => !toNobody.has(sentence))).toEqual([]);
  });

  /** Nobody names a zone, an encoding, a column or a mapping in the app. */
  const ofCommandLine =
    /^(?:The time zone is not|Give an IANA|The encoding is not known|Known are, for example|The delimiter must|The column that is mapped|Write its heading|A mapping is|The mapping|status names its place|The status of|It is written like)/;
  it('from the readers of files', () => {
    expect(sentencesIn('src/files').filter((sentence) => !ofCommandLine.test(sentence))).toEqual([]);
  });
});

const slots = (wording: string | { readonly other: string }): string[] =>
  [...(typeof wording === 'string' ? wording : wording.other).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** A message of a table with a mark in each of its slots. */
const marked = (table: string, name: string, names: readonly string[]) => ({
  code: `${table}.${name}`,
  params: Object.fromEntries(names.map((slot, at) => [slot, slot === 'n' ? 7 : `«${at}»`])),
  text: 'English.',
});

describe.each(['pt-BR', 'es-ES'] as const)('in %s', (language) => {
  beforeEach(() => showAllWords(language));

  it.each(codes)('%s says nothing in English', (code) => {
    const { title } = errors[code];
    const explained = explainError({ code, message: title, hint: 'Try another one.' });
    expect(explained.text).not.toBe('');
    expect(explained.text).not.toMatch(/^errors\./);
    expect(Object.values(english) as string[]).not.toContain(explained.text);
    expect(explained.text).not.toContain(title);
    expect(explained.hint).toBeUndefined();
    expect(reasonText({ code, message: title })).not.toContain(title);
  });

  it.each([
    ...Object.entries(fileMessages).map(([name, wording]) => ['files', name, slots(wording)] as const),
    ...Object.entries(pageMessages).map(([name, wording]) => ['page', name, slots(wording)] as const),
    ...Object.entries(appMessages).map(([name, wording]) => ['refusals', name, slots(wording)] as const),
  ])('%s.%s says its values', (table, name, names) => {
    const text = translated(marked(table, name, names));
    expect(text).toBeDefined();
    expect(text).not.toBe('English.');
    for (const [at, slot] of names.entries()) expect(text).toContain(slot === 'n' ? '7' : `«${at}»`);
  });

  it('messages of the page', () => {
    expect(explainError({ code: 'NETWORK', message: pageMessage('silent') }).text).not.toBe(pageMessages.silent);
  });

  it.each(detailCodes)('%s is explained by its code, with the field', (code) => {
    const remark = remarkParagraph({ message: 'items.3.patient_name is quite wrong', code });
    expect(remark).toMatch(/^patient_name: ./);
    expect(remark).not.toContain('wrong');
    expect(remark).not.toBe(fileCodes[code].replace('{field}', 'patient_name'));
  });

  it('an unknown message of a later version is explained by its code', () => {
    const message = { code: 'files.from_tomorrow', params: {}, text: 'Something new.' };
    expect(remarkParagraph({ message, hint: 'Do this.' })).not.toMatch(/Something|Do this/);
    expect(errorParagraph({ code: 'VALIDATION_FAILED', message, hint: 'Do this.' })).not.toMatch(/Something|Do this/);
    expect(explainError({ code: 'OUT_OF_COFFEE', message: 'No coffee.' }).text).not.toContain('coffee');
  });
});

test('in English a sentence stays, but for that of a defect', async () => {
  await showAllWords('en-US');
  const words = { message: 'The disk is full.', hint: 'Make room.' };
  expect(explainError({ code: 'STORAGE_UNAVAILABLE', ...words })).toEqual({ text: words.message, hint: words.hint });
  expect(explainError({ code: 'NETWORK', message: pageMessage('silent') }).text).toBe(pageMessages.silent);
  expect(errorParagraph({ code: 'UNAUTHORIZED', message: appMessage('locked'), hint: appMessage('locked_hint') })).toBe(
    'The screen is locked. Log in again to go on.',
  );
  const defect = explainError({ code: 'INTERNAL_ERROR', message: 'x is not a function' });
  expect(defect).toEqual({ text: english.ours, hint: undefined });
});

test('messages in a message are translated, and other values stay as they are', async () => {
  const source = fileMessage('column', { name: 'Nasc.' });
  const message = fileMessage('not_expected', { field: 'patient_birth_date', source, what: fileMessage('a_date') });
  const remark = { message, hint: fileMessage('mend', { source }) };
  await showAllWords('pt-BR');
  expect(remarkParagraph(remark)).toBe(
    'patient_birth_date: o que a coluna “Nasc.” traz não é uma data, AAAAMMDD. Corrija a coluna “Nasc.” onde o arquivo foi feito.',
  );
  await showAllWords('en-US');
  expect(remarkParagraph(remark)).toBe(
    'patient_birth_date: the value of the column "Nasc." is not a date, YYYYMMDD. Correct the column "Nasc." in the system that made the file.',
  );
});

test('real files that cannot be read', async () => {
  await showAllWords('es-ES');
  const why = async (work: () => unknown): Promise<string> => {
    try {
      await work();
    } catch (thrown) {
      return thrown instanceof AppError ? errorParagraph(JSON.parse(JSON.stringify(bridgeErrorOf(thrown)))) : '';
    }
    return '';
  };
  const bytes = (text: string) => new TextEncoder().encode(text);
  const file = async function* (text: string) {
    yield bytes(text);
  };
  expect(await why(() => readTemplateFile(bytes('plain')))).toMatch(
    /^El archivo no es JSON ni HTML\. Una plantilla es/,
  );
  expect(await why(() => readTemplateFile(bytes('[]')))).toBe(
    'El archivo contiene una lista. Añada una plantilla por archivo.',
  );
  expect(await why(() => readTerms(file('[{"write": ')))).toBe('El archivo empieza como JSON, pero no es JSON válido.');
  expect(await why(() => readWorklist(file('%PDF-1.7')))).toBe(
    'Esto no es una lista de trabajo: es un PDF. Exporte la lista como CSV, HL7 o JSON.',
  );
});
