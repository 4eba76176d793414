/** Which autotexts are listed, and which stand in each other's way: plain data and functions, no browser. */
import type { Owner } from '../../../../src/contract/owned.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { fieldsIn, macroKey } from '../../../../src/domain/report/macros.ts';
import type { Field } from '../../../../src/domain/report/macros.ts';
import { foldTexts, hasWord, wordsSought } from '../../../../src/domain/search-text.ts';
import type { KeptMacro, MacroWords } from '../../../bridge/macros.ts';

/** `null`: all of them. */
export interface MacroFilter {
  readonly query: string;
  readonly owner: Owner | null;
  readonly language: Language | null;
  readonly section: string | null;
}

export const noFilter: MacroFilter = { query: '', owner: null, language: null, section: null };

/** Folding is the work of a search, and most autotexts stay as they are from key to key. */
const folded = new WeakMap<KeptMacro, { readonly name: string; readonly all: string }>();
function foldedOf(macro: KeptMacro): { readonly name: string; readonly all: string } {
  const known = folded.get(macro) ?? { name: foldTexts([macro.name]), all: foldTexts([macro.name, macro.text]) };
  folded.set(macro, known);
  return known;
}

/** Those that pass the filter by their names, those whose name is meant before those whose text is. */
export function listed(items: readonly KeptMacro[], { query, owner, language, section }: MacroFilter): KeptMacro[] {
  const words = wordsSought(query);
  const has = (text: string): boolean => words.every((word) => hasWord(text, word));
  const passing = items.filter(
    (macro) =>
      (owner === null || macro.owner === owner) &&
      (language === null || (macro.language ?? language) === language) &&
      (section === null || macro.section === section) &&
      has(foldedOf(macro).all),
  );
  const isNamed = (macro: KeptMacro): boolean => has(foldedOf(macro).name);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const ranked = passing.map((macro) => ({ macro, rank: isNamed(macro) ? 0 : 1 }));
  return ranked.toSorted((a, b) => a.rank - b.rank || compare(a.macro.name, b.macro.name)).map(({ macro }) => macro);
}

/** Sections that autotexts belong to, each once. */
export const sectionsOf = (items: readonly KeptMacro[]): string[] => [
  ...new Set(items.flatMap(({ section }) => section ?? [])),
];

const keys = new WeakMap<KeptMacro, string>();
function keyOf(macro: KeptMacro): string {
  const known = keys.get(macro) ?? macroKey(macro.name);
  keys.set(macro, known);
  return known;
}

/** Another autotext of the same owner, of that name in that language: the service takes no second one. */
export function rivalOf(words: MacroWords, id: string | null, items: readonly KeptMacro[]): KeptMacro | undefined {
  const { owner, language } = words;
  const key = macroKey(words.name);
  return items.find(
    (each) => key !== '' && each.id !== id && each.owner === owner && each.language === language && keyOf(each) === key,
  );
}

/** The autotext of the other owner that is called alike: a person's own goes before the department's. */
export function namesakeOf(words: MacroWords, items: readonly KeptMacro[]): KeptMacro | undefined {
  const { owner, language } = words;
  const key = macroKey(words.name);
  const isOfSame = (other: KeptMacro['language']): boolean => (other ?? language) === (language ?? other);
  return items.find((each) => key !== '' && each.owner !== owner && isOfSame(each.language) && keyOf(each) === key);
}

/** How many words somebody says to call it: one word alone is called only by a command. */
export const spokenWords = (name: string): number => macroKey(name).split(' ').filter(Boolean).length;

/** A part of the text of an autotext: words, a field, or words in brackets that are no field. */
export interface TextPart {
  readonly text: string;
  readonly field: Field | null;
  readonly isStray: boolean;
}

/** The text in parts, in order; together they are the text. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  const addWords = (end: number): void => {
    for (const words of text.slice(at, end).split(/(\[[^[\]]*\]?)/)) {
      if (words !== '') parts.push({ text: words, field: null, isStray: words.startsWith('[') });
    }
  };
  for (const field of fieldsIn(text)) {
    addWords(field.start);
    parts.push({ text: text.slice(field.start, field.end), field, isStray: false });
    at = field.end;
  }
  addWords(text.length);
  return parts;
}
