/** The autotexts of the editor, and the parts of their text. */
import { fieldsIn, macroKey } from '../../../../src/reporting/vocabulary/macros.ts';
import type { Field } from '../../../../src/reporting/vocabulary/macros.ts';
import type { KeptMacro, MacroWords } from '../../../bridge/macros.ts';
import { bridge } from '../bridge.ts';
import { createListing, memoise } from './entry-list.ts';
import { createWordbookEditor } from './editor.ts';

export const macros = createWordbookEditor<MacroWords, KeptMacro>({
  calls: {
    list: () => bridge().call('macros.list', {}),
    save: (input) => bridge().call('macros.save', input),
    remove: (input) => bridge().call('macros.delete', input),
    import: (input, bytes) => bridge().call('macros.import', input, bytes),
  },
  listing: createListing({
    nameOf: ({ name }) => name,
    textOf: ({ text }) => text,
    claimsOf: ({ name }) => [macroKey(name)],
  }),
  blank: { name: '', text: '', section: null, language: null, owner: 'person' },
  isEmpty: ({ name, text }) => name === '' && text === '',
});

/** Sections that have autotexts, without duplicates. */
export const sectionsOf = (items: readonly KeptMacro[]): string[] => [
  ...new Set(items.flatMap(({ section }) => section ?? [])),
];

const keyOf = memoise(({ name }: KeptMacro) => macroKey(name));

/** The autotext with the same name in the other scope: a personal one takes precedence over the department's. */
export function findNamesake(words: MacroWords, items: readonly KeptMacro[]): KeptMacro | undefined {
  const { owner, language } = words;
  const key = macroKey(words.name);
  const isOfSame = (other: KeptMacro['language']): boolean => (other ?? language) === (language ?? other);
  return items.find((each) => key !== '' && each.owner !== owner && isOfSame(each.language) && keyOf(each) === key);
}

/** Number of words in the spoken name. An autotext with a one-word name needs a command. */
export const spokenWords = (name: string): number => macroKey(name).split(' ').filter(Boolean).length;

/** A part of an autotext's text: words, a field, or bracketed words that are no field. */
export interface TextPart {
  readonly text: string;
  readonly field: Field | null;
  readonly isStray: boolean;
}

/** Splits the text into parts, in order; joined, they are the text. */
export function splitParts(text: string): TextPart[] {
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
