/** Macros in the store: whose they are, who sees them, and which two may not stand side by side. */
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { mostMacros } from '../../src/contract/macro.ts';
import type { Macro, MacroInput, MacroOwner } from '../../src/contract/macro.ts';
import type { Template } from '../../src/contract/template.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import { macroKey, macrosIn } from '../../src/domain/report/macros.ts';
import type { Macro as CallableMacro } from '../../src/domain/report/macros.ts';
import type { Caller } from '../http/call.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader } from '../store/store.ts';

export type StoredMacro = Documents['macros'];

/** A person in a space. */
export interface MacroUser {
  readonly space: string;
  /** Absent: nobody knows who it is, and only the macros of the space are found. */
  readonly user_id?: string;
}

export const userOf = ({ space, user }: Pick<Caller, 'space' | 'user'>): MacroUser => ({ space, user_id: user.id });

/** The macro as the API shows it. */
export const toMacro = ({ space: _space, user_id: _user, ...macro }: StoredMacro): Macro => macro;

/** The macros of one owner, newest first. */
export const macrosOf = async (
  reader: Reader,
  { space, user_id: user }: MacroUser,
  owner: MacroOwner,
): Promise<readonly StoredMacro[]> => {
  if (owner === 'space') return reader.find('macros', { is: { space, shared: space } });
  return user === undefined ? [] : reader.find('macros', { is: { space, user } });
};

/** All macros that the person may call: first those of the person, then those of the space; of each the newest first. */
export const macrosFor = async (reader: Reader, user: MacroUser): Promise<readonly StoredMacro[]> =>
  (await Promise.all([macrosOf(reader, user, 'person'), macrosOf(reader, user, 'space')])).flat();

/** The macros that the person can call in a document by the template, in the template's language. */
export const callableMacros = async (
  reader: Reader,
  user: MacroUser,
  { language, macros }: Pick<Template, 'language' | 'macros'>,
): Promise<CallableMacro[]> => macrosIn(language, await macrosFor(reader, user), macros);

/** Reads a macro that the person may see. 404 for another person's macro, whose existence is nobody's business. */
export async function readMacro(reader: Reader, { space, user_id: user }: MacroUser, id: string): Promise<StoredMacro> {
  const macro = await reader.get('macros', id);
  if (macro?.space !== space || (macro.user_id !== null && macro.user_id !== user)) {
    throw new AppError('NOT_FOUND', { message: 'There is no such macro.' });
  }
  return macro;
}

type Texts = Pick<Macro, 'name' | 'text'>;

/** The texts in the form in which they are stored: composed characters, and no white space around them. */
export const normalTexts = <T extends Partial<Texts>>(input: T): T => ({
  ...input,
  ...(input.name !== undefined && { name: normalForm(input.name).replace(/\s+/g, ' ').trim() }),
  ...(input.text !== undefined && { text: normalForm(input.text).trim() }),
});

/** What is wrong with the texts of a macro beyond their schema; `at` stands before the names of the fields. */
export function problemsOf({ name, text }: Texts, at = ''): FieldError[] {
  const problem = (field: string, message: string): FieldError => ({
    field: `${at}${field}`,
    message: `${at}${field} ${message}`,
    code: 'INVALID_VALUE',
  });
  return [
    ...(macroKey(name) === '' ? [problem('name', 'must hold a word, since somebody has to say it')] : []),
    ...(text === '' ? [problem('text', 'must hold more than white space')] : []),
  ];
}

/** Two macros of one owner may not have the same: nobody could say which of them is called. */
export const callOf = ({ name, language }: Pick<MacroInput, 'name' | 'language'>): string =>
  `${language ?? ''} ${macroKey(name)}`;

/** 409 where another macro of the owner has the name in the language. */
export function checkName(macro: StoredMacro, others: readonly StoredMacro[]): void {
  const other = others.find((each) => each.id !== macro.id && callOf(each) === callOf(macro));
  if (!other) return;
  throw new AppError('IDENTIFIER_CONFLICT', {
    message: 'There is a macro of this name already.',
    details: { id: other.id, name: other.name, language: other.language, owner: other.owner },
    hint: 'Change that macro, or choose another name.',
  });
}

/** 413 where an owner would have more macros than one may. */
export function checkCount(count: number): void {
  if (count <= mostMacros) return;
  throw new AppError('PAYLOAD_TOO_LARGE', {
    message: 'A person has at most 1,000 macros, and so has a space.',
    details: { limit_items: mostMacros },
    hint: 'Delete macros that nobody uses.',
  });
}
