/** Autotexts: a spoken name, the text that it inserts, and the open fields in texts. */
import type { Owner } from '../../contract/wordbook.ts';
import type { Language } from '../../contract/shared.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { integerAt } from '../numbers/numeral.ts';
import type { NumberWords } from '../numbers/numeral.ts';
import { phraseEndsAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { isBoundary, tokenise } from '../words/token.ts';
import type { Span, Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** The macro that a text comes from. */
export interface MacroName {
  /** "tórax normal" */
  readonly name: string;
  /** Absent: unknown, as for a text that is tried without a server. */
  readonly owner?: Owner | 'template';
}

export interface Macro extends MacroName {
  readonly text: string;
  /** Key of the section that it belongs to; without one the text goes where it was called. */
  readonly section?: string;
  /** Whether "insert normals" brings it too. */
  readonly normal?: boolean;
}

/** A place to fill in: `[lado: direito|esquerdo]`, `[__ mm]`. */
export interface Field extends Span {
  readonly name: string | null;
  readonly choices: readonly string[];
  /** The text around the value: "mm" of `[__ mm]`. */
  readonly unit: string | null;
}

/** An opening bracket ends what another one began, so that the time is linear in any text. */
const fieldPattern = /\[([^[\]\n]+)\]/g;

/** The fields of a text that are still open. Text in brackets that is neither a choice nor a blank is text. */
export function fieldsIn(text: string): Field[] {
  const fields: Field[] = [];
  for (const match of text.matchAll(fieldPattern)) {
    const inside = match[1] ?? '';
    const span = { start: match.index, end: match.index + match[0].length };
    const [head = '', ...tail] = inside.split(':');
    const name = tail.length > 0 ? head.trim() : null;
    const body = tail.length > 0 ? tail.join(':') : head;
    const blank = /^_{2,}(?!_)(.*)$/s.exec(body.trim());
    if (blank) fields.push({ ...span, name, choices: [], unit: elementAt(blank, 1).trim() || null });
    else if (body.includes('|'))
      fields.push({ ...span, name, choices: body.split('|').map((each) => each.trim()), unit: null });
  }
  return fields;
}

const isSaid = ({ kind }: Token): boolean => kind === 'word' || kind === 'figure';

/** The form in which names are compared: the words without case, accents and punctuation; empty if there are none. */
export const macroKey = (name: string): string => wordsOf(tokenise(normalForm(name)));

/** Words and figures for comparison. */
export const wordsOf = (tokens: readonly Token[]): string =>
  tokens
    .filter(isSaid)
    .map(({ folded }) => folded)
    .join(' ');

/** The spoken words of a name: "tórax dois" calls "tórax 2". */
function calledBy(tokens: readonly Token[], numbers: NumberWords): string {
  const said = tokens.filter(isSaid);
  const words: string[] = [];
  for (let at = 0; at < said.length;) {
    const numeral = integerAt(said, at, numbers);
    words.push(numeral?.digits ?? elementAt(said, at).folded);
    at = numeral?.to ?? at + 1;
  }
  return words.join(' ');
}

/** Words that make the words after, or before, the name of a macro. */
export interface MacroWords {
  /** "macro", "inserir texto" */
  readonly callers: PhraseIndex<true>;
  /** "macro", "autotexto" */
  readonly nouns: ReadonlySet<string>;
  /** "normals", "normais": all macros of the template for normal findings. */
  readonly normals: PhraseIndex<true>;
}

/** Macros by the words that call them. */
export interface MacroIndex {
  readonly byWords: ReadonlyMap<string, Macro>;
  readonly words: MacroWords;
  readonly numbers: NumberWords;
}

/** If the same words call two macros, the first one wins. */
export function indexMacros(macros: readonly Macro[], words: MacroWords, numbers: NumberWords): MacroIndex {
  const byWords = new Map<string, Macro>();
  for (const macro of macros) {
    const key = calledBy(tokenise(normalForm(macro.name)), numbers);
    if (key !== '' && !byWords.has(key)) byWords.set(key, macro);
  }
  return { byWords, words, numbers };
}

/**
 * The macro that the words call: by its name, by its name after a caller ("inserir tórax normal"), or before a noun
 * ("normal chest macro"). A single word calls only a template's macro, whose names are no ordinary words: "Normal.",
 * "Não."
 */
export function macroCalledBy(
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  { byWords, words, numbers }: MacroIndex,
): Macro | undefined {
  if (tokens.slice(from, to).some((token) => token.isEscaped === true || isBoundary(token))) return undefined;
  const named = (start: number, end: number): Macro | undefined =>
    byWords.get(calledBy(tokens.slice(start, end), numbers));
  const said = calledBy(tokens.slice(from, to), numbers);
  const alone = byWords.get(said);
  if (!said.includes(' ')) return alone?.owner === 'template' ? alone : undefined;
  // "insert my liver": with "insert" alone the name is "my liver".
  const callers = phraseEndsAt(tokens, from, words.callers);
  const after = (end: number): Macro | undefined =>
    callers.map((caller) => named(caller, end)).find((macro) => macro !== undefined);
  const last = from + tokens.slice(from, to).findLastIndex(isSaid);
  const hasNoun = words.nouns.has(elementAt(tokens, last).folded);
  return alone ?? after(to) ?? (hasNoun ? (after(last) ?? named(from, last)) : undefined);
}

/** A stored macro: for reports in one language, or in every one (`null`). */
export interface KeptMacro extends Required<MacroName> {
  readonly text: string;
  readonly section: string | null;
  readonly language: Language | null;
}

/** Whether it is a text for normal findings: a template's by its name, unless the template says otherwise. */
export const bringsNormal = ({ name, owner, normal }: Macro): boolean =>
  normal ?? (owner === 'template' && /(?:^| )norma(?:l|is|les)(?: |$)/.test(macroKey(name)));

/** Whether the words call all texts for normal findings: "insert normals". */
export const callsNormals = (
  tokens: readonly Token[],
  { from, to }: { readonly from: number; readonly to: number },
  { callers, normals }: MacroWords,
): boolean => {
  const last = from + tokens.slice(from, to).findLastIndex(isSaid);
  return phraseEndsAt(tokens, from, callers).some((start) =>
    phraseEndsAt(tokens, start, normals).some((end) => end === last + 1),
  );
};

export const macrosOfTemplate = (macros: readonly Macro[]): Macro[] =>
  macros.map((macro) => ({ ...macro, owner: 'template' }));

/**
 * The macros that can be called in a report, in order of precedence: the person's, the space's, the template's; within
 * one owner first those in the language of the report, then those in every language.
 */
export function macrosIn(language: Language, kept: readonly KeptMacro[], ofTemplate: readonly Macro[]): Macro[] {
  const rank = (macro: KeptMacro): number => (macro.owner === 'person' ? 0 : 2) + (macro.language === null ? 1 : 0);
  const own = kept.filter((macro) => (macro.language ?? language) === language);
  return [
    ...own
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ name, owner, text, section }) => ({ name, owner, text, ...(section !== null && { section }) })),
    ...macrosOfTemplate(ofTemplate),
  ];
}
