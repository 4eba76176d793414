/** What the readers of files say, on a page that is not English: no sentence of theirs is said in English. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { showAllWords } from './all-words.ts';
import { fileCodes, files } from '../../../desktop/renderer/i18n/en/files.ts';
import { fileErrorWords, remarkWords } from '../../../desktop/renderer/state/file-words.ts';
import { detailCodes } from '../../../src/contract/errors.ts';
import { readTerms } from '../../../src/files/wordbook/term-file.ts';
import { readTemplateFile } from '../../../src/files/templates/template-file.ts';
import { root } from '../../support/modules.ts';

/** The sentences in the sources of the readers, with `7` for each value that they put in. */
const written = ['src/files/worklist', 'src/files/wordbook', 'src/files/templates'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const code = readFileSync(join(root, directory, name), 'utf8').replace(
        /^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$|fault: '\w+'/gm,
        '',
      );
      return [
        ...code.matchAll(
          /(?:message|hint)(?: =|:)\s*'((?:[^'\\]|\\.)+)'|(?:problem|noTemplate)\((?:[^'`()]|\{\})*?'((?:[^'\\]|\\.)+)'/g,
        ),
      ].map(([, a, b]) => (a ?? b)!.replaceAll('\\\\', '\\'));
    }),
);
/** Told on the command line alone: nobody names a zone, an encoding or a column in the app. */
const ofCommandLine =
  /^(?:[A-Z]{3}-\d|The time zone is not|Give an IANA|The encoding is not known|Known are, for example|The delimiter must|.*mapped to|A mapping|status names its place)/;
const sentences = [...new Set(written)].filter((sentence) => !ofCommandLine.test(sentence));
const english = new Set<string>(Object.values(files));

describe.each(['pt-BR', 'es-ES'] as const)('in %s', (language) => {
  beforeEach(() => showAllWords(language));

  it('each sentence that a reader writes has words', () => {
    expect(sentences.length).toBeGreaterThan(30);
    const unread = remarkWords({ message: 'No reader writes this.' });
    expect(sentences.filter((message) => remarkWords({ message }) === unread)).toEqual([]);
    expect(sentences.filter((message) => remarkWords({ message }) === message)).toEqual([]);
  });

  it.each(Object.keys(files) as (keyof typeof files)[])('%s says its values', (key) => {
    const names = [...files[key].matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const message = names.reduce((text, name, at) => text.replace(`{${name}}`, `«${at}»`), files[key] as string);
    const said = remarkWords({ message });
    expect(said).not.toBe(remarkWords({ message: 'No reader writes this.' }));
    for (const at of names.keys()) expect(said).toContain(`«${at}»`);
  });

  it.each(detailCodes)('%s is said by its code, with the field', (code) => {
    const said = remarkWords({ message: 'items.3.patient_name is quite wrong', code });
    expect(said).toMatch(/^patient_name: ./);
    expect(said).not.toContain('wrong');
    expect(said).not.toBe(fileCodes[code].replace('{field}', 'patient_name'));
  });

  it('what is not known says nothing in English', () => {
    expect(remarkWords({ message: 'Something new.', hint: 'Do this.' })).not.toMatch(/Something|Do this/);
    const error = { code: 'VALIDATION_FAILED', message: 'Something new.', hint: 'Do this.' };
    expect(fileErrorWords(error)).not.toMatch(/Something|Do this/);
  });
});

test('nested phrases are said in the language, too, and values stay as they are', async () => {
  await showAllWords('pt-BR');
  const message = 'patient_birth_date: what stands in the column "Nasc." is not a date, YYYYMMDD.';
  expect(remarkWords({ message, hint: 'Mend the column "Nasc." where the file was made.' })).toBe(
    'patient_birth_date: o que a coluna "Nasc." traz não é uma data, AAAAMMDD. Corrija a coluna "Nasc." onde o arquivo foi feito.',
  );
  await showAllWords('en-US');
  expect(remarkWords({ message })).toBe(message);
  expect(english.has('The file is empty.')).toBe(true);
});

test('real files that cannot be read', async () => {
  await showAllWords('es-ES');
  const why = async (work: () => unknown): Promise<string> => {
    try {
      await work();
    } catch (thrown) {
      return fileErrorWords(thrown as Parameters<typeof fileErrorWords>[0]);
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
});
