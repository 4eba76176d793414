/** Names of sections, as one language speaks them and as the report's template names them. */
import { fold, phraseList, wordList, wordSet } from '../../domain/fold.ts';
import type { SectionTables } from '../languages/tables.ts';
import { beginsSentence, endsClause, indexPhrases, phraseAt, phraseSet, phraseWords } from '../words/phrases.ts';
import type { FoundPhrase, PhraseIndex } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

export interface SectionName {
  readonly key: string;
  /** A common word too: a name only with a colon after it. */
  readonly needsColon: boolean;
}

export interface SectionNames {
  readonly names: PhraseIndex<SectionName>;
  /** Last words of names, for looking back from a colon. */
  readonly lastWords: ReadonlySet<string>;
  /** The largest number of words in a name. */
  readonly maxWords: number;
  readonly assessments: ReadonlySet<string>;
  readonly continuations: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly predicates: ReadonlySet<string>;
  readonly verbEndings: readonly string[];
  readonly notVerbs: ReadonlySet<string>;
  readonly agreeing: readonly (readonly [ofName: string, ofAdjective: readonly string[]])[];
  readonly next: PhraseIndex<true>;
  readonly previous: PhraseIndex<true>;
  readonly goTo: PhraseIndex<true>;
}

/** The names of a language's kinds. */
export function readSectionNames(tables: SectionTables): SectionNames {
  const entries = Object.entries(tables.names).flatMap(([key, names]) =>
    phraseList(names).map((name) => [name, { key, needsColon: name.endsWith(':') }] as const),
  );
  return buildNames(entries, tables);
}

/** Adds the titles and additional names of a template's sections, which count before a colon. */
export function withTemplate(
  known: SectionNames,
  sections: readonly { readonly key: string; readonly title: string; readonly names?: readonly string[] }[],
): SectionNames {
  const own = new Map<string, { words: readonly string[]; value: SectionName }[]>();
  let { maxWords } = known;
  const lastWords = new Set(known.lastWords);
  for (const { key, title, names = [] } of sections) {
    for (const [name, needsColon] of [[title, true], ...names.map((each) => [each, false])] as [string, boolean][]) {
      const words = phraseWords(name);
      const [first, last] = [words[0], words.at(-1)];
      if (first === undefined || last === undefined) continue;
      const same = known.names.get(first)?.find((each) => each.words.join(' ') === words.join(' '));
      const value = { key, needsColon: needsColon && (same?.value.needsColon ?? true) };
      own.set(first, [...(own.get(first) ?? []), { words, value }]);
      lastWords.add(last);
      maxWords = Math.max(maxWords, words.length);
    }
  }
  if (own.size === 0) return known;
  const names = new Map(known.names);
  for (const [first, found] of own) {
    const others = (known.names.get(first) ?? []).filter(
      ({ words }) => !found.some((each) => each.words.join(' ') === words.join(' ')),
    );
    names.set(
      first,
      [...found, ...others].toSorted((a, b) => b.words.length - a.words.length),
    );
  }
  return { ...known, names, lastWords, maxWords };
}

function buildNames(entries: readonly (readonly [string, SectionName])[], tables: SectionTables): SectionNames {
  const words = entries.map(([name]) => phraseWords(name));
  return {
    names: indexPhrases(entries),
    lastWords: new Set(words.flatMap((each) => each.at(-1) ?? [])),
    maxWords: Math.max(...words.map((each) => each.length)),
    assessments: wordSet(fold(tables.assessments)),
    continuations: wordSet(tables.continuations),
    attributes: wordSet(tables.attributes),
    predicates: wordSet(tables.predicates),
    verbEndings: wordList(tables.verbEndings),
    notVerbs: wordSet(tables.notVerbs),
    agreeing: Object.entries(tables.agreeing).map(([ending, endings]) => [ending, wordList(endings)] as const),
    next: phraseSet(tables.next),
    previous: phraseSet(tables.previous),
    goTo: phraseSet(tables.goTo),
  };
}

export const sectionNameAt = (
  tokens: readonly Token[],
  at: number,
  { names }: SectionNames,
): FoundPhrase<SectionName> | undefined => phraseAt(tokens, at, names);

/** Whether the name of a section ends right before the token `at`. */
export function endsSectionName(tokens: readonly Token[], at: number, known: SectionNames): boolean {
  if (!known.lastWords.has(tokens[at - 1]?.folded ?? '')) return false;
  for (let length = 1; length <= known.maxWords; length += 1) {
    if (sectionNameAt(tokens, at - length, known)?.to === at) return true;
  }
  return false;
}

/** Whether a sentence, or the text under the name of a section, begins at the token `at`. */
export const beginsText = (tokens: readonly Token[], at: number, known: SectionNames): boolean =>
  beginsSentence(tokens, at) || tokens[at - 1]?.text === ':' || endsSectionName(tokens, at, known);

const ends = (word: string, endings: readonly string[]): boolean =>
  word.length > 4 && endings.some((ending) => word.endsWith(ending));

/**
 * Whether the name that ends before the token `at` continues there: with a word of its sentence, its verb, or an
 * adjective of it.
 */
export function continuesName(tokens: readonly Token[], at: number, names: SectionNames, concludes: boolean): boolean {
  const [name, next] = [elementAt(tokens, at - 1).folded, tokens[at]?.folded ?? ''];
  const { continuations, attributes, predicates, verbEndings, notVerbs, agreeing } = names;
  if (continuations.has(next)) return true;
  if (name.endsWith('s') && ends(next, verbEndings) && !notVerbs.has(next)) return true;
  if (concludes) return false;
  if (attributes.has(next)) return true;
  if (agreeing.some(([ending, endings]) => name.endsWith(ending) && ends(next, endings))) return true;
  return predicates.has(next) && (endsClause(tokens, at + 1) || continuations.has(tokens[at + 1]?.folded ?? ''));
}
