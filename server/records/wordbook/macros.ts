/** Macros: their rules, and conflicts between them. */
import { AppError } from '../../../src/contract/errors.ts';
import { maxMacros } from '../../../src/contract/macro.ts';
import type { MacroInput } from '../../../src/contract/macro.ts';
import type { Template } from '../../../src/contract/template.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';
import { isCommand } from '../../../src/reporting/vocabulary/macro-names.ts';
import { macroKey, macrosIn } from '../../../src/reporting/vocabulary/macros.ts';
import type { Macro as CallableMacro } from '../../../src/reporting/vocabulary/macros.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import { invalid, listUsableItems } from './wordbook-item.ts';
import type { WordbookKind, SpaceUser } from './wordbook-item.ts';

export const macroKind: WordbookKind<Documents['macros'], MacroInput> = {
  collection: 'macros',
  noun: 'macro',
  prefix: 'mac',
  get: (reader, id) => reader.get('macros', id),
  find: (reader, is) => reader.find('macros', { is }),
  put: (tx, macro) => tx.put('macros', macro),
  withDefaults: ({ name, text, section = null, language = null }) => ({ name, text, section, language }),
  fields: ['name', 'text', 'section', 'language', 'owner'],
  replaced: ['name', 'text', 'section'],
  normalise: (input) => ({
    ...input,
    ...(input.name !== undefined && { name: normalForm(input.name).replace(/\s+/g, ' ').trim() }),
    ...(input.text !== undefined && { text: normalForm(input.text).trim() }),
  }),
  findProblems: ({ name, text, language = null }, at = '') => [
    ...(macroKey(name) === '' ? [invalid(at, 'name', 'must hold a word, since somebody has to say it')] : []),
    ...(isCommand(name, language)
      ? [invalid(at, 'name', 'is a spoken command; add a word, such as “normal chest” instead of “new line”')]
      : []),
    ...(text === '' ? [invalid(at, 'text', 'must hold more than white space')] : []),
  ],
  listClaims: ({ name }) => [{ field: 'name', value: macroKey(name) }],
  searchTexts: ({ name, text }) => [name, text],
  checkCount(macros) {
    if (macros.length <= maxMacros) return;
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: 'A person has at most 1,000 macros, and so has a space.',
      details: { limit_items: maxMacros },
      hint: 'Delete macros that nobody uses.',
    });
  },
};

/** The macros that the person can call in reports of the template, in the template's language. */
export const callableMacros = async (
  reader: Reader,
  user: SpaceUser,
  { language, macros }: Pick<Template, 'language' | 'macros'>,
): Promise<CallableMacro[]> => macrosIn(language, await listUsableItems(macroKind, reader, user), macros);
