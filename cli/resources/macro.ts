/** Shows macros, finds them by id or name, and defines the options that describe one. */
import type { Client } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import { macroOwners } from '../../src/contract/macro.ts';
import type { Macro, MacroInput } from '../../src/contract/macro.ts';
import { languages } from '../../src/contract/shared.ts';
import { choice, text } from '../command.ts';
import type { Context } from '../context.ts';
import { readText } from '../input-file.ts';
import { itemsOf } from '../../src/client/pages.ts';
import { detailView } from '../view.ts';

/** What a macro may have besides its name and its text. */
export const macroOptions = {
  section: text('Key of the section it belongs to; without one it stands where it is called', { placeholder: 'KEY' }),
  language: choice([...languages, 'any'], 'Language of the documents in which it is called; any: all'),
  owner: choice(macroOwners, 'Whose it is: yours alone (person), or everybody’s in the space'),
};

interface Given {
  readonly section?: string | undefined;
  readonly language?: (typeof languages)[number] | 'any' | undefined;
  readonly owner?: (typeof macroOwners)[number] | undefined;
}

/** The fields that were given; an empty section is none. */
export const givenFields = ({ section, language, owner }: Given): Partial<Omit<MacroInput, 'name' | 'text'>> => ({
  ...(section !== undefined && { section: section === '' ? null : section }),
  ...(language !== undefined && { language: language === 'any' ? null : language }),
  ...(owner !== undefined && { owner }),
});

/** Four bytes for each character, at the worst. */
const textBytes = 80_000;

/** The text from the argument, `-` for standard input, or from `--file`; `undefined` where neither was given. */
export async function givenText(
  { io }: Pick<Context, 'io'>,
  words: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (words !== undefined && file !== undefined)
    throw new AppError('USAGE', { message: 'Give the text either in words or by --file FILE.' });
  const source = words === '-' ? '-' : file;
  return source === undefined ? words : (await readText(io, source, textBytes)).replace(/\r?\n$/, '');
}

/** The macro with that id or that name. NOT_FOUND where there is none, USAGE where several have the name. */
export async function findMacro(macros: Client['macros'], word: string, signal: AbortSignal): Promise<Macro> {
  if (/^mac_[0-9A-Z]{26}$/.test(word)) return (await macros.get({ params: { id: word } }, { signal })).data;
  const { macroKey } = await import('../../src/domain/report/macros.ts');
  const found: Macro[] = [];
  for await (const macro of itemsOf((paging) => macros.list({ query: { limit: 200, ...paging } }, { signal })))
    if (macroKey(macro.name) === macroKey(word)) found.push(macro);
  const [macro, ...others] = found;
  if (!macro) {
    throw new AppError('NOT_FOUND', { message: 'There is no such macro.', hint: 'laudio macro list shows yours.' });
  }
  if (others.length === 0) return macro;
  throw new AppError('USAGE', {
    message: `${found.length} macros have this name.`,
    hint: `Say which by its id: ${found.map(({ id, owner, language }) => `${id} (${owner}, ${language ?? 'any language'})`).join(', ')}.`,
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
