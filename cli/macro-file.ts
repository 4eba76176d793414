/** Files of macros: CSV with a header line, as a spreadsheet writes it, or JSON, as `laudio macro list --json` prints it. */
import { AppError } from '../src/contract/errors.ts';
import type { MacroInput } from '../src/contract/macro.ts';
import { languages } from '../src/contract/shared.ts';
import { counted } from '../src/domain/counted.ts';
import { openBytes } from '../src/worklist-files/bytes.ts';
import { plainWords } from '../src/worklist-files/coded-words.ts';
import { recordsOf } from '../src/worklist-files/csv/records.ts';
import type { CsvRecord } from '../src/worklist-files/csv/records.ts';
import { linesOf } from '../src/worklist-files/lines.ts';
import { openText } from '../src/worklist-files/text.ts';

/** As many as the service takes in one request. */
const mostCharacters = 10 * 1024 * 1024;

/** A macro as the file has it: its values are checked by the service. */
export type ReadMacro = Readonly<Record<string, unknown>>;

export interface MacroFile {
  readonly macros: readonly ReadMacro[];
  /** Where each macro begins: `line 3`, and in JSON `item 3`. */
  readonly places: readonly string[];
  /** What cannot be read: place and sentence. */
  readonly problems: readonly MacroProblem[];
  /** Headings of columns that are none of a macro. */
  readonly unread: readonly string[];
}

export interface MacroProblem {
  readonly place: string;
  readonly message: string;
}

const fieldNames = ['name', 'text', 'section', 'language', 'owner'] as const satisfies readonly (keyof MacroInput)[];
type FieldName = (typeof fieldNames)[number];

/** Headings besides the field's own name, folded. */
const headings: Readonly<Record<FieldName, string>> = {
  name: 'nome, nombre, macro, autotext, autotexto',
  text: 'texto, content, conteudo, contenido',
  section: 'secao, seccion',
  language: 'idioma, lingua, lengua',
  owner: 'dono, propietario',
};

/** Reads the file. USAGE where it is no file of macros at all. */
export async function readMacroFile(file: AsyncIterable<Uint8Array>): Promise<MacroFile> {
  const text = openText(await openBytes(file), undefined, () => {});
  let content = '';
  for await (const chunk of text.chunks()) {
    content += chunk;
    if (content.length > mostCharacters) throw new AppError('USAGE', { message: 'The file is larger than 10 MiB.' });
  }
  if (content.trim() === '') throw new AppError('USAGE', { message: 'The file is empty.' });
  return /^\s*[[{]/.test(content) ? fromJson(content) : fromCsv(content);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromJson(content: string): MacroFile {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new AppError('USAGE', { message: 'The file begins like JSON, but is not valid JSON.' });
  }
  const items = isObject(value) ? value['items'] : value;
  if (!Array.isArray(items)) throw new AppError('USAGE', { message: 'The JSON must be a list of macros.' });
  const places = items.map((_, at) => `item ${at + 1}`);
  return {
    macros: items.filter(isObject).map((item) => fieldsOf((name) => item[name])),
    places,
    problems: items.flatMap((item, at) =>
      isObject(item) ? [] : [{ place: places[at]!, message: 'must be an object with name and text' }],
    ),
    unread: [],
  };
}

/** The fields that have a value. */
const fieldsOf = (valueOf: (name: FieldName) => unknown): ReadMacro =>
  Object.fromEntries(fieldNames.map((name) => [name, valueOf(name)]).filter(([, value]) => value !== undefined));

async function csvRecords(content: string, delimiter: string): Promise<CsvRecord[]> {
  const whole = async function* () {
    yield content;
  };
  const records: CsvRecord[] = [];
  for await (const some of recordsOf(linesOf(whole(), mostCharacters), delimiter, mostCharacters))
    records.push(...some);
  return records;
}

async function fromCsv(content: string): Promise<MacroFile> {
  const [first = ''] = content.split(/\r\n|\r|\n/, 1);
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!;
  const [header, ...rows] = await csvRecords(content, delimiter);
  const columns = (header?.values ?? []).map((heading) => fieldNamed(heading));
  if (!columns.includes('name') || !columns.includes('text')) {
    throw new AppError('USAGE', {
      message: 'The first line must name the columns, among them name and text.',
      hint: 'Columns are name, text, section, language and owner; or give JSON: [{"name": …, "text": …}].',
    });
  }
  const macros: ReadMacro[] = [];
  const places: string[] = [];
  const problems: MacroProblem[] = [];
  for (const { values, line, isOpen } of rows) {
    const place = `line ${line}`;
    const isFull =
      values.length >= columns.length && values.slice(columns.length).every((value) => value.trim() === '');
    if (isOpen === 'quote') problems.push({ place, message: 'opens a quote that is never closed' });
    else if (!isFull) {
      const message = `has ${counted(values.length, 'column')}, the header ${columns.length}; quote values that hold the delimiter`;
      problems.push({ place, message });
    } else {
      places.push(place);
      macros.push(
        fieldsOf((name) => {
          const value = values[columns.indexOf(name)]?.trim() ?? '';
          if (value === '' && name !== 'name' && name !== 'text') return undefined;
          return name === 'language' ? languageNamed(value) : value;
        }),
      );
    }
  }
  const unread = (header?.values ?? []).filter((heading, at) => columns[at] === undefined && heading.trim() !== '');
  return { macros, places, problems, unread };
}

const fieldNamed = (heading: string): FieldName | undefined => {
  const words = plainWords(heading);
  return fieldNames.find((name) => name === words || headings[name].split(', ').includes(words));
};

/** "pt" and "PT-br" are Portuguese; what is none is left for the service to refuse. */
const languageNamed = (word: string): string =>
  languages.find((tag) => [tag.toLowerCase(), tag.slice(0, 2)].includes(word.toLowerCase())) ?? word;
