/** Formats macros, finds them by id or name, and defines their options. */
import type { Client } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Macro, MacroInput } from '../../src/contract/macro.ts';
import { text } from '../command.ts';
import type { Context } from '../context.ts';
import { readText } from '../shell/input-file.ts';
import { detailView } from '../shell/view.ts';
import { findByName, givenOwner, wordbookOptions } from './wordbook.ts';
import type { WordbookNoun } from './wordbook.ts';

export const macroNoun: WordbookNoun = {
  noun: 'macro',
  nouns: 'macros',
  command: 'laudio macro',
  id: /^mac_[0-9A-Z]{26}$/,
};

/** Options of a macro in addition to its name and text. */
export const macroOptions = {
  section: text('Key of its section; without one it is inserted where its name is dictated', { placeholder: 'KEY' }),
  ...wordbookOptions('is called'),
};

/** The specified fields; an empty section is omitted. */
export const givenFields = ({
  section,
  ...given
}: Parameters<typeof givenOwner>[0] & { readonly section?: string | undefined }): Partial<
  Omit<MacroInput, 'name' | 'text'>
> => ({
  ...(section !== undefined && { section: section === '' ? null : section }),
  ...givenOwner(given),
});

/** Up to four bytes per character. */
const textBytes = 80_000;

/** The text from the argument, `-` for standard input, or from `--file`; `undefined` if both are missing. */
export async function givenText(
  { io }: Pick<Context, 'io'>,
  words: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (words !== undefined && file !== undefined)
    throw new AppError('USAGE', { message: 'Give the text either as an argument or with --file FILE.' });
  const source = words === '-' ? '-' : file;
  return source === undefined ? words : (await readText(io, source, textBytes)).replace(/\r?\n$/, '');
}

/** The macro with that id or that name. */
export async function findMacro(macros: Client['macros'], word: string, signal: AbortSignal): Promise<Macro> {
  const { macroKey } = await import('../../src/reporting/vocabulary/macros.ts');
  return findByName(macroNoun, word, {
    get: async (id) => (await macros.get({ params: { id } }, { signal })).data,
    list: (call) => macros.list(call, { signal }),
    nameOf: ({ name }) => name,
    isNamed: ({ name }) => macroKey(name) === macroKey(word),
  });
}

export const macroDetail = (data: Macro) =>
  detailView({
    data,
    fields: [
      ['Id', data.id],
      ['Name', data.name, 'strong'],
      ['Owner', data.owner],
      ['Language', data.language ?? 'any'],
      ['Section', data.section],
      ['Version', data.version],
    ],
    sections: [{ title: 'Text', text: data.text }],
  });
