/** The wordbook of a person or a space: options, lookup by name, and imports. */
import { textOf } from '../../src/contract/messages/message.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { AppError } from '../../src/contract/errors.ts';
import { owners } from '../../src/contract/wordbook.ts';
import type { ImportResult, Owner } from '../../src/contract/wordbook.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { shownLine } from '../../src/domain/characters.ts';
import { counted } from '../../src/domain/counted.ts';
import { choice, flag, text } from '../command.ts';
import type { Context } from '../context.ts';
import type { FileProblem, OwnedFile, Place, ReadItem } from '../../src/files/wordbook/owned-file.ts';
import { pagedList, pagingOptions } from '../shell/paging.ts';
import type { PagingInput } from '../shell/paging.ts';
import { messageView } from '../shell/view.ts';
import type { Column, View } from '../shell/view.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';

/** A kind of wordbook entry. */
export interface WordbookNoun {
  readonly noun: string;
  readonly nouns: string;
  /** `laudio macro` */
  readonly command: string;
  readonly id: RegExp;
}

/** `does`: its effect on reports. */
export const wordbookOptions = (does: string) => ({
  language: choice([...languages, 'any'], `Language of the reports in which it ${does}; any: all`),
  owner: choice(owners, 'Owner: you (person), or everybody in the space'),
});

export const listOptions = ({ nouns }: WordbookNoun, count: string) => ({
  owner: choice(owners, 'Only yours (person), or only those of the space'),
  language: choice(languages, `Only those that ${count} in reports in this language`),
  q: text(`Only ${nouns} with these words`, { short: 'q', placeholder: 'WORDS' }),
  ...pagingOptions,
});

interface FieldOptions {
  readonly language?: Language | 'any' | undefined;
  readonly owner?: Owner | undefined;
}

export const givenOwner = ({ language, owner }: FieldOptions): { language?: Language | null; owner?: Owner } => ({
  ...(language !== undefined && { language: language === 'any' ? null : language }),
  ...(owner !== undefined && { owner }),
});

interface Filters {
  readonly owner?: Owner | undefined;
  readonly language?: Language | undefined;
  readonly q?: string | undefined;
}
/** One page of a listing. */
type Listing<T> = (call: {
  query: { limit?: number; cursor?: string; owner?: Owner; language?: Language; q?: string };
}) => Promise<{ data: { items: T[]; next_cursor: string | null } }>;

/** The entries that match the filters; `add`: the arguments that add the first one. */
export function listEntries<T>(
  { nouns, noun, command }: WordbookNoun,
  list: Listing<T>,
  { limit, all, ...filters }: Filters & PagingInput,
  { add, columns }: { readonly add: string; readonly columns: readonly Column<T>[] },
): Promise<View> {
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return pagedList({ limit, all }, (paging) => list({ query: { ...chosen, ...paging } }), {
    columns,
    empty:
      Object.keys(chosen).length > 0
        ? `No ${noun} matches.`
        : `There are no ${nouns} yet. Add one with: ${command} add ${add}`,
  });
}

interface NamedEntry {
  readonly id: string;
  readonly owner: Owner;
  readonly language: Language | null;
}

/** The entry with that id or name. NOT_FOUND if there is none, USAGE if several have the name. */
export async function findByName<T extends NamedEntry>(
  { id: idPattern, noun, nouns, command }: WordbookNoun,
  word: string,
  {
    get,
    list,
    nameOf,
    isNamed,
  }: {
    get: (id: string) => Promise<T>;
    list: Listing<T>;
    nameOf: (item: T) => string;
    isNamed: (item: T) => boolean;
  },
): Promise<T> {
  if (idPattern.test(word)) return get(word);
  const found: T[] = [];
  const names: string[] = [];
  for await (const item of itemsOf((paging) => list({ query: { limit: 200, ...paging } }))) {
    names.push(nameOf(item));
    if (isNamed(item)) found.push(item);
  }
  const [item, ...others] = found;
  if (!item) throw unknownWord(`There is no such ${noun}.`, word, names, `${command} list shows yours.`, 'NOT_FOUND');
  if (others.length === 0) return item;
  throw new AppError('USAGE', {
    message: `${found.length} ${nouns} have this name.`,
    hint: `Choose one by its id: ${found.map(({ id, owner, language }) => `${id} (${owner}, ${language ?? 'any language'})`).join(', ')}.`,
  });
}

/** Asks before a removal, unless `--yes` was given. */
export async function confirmRemoval({ ask }: Pick<Context, 'ask'>, yes: boolean | undefined, what: string) {
  if (!yes && !(await ask.confirm(`Remove ${what}?`, '--yes'))) {
    throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
  }
}

export const importOptions = ({ nouns }: WordbookNoun) => ({
  replace: flag(`Replace existing ${nouns} with the same name`),
});

/** Sends all entries of a file, and reports invalid ones with their positions in the file. */
export async function importFile(
  { io }: Pick<Context, 'io'>,
  { noun, nouns }: WordbookNoun,
  file: OwnedFile,
  send: (items: readonly ReadItem[]) => Promise<{ data: ImportResult }>,
) {
  const { items, problems, unread } = file;
  if (problems.length > 0) throw nothingImported(noun, problems);
  if (unread.length > 0)
    io.notice(`Not read: ${unread.map((heading) => `“${shownLine(heading)}”`).join(', ')}.`, 'warn');
  if (items.length === 0) throw new AppError('USAGE', { message: `The file has no ${nouns}.` });
  try {
    const { data } = await io.progress(`Importing ${counted(items.length, noun)}`, () => send(items));
    const { created, replaced, unchanged } = data;
    return messageView(`${created} new, ${replaced} replaced, ${unchanged} unchanged.`, data);
  } catch (error) {
    const { refusedIn } = await import('../../src/files/wordbook/owned-file.ts');
    const refused = error instanceof AppError ? refusedIn(file, error) : [];
    throw refused.length > 0 ? nothingImported(noun, refused, error as AppError) : error;
  }
}

const placeWords = (place: Place): string => ('line' in place ? `line ${place.line}` : `item ${place.item}`);

const nothingImported = (noun: string, problems: readonly FileProblem[], cause?: AppError): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: `Nothing was imported: ${counted(problems.length, noun)} ${problems.length === 1 ? 'is' : 'are'} invalid.`,
    details: {
      errors: problems.map(({ place, message }) => ({
        field: placeWords(place),
        message: `${placeWords(place)}: ${textOf(message)}`,
      })),
    },
    ...(cause?.requestId !== undefined && { requestId: cause.requestId }),
    ...(cause && { status: cause.status ?? 400, cause }),
  });
