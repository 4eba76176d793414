/** Files of what a person or a space keeps: CSV with a header line, as a spreadsheet writes it, or JSON, as `list --json` prints it. */
import type { Message, Param, Sentence } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import type { DetailCode, FieldError } from '../../contract/errors.ts';
import { languages } from '../../contract/shared.ts';
import { versionFields } from '../../contract/wordbook.ts';
import { nearestWord } from '../../domain/nearest-word.ts';
import { openBytes } from '../worklist/bytes.ts';
import { plainWords } from '../worklist/coded-words.ts';
import { readRecords } from '../worklist/csv/records.ts';
import type { CsvRecord } from '../worklist/csv/records.ts';
import { splitLines } from '../worklist/lines.ts';
import { openText } from '../worklist/text.ts';

/** As many as the service takes in one request. */
const maxCharacters = 10 * 1024 * 1024;

/** An item as the file has it: its values are checked by the service. */
export type ReadItem = Readonly<Record<string, unknown>>;

export interface OwnedFile {
  readonly items: readonly ReadItem[];
  /** Where each item begins. */
  readonly places: readonly Place[];
  /** Unreadable entries, with place and sentence. */
  readonly problems: readonly FileProblem[];
  /** Headings of columns, and names in JSON, that are no field. */
  readonly unread: readonly string[];
}

/** A line, and in JSON an item, counted from 1. */
export type Place = { readonly line: number } | { readonly item: number };

export interface FileProblem {
  readonly place: Place;
  readonly message: Sentence;
  /** Where the service refused it. */
  readonly code?: DetailCode;
}

/** A kind of entries, such as macros. */
export interface FileKind {
  /** Says that the JSON must be a list of them. */
  readonly listNeeded: Message;
  /** Field → its headings in addition to the field's name, folded. */
  readonly fields: Readonly<Record<string, string>>;
  /** Fields that every line has. */
  readonly required: readonly string[];
  /** An example of JSON. */
  readonly json: string;
  /** Reads a cell of CSV. Default: its text. */
  readonly cell?: (field: string, text: string) => unknown;
  /** Reads a file that is neither JSON nor CSV with such headings. */
  readonly plain?: (content: string) => OwnedFile;
}

const shared = { language: 'idioma, lingua, lengua', owner: 'dono, propietario' };

/** Fields of an entry that the service has made. */
const answered = ['id', ...Object.keys(versionFields(''))];

