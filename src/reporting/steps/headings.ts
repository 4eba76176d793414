/** Names of sections that were misheard ("Axados"), and names between commas in a text that has no colons. */
import type { Change } from '../operation.ts';
import { findHull } from '../operation.ts';
import { indexVocabulary, soundsAlike } from '../vocabulary/vocabulary.ts';
import type { VocabularyIndex } from '../vocabulary/vocabulary.ts';
import type { Language } from '../../contract/shared.ts';
import { beginsSentence, phraseAt } from '../words/phrases.ts';
import { sectionFor } from '../input.ts';
import { phraseList } from '../../domain/fold.ts';
import { findChange } from '../../domain/text-change.ts';
import { freeWords } from '../languages/free-words.ts';
import { tables } from '../languages/index.ts';
import { endsSectionName, sectionNameAt } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { stem } from '../words/stem.ts';
import { endsMark } from './commands.ts';
import type { SpokenMarks } from './commands.ts';
import { isComma, writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

export interface HeadingContext {
  readonly language: Language;
  readonly names: SectionNames;
  readonly marks: SpokenMarks;
  /** The sections of the report. */
  readonly sections: readonly { readonly key: string; readonly title: string }[];
}

/** The fewest names between commas that are headings. */
const minRun = 3;

export function repairHeadings(tokens: readonly Token[], context: HeadingContext): Change[] {
  const misheard = misheardNames(tokens, context);
  const repaired = [...tokens];
  // Two words have their colon, and are in no run.
  for (const { from, to, out } of misheard) if (to === from + 1) repaired[from] = elementAt(out, 0);
  return [...misheard, ...namesBetweenCommas(repaired, context)].toSorted((a, b) => a.from - b.from);
}

/** "Conclusión, los puntos, …", "Conclusión 2.0, …": a spoken colon that was misheard behind the name of a section. */
export function repairColons(
  tokens: readonly Token[],
  { names, marks, language }: Pick<HeadingContext, 'names' | 'marks' | 'language'>,
): Change[] {
  return tokens.flatMap((_, at): Change[] => {
    const to = isNameBefore(tokens, at, names)
      ? misheardColonAt(tokens, isComma(tokens[at]) ? at + 1 : at, marks, language)
      : undefined;
    return to === undefined ? [] : [replaceBy(':', tokens, at, to)];
  });
}

/** Whether a name of a section ends before this token that needs no colon to be one. */
const isNameBefore = (tokens: readonly Token[], at: number, names: SectionNames): boolean =>
  endsSectionName(tokens, at, names) &&
  Array.from({ length: names.maxWords }, (_, words) => sectionNameAt(tokens, at - 1 - words, names)).some(
    (name) => name?.to === at && !name.value.needsColon,
  );

/** The end of the misheard colon, with the marks behind it; before "of" the words are those of a sentence. */
function misheardColonAt(
  tokens: readonly Token[],
  at: number,
  { colons }: SpokenMarks,
  language: Language,
): number | undefined {
  const isMark = (place: number): boolean => /^[.,:]$/.test(tokens[place]?.text ?? '');
  // "Dos punto" is also heard as "2.0".
  const isTwo = colons.has('2') && /^2[.,]0$/.test(tokens[at]?.text ?? '');
  const end = isTwo ? at + 1 : phraseAt(tokens, at, colons)?.to;
  if (end === undefined) return undefined;
  let to = end;
  while (isMark(to)) to += 1;
  const next = tokens[to];
  const isApart = to > end || (tokens[at]?.kind === 'word' && !freeWords[language].has(next?.folded ?? ''));
  return next?.kind === 'word' && isApart ? to : undefined;
}

function replaceBy(text: string, tokens: readonly Token[], from: number, to: number): Change {
  const hull = findHull(tokens.slice(from, to));
  const out = writtenTokens(text, hull.from, hull.to, false);
  return { rule: 'between', from, to, out, fates: [{ ...hull, fate: 'converted' }] };
}

const indexNames = (names: readonly string[], language: Language): VocabularyIndex =>
  indexVocabulary(
    names.filter((name) => !name.includes(' ')).map((write) => ({ write, for: [] })),
    language,
  );

const known = new Map<Language, VocabularyIndex>();

/** The names of one word that the language has for sections. */
function namesIn(language: Language): VocabularyIndex {
  const names = Object.values(tables[language].sections.names).flatMap(phraseList);
  const index = known.get(language) ?? indexNames([...new Set(names.map((name) => name.replace(/:$/, '')))], language);
  known.set(language, index);
  return index;
}

/** The most words that one name is heard as: "Hay azgos, colon". */
const maxParts = 2;

/** A word at the beginning of a sentence, or between commas, that sounds like the name of a section and is no other. */
function misheardNames(tokens: readonly Token[], { language, names, marks, sections }: HeadingContext): Change[] {
  const titles = sections.map(({ title }) => title);
  const indexes = [indexNames(titles, language), namesIn(language)];
  const nameAt = (from: number, to: number): string | undefined => {
    const words = tokens.slice(from, to);
    if (words.length < to - from || words.some(({ kind }) => kind !== 'word')) return undefined;
    const isBetween = isComma(tokens[from - 1]) && isComma(tokens[to]);
    if (!isBetween && !beginsSentence(tokens, from) && !endsMark(tokens, from, marks)) return undefined;
    const next = isComma(tokens[to]) ? to + 1 : to;
    const hasColon =
      tokens[to]?.text === ':' ||
      phraseAt(tokens, next, marks.marks)?.value.row.out === ':' ||
      misheardColonAt(tokens, next, marks, language) !== undefined;
    const isOrdinary = ({ folded }: Token): boolean => indexes.some(({ ordinary }) => ordinary.has(stem(folded)));
    if (!hasColon && (words.length > 1 || words.some(isOrdinary))) return undefined;
    // "Con conclusión": begun, and said whole.
    const [begun, whole] = words;
    if (begun && whole?.folded.startsWith(begun.folded) && sectionNameAt(tokens, from + 1, names)?.to === to)
      return whole.text;
    const [alike] = indexes.flatMap((index) => soundsAlike(words, index) ?? []);
    return (
      alike ?? (hasColon && (words.length > 1 || !words.some(isOrdinary)) ? findNearName(words, indexes) : undefined)
    );
  };
  const changes: Change[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = elementAt(tokens, at);
    if (token.kind !== 'word' || sectionNameAt(tokens, at, names)) continue;
    for (let to = at + 1; to <= at + maxParts; to += 1) {
      const name = nameAt(at, to);
      if (name === undefined) continue;
      const hull = findHull(tokens.slice(at, to));
      const isCapital = token.text !== token.text.toLowerCase();
      const out = writtenTokens(isCapital ? name : name.toLowerCase(), hull.from, hull.to, token.spaced);
      changes.push({ rule: 'misheard', from: at, to, out, fates: [{ ...hull, fate: 'converted' }] });
      at = to - 1;
      break;
    }
  }
  return changes;
}

/** The fewest letters of a name that may be heard with another letter, more or less: "Fine dings, colon". */
const minNearLetters = 7;

/** The one name that the joined words are but for a letter; a colon behind them says that they are a name. */
function findNearName(words: readonly Token[], indexes: readonly VocabularyIndex[]): string | undefined {
  const heard = words.map(({ folded }) => folded).join('');
  const names = indexes.flatMap(({ bySound }) => [...bySound.values()].flat());
  const near = names.filter(({ letters }) => {
    const { from, to, by } = findChange(heard, letters);
    return letters.length >= minNearLetters && heard !== letters && to - from <= 1 && by.length <= 1;
  });
  return new Set(near.map(({ letters }) => letters)).size === 1 ? near[0]?.write : undefined;
}

/** "Indicação, tosse, técnica, PA, achados, pulmões limpos, impressão, normal": the commas become stops and colons. */
function namesBetweenCommas(tokens: readonly Token[], { names, sections, marks }: HeadingContext): Change[] {
  const keys = new Set(sections.map(({ key }) => key));
  const found: { readonly from: number; readonly to: number; readonly key: string }[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const name = tokens[at]?.kind === 'word' ? sectionNameAt(tokens, at, names) : undefined;
    // "Findings, colon, …" has its colon.
    if (!name || !isComma(tokens[name.to]) || phraseAt(tokens, name.to + 1, marks.marks)?.value.row.out === ':')
      continue;
    const isPlaced = at === 0 || isComma(tokens[at - 1]) || beginsSentence(tokens, at);
    if (isPlaced && keys.has(sectionFor(name.value.key, sections)))
      found.push({ from: at, to: name.to, key: name.value.key });
  }
  const isRun =
    found[0]?.from === 0 && found.length >= minRun && new Set(found.map(({ key }) => key)).size === found.length;
  if (!isRun) return [];
  return found.flatMap(({ from, to }) => [
    ...(isComma(tokens[from - 1]) ? [replaceBy('.', tokens, from - 1, from)] : []),
    replaceBy(':', tokens, to, to + 1),
  ]);
}