/** Reads the file. USAGE where it is no such file at all. */
export async function readOwnedFile(file: AsyncIterable<Uint8Array>, kind: FileKind): Promise<OwnedFile> {
  const text = openText(await openBytes(file), undefined, () => {});
  let content = '';
  for await (const chunk of text.chunks()) {
    content += chunk;
    if (content.length > maxCharacters) throw new AppError('USAGE', { message: fileMessage('owned_large') });
  }
  if (content.trim() === '') throw new AppError('USAGE', { message: fileMessage('empty') });
  return /^\s*[[{]/.test(content) ? fromJson(content, kind) : fromCsv(content, kind);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `a, b and c`. */
function joinNames(names: readonly string[]): Param {
  const [last = ''] = names.slice(-1);
  return names.length < 2 ? last : fileMessage('both', { one: names.slice(0, -1).join(', '), other: last });
}

const fieldNamesOf = ({ fields }: FileKind): string[] => Object.keys({ ...fields, ...shared });

function fromJson(content: string, kind: FileKind): OwnedFile {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new AppError('USAGE', { message: fileMessage('owned_not_json') });
  }
  const list = isObject(value) ? value['items'] : value;
  if (!Array.isArray(list)) throw new AppError('USAGE', { message: kind.listNeeded });
  const placeAt = (at: number) => ({ item: at + 1 });
  const read = new Set([...fieldNamesOf(kind), ...answered]);
  const objectNeeded = fileMessage('owned_object', { names: joinNames(kind.required) });
  return {
    items: list.filter(isObject).map((item) => pickFields(kind, (name) => item[name])),
    places: list.map((_, at) => placeAt(at)),
    problems: list.flatMap((item, at) => (isObject(item) ? [] : [{ place: placeAt(at), message: objectNeeded }])),
    unread: [...new Set(list.filter(isObject).flatMap(Object.keys))].filter((name) => !read.has(name)),
  };
}

/** The fields that have a value. */
const pickFields = (kind: FileKind, valueOf: (name: string) => unknown): ReadItem =>
  Object.fromEntries(
    fieldNamesOf(kind)
      .map((name) => [name, valueOf(name)])
      .filter(([, value]) => value !== undefined),
  );

async function csvRecords(content: string, delimiter: string): Promise<CsvRecord[]> {
  const whole = async function* () {
    yield content;
  };
  const records: CsvRecord[] = [];
  for await (const some of readRecords(splitLines(whole(), maxCharacters), delimiter, maxCharacters))
    records.push(...some);
  return records;
}

async function fromCsv(content: string, kind: FileKind): Promise<OwnedFile> {
  const { required, cell = (_field, value) => value } = kind;
  const [first = ''] = content.split(/\r\n|\r|\n/, 1);
  const parts = (delimiter: string): number => first.split(delimiter).length;
  const delimiter = [',', ';', '\t'].reduce((best, each) => (parts(each) > parts(best) ? each : best));
  const isHeader = (values: readonly string[]): boolean =>
    required.every((field) => values.some((heading) => fieldNamed(heading, kind) === field));
  const headings = first.split(delimiter).map((heading) => heading.replaceAll('"', ''));
  const mistyped = isHeader(headings) ? undefined : findMistyped(headings, kind);
  if (kind.plain && !isHeader(headings) && !mistyped) return kind.plain(content);
  const [header, ...rows] = await csvRecords(content, delimiter);
  const columns = (header?.values ?? []).map((heading) => fieldNamed(heading, kind));
  if (!isHeader(header?.values ?? [])) {
    const names = fieldNamesOf(kind);
    throw new AppError('USAGE', {
      message: mistyped
        ? fileMessage('owned_mistyped', mistyped)
        : fileMessage('owned_columns', { names: joinNames(required) }),
      hint: fileMessage('owned_hint', { names: joinNames(names), json: kind.json }),
    });
  }
  const items: ReadItem[] = [];
  const places: Place[] = [];
  const problems: FileProblem[] = [];
  for (const { values, line, isOpen } of rows) {
    const place = { line };
    const isFull =
      values.length >= columns.length && values.slice(columns.length).every((value) => value.trim() === '');
    if (isOpen === 'quote') problems.push({ place, message: fileMessage('owned_quote') });
    else if (!isFull) {
      problems.push({ place, message: fileMessage('owned_row', { n: values.length, columns: columns.length }) });
    } else {
      places.push(place);
      items.push(
        pickFields(kind, (name) => {
          const value = values[columns.indexOf(name)]?.trim() ?? '';
          if (value === '' && !required.includes(name)) return undefined;
          return name === 'language' ? languageNamed(value) : cell(name, value);
        }),
      );
    }
  }
  const unread = (header?.values ?? []).filter((heading, at) => columns[at] === undefined && heading.trim() !== '');
  return { items, places, problems, unread };
}

/** The mistyped heading of a line that names columns: nothing else is so similar to a heading in each of its values. */
function findMistyped(headings: readonly string[], kind: FileKind): { typed: string; name: string } | undefined {
  const known = [
    ...fieldNamesOf(kind),
    ...Object.values({ ...kind.fields, ...shared }).flatMap((names) => names.split(', ')),
  ];
  const meant = headings.map((heading) => ({ typed: heading.trim(), name: nearestWord(heading, known) }));
  const found = meant.find(({ typed }) => fieldNamed(typed, kind) === undefined);
  const isHeader = headings.length > 1 && meant.every(({ name }) => name !== undefined);
  return isHeader && found?.name !== undefined ? { typed: found.typed, name: found.name } : undefined;
}

const fieldNamed = (heading: string, { fields }: FileKind): string | undefined => {
  const words = plainWords(heading);
  return Object.entries({ ...fields, ...shared }).find(
    ([name, others]) => name === words || others.split(', ').includes(words),
  )?.[0];
};

/** "pt" and "PT-br" are Portuguese; what is none is left for the service to refuse. */
const languageNamed = (word: string): string =>
  languages.find((tag) => [tag.toLowerCase(), tag.slice(0, 2)].includes(word.toLowerCase())) ?? word;

/** Refused items, by their places in the file; empty if the service refused something else. */
export function refusedIn({ places }: Pick<OwnedFile, 'places'>, error: AppError): FileProblem[] {
  if (error.code !== 'VALIDATION_FAILED') return [];
  return ((error.details?.['errors'] ?? []) as FieldError[]).flatMap(({ field, message, code }): FileProblem[] => {
    const [, number] = /^items\.(\d+)/.exec(field) ?? [];
    const place = number === undefined ? undefined : places[Number(number)];
    return place === undefined ? [] : [{ place, message: message.replace(/^items\.\d+\.?/, ''), code }];
  });
}
