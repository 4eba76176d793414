/**
 * Finds words of a dictation that are neither of the language nor of medicine, with the one medical term that each may
 * stand for, or with some that are near.
 */
import type { Language } from '../../../src/contract/shared.ts';
import type { UnknownWords } from '../../../src/domain/heard-text.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { fold, wordSet } from '../../../src/domain/fold.ts';
import { normalForm } from '../../../src/domain/normal-form.ts';
import { integerAt } from '../../../src/reporting/numbers/numeral.ts';
import { findRules } from '../../../src/reporting/rules.ts';
import { keepsFacts } from '../../../src/reporting/steps/vocabulary.ts';
import { findSound, prefixOf } from '../../../src/reporting/vocabulary/vocabulary.ts';
import { beginsSentence, phraseWords } from '../../../src/reporting/words/phrases.ts';
import { stem } from '../../../src/reporting/words/stem.ts';
import { tokenise } from '../../../src/reporting/words/token.ts';
import type { HeardToken } from '../../../src/reporting/words/token.ts';
import type { Dictionary } from './dictionary.ts';
import { findBareSides } from './find-bare-sides.ts';
import { letterDistance } from './letter-distance.ts';
import type { MedicalTerm, MedicalTerms } from './medical-terms.ts';
import { isUnwrittenForm } from './unwritten-forms.ts';

export interface LexiconContext {
  readonly language: Language;
  readonly dictionary: Dictionary;
  readonly terms: MedicalTerms;
  /** Texts whose words are known: the user's vocabulary, names of macros and sections, the exam. Default: none. */
  readonly known?: readonly string[];
  /** Whether time is short: then words are asked about without suggestions of the dictionary. Default: never. */
  readonly isLate?: () => boolean;
}

/** A shorter word is an abbreviation as often as an error. */
const minLetters = 5;
/** The same of a word without a capital. */
const minSmallLetters = 4;
/** The most words of a term, and the most places of one dictation. */
const maxWords = 3;
const maxPlaces = 20;
/** With more unknown words, and this share of all, the text is in another language. */
const fewUnknown = 8;
const maxShare = 0.3;
/** A text of this length has an accent, unless it has none at all. */
const minAccented = 60;
/** Near terms that a question offers. */
const maxOffered = 3;

export function findUnknown(heard: string, context: LexiconContext): UnknownWords[] {
  const tokens = tokenise(normalForm(heard));
  // A text without accents was typed so: there each second word would be unknown.
  const isPlain = context.language !== 'en-US' && heard.length > minAccented && /^[\u0000-\u007f]*$/.test(heard);
  const known = new Set((context.known ?? []).flatMap((text) => phraseWords(text).map(stem)));
  const isOpen = (at: number): boolean => !isPlain && !known.has(stem(elementAt(tokens, at).folded));
  const unknown = new Set(tokens.flatMap((_, at) => (isOpen(at) && isUnknown(tokens, at, context) ? [at] : [])));
  const words = tokens.filter(({ kind }) => kind === 'word').length;
  if (unknown.size > fewUnknown && unknown.size > maxShare * words) return [];
  const found: UnknownWords[] = [];
  for (let at = 0; at < tokens.length && found.length < maxPlaces; at += 1) {
    const place = correctAt(tokens, at, unknown, context);
    if (!place) continue;
    found.push({ start: elementAt(tokens, at).start, end: elementAt(tokens, place.to - 1).end, ...place.terms });
    at = place.to - 1;
  }
  const isMedical = (word: string): boolean => context.terms.isMedical(word) || known.has(stem(word));
  const odd = [
    ...findBareSides(tokens, context.language, isMedical),
    ...findCutDenials(tokens, context),
    ...findCutPrefixes(tokens, context),
  ].filter((place) => !found.some(({ start, end }) => start < place.end && place.start < end));
  return [...found, ...odd].toSorted((a, b) => a.start - b.start);
}

/** Small words that are heard for the beginning of a denied word, and the endings of such words, folded. */
const cutDenials: Readonly<Record<Language, readonly [ReadonlySet<string>, RegExp]>> = {
  'pt-BR': [wordSet('e em'), /(?:[ai]d[oa]s?|[áaei]vel|[áaei]veis|et[oa]s?)$/],
  'en-US': [wordSet('and in'), /(?:ate|ated|able|ible|ite|ive)$/],
  'es-ES': [wordSet('y e en'), /(?:[ai]d[oa]s?|[aei]bles?|et[oa]s?)$/],
};

/** "Lesión y determinada": a denied word of medicine ("indeterminada") whose rest is none. */
function findCutDenials(tokens: readonly HeardToken[], { language, terms }: LexiconContext): UnknownWords[] {
  const [small, ending] = cutDenials[language];
  return tokens.flatMap(({ folded, kind, start }, at): UnknownWords[] => {
    const rest = tokens[at + 1];
    if (kind !== 'word' || !small.has(folded) || rest?.kind !== 'word' || terms.has(rest.folded)) return [];
    const whole = `in${rest.folded}`;
    return ending.test(rest.folded) && terms.has(whole) ? [{ start, end: rest.end, near: [whole] }] : [];
  });
}

/** A preposition that is also a prefix; before an adjective alone it is none. */
const prefixWord = 'para';
const adjectiveEnding = /(?:al|ales|ais)$/;

/** "Hernia para central": one term of two words that are also words alone; asked about if a place is lost by it. */
function findCutPrefixes(tokens: readonly HeardToken[], { language, terms }: LexiconContext): UnknownWords[] {
  return tokens.flatMap(({ folded, text, start }, at): UnknownWords[] => {
    const rest = tokens[at + 1];
    if (folded !== prefixWord || rest?.kind !== 'word' || !adjectiveEnding.test(rest.folded)) return [];
    const whole = `${text}${rest.text.toLowerCase()}`;
    if (!terms.has(fold(whole))) return [];
    const keeps = keepsFacts(`${text} ${rest.text}`, whole, findRules(language));
    return [{ start, end: rest.end, ...(keeps ? { term: whole } : { near: [whole] }) }];
  });
}

/** Words before the name of a person. */
const titles = wordSet(
  'dr dra dro doutor doutora doctor doctora doc prof professor professora sr sra mr mrs ms nome name nombre',
);
const maxNames = 4;

/** Whether a word is neither of the language nor of medicine, nor a name or an abbreviation. */
function isUnknown(
  tokens: readonly HeardToken[],
  at: number,
  { language, dictionary, terms }: LexiconContext,
): boolean {
  const { kind, text, folded } = elementAt(tokens, at);
  const min = text === text.toLowerCase() ? minSmallLetters : minLetters;
  if (kind !== 'word' || folded.length < min || !/^\p{L}+$/u.test(text)) return false;
  if (text === text.toUpperCase() || isName(tokens, at, language)) return false;
  if (terms.has(folded)) return false;
  if (dictionary.has(text)) return isUnwrittenForm(folded, language);
  return !terms.isBuilt(folded, (rest) => dictionary.has(rest));
}

function isName(tokens: readonly HeardToken[], at: number, language: Language): boolean {
  const isTitled = tokens.slice(Math.max(0, at - maxNames), at).some(({ folded }) => titles.has(folded));
  const isProper = /^\p{Lu}/u.test(elementAt(tokens, at).text) && !beginsSentence(tokens, at);
  return isTitled || (isProper && !isMeasuredPlace(tokens, at, language));
}

/** Models write what they misheard as a name: "no Inesquerto, de 7 mm" for "no rim esquerdo". */
function isMeasuredPlace(tokens: readonly HeardToken[], at: number, language: Language): boolean {
  const { lexicon, instructions, facts } = findRules(language);
  const before = tokens[at - 1]?.folded ?? '';
  if (!lexicon.within.has(before) && !instructions.articles.has(before)) return false;
  const comma = tokens[at + 1]?.text === ',' ? 1 : 0;
  const of = at + 1 + comma;
  return (
    lexicon.genitives.has(tokens[of]?.folded ?? '') && integerAt(tokens, of + 1, facts.grammar.words) !== undefined
  );
}

interface Place {
  readonly to: number;
  readonly terms: Pick<UnknownWords, 'term' | 'near'>;
}

/** Chooses the nearest of the terms that one to three words stand for, and the fewest words if two are as near. */
function correctAt(
  tokens: readonly HeardToken[],
  at: number,
  unknown: ReadonlySet<number>,
  context: LexiconContext,
): Place | undefined {
  let best: (Meant & { readonly to: number }) | undefined;
  for (let count = 1; count <= maxWords; count += 1) {
    const words = tokens.slice(at, at + count);
    if (words.length < count || words.some(({ kind }) => kind !== 'word')) break;
    const hasUnknown = words.some((_, offset) => unknown.has(at + offset));
    const isOther = words.some(({ folded }) => !context.terms.has(folded));
    if (!hasUnknown && (count === 1 || !isOther)) continue;
    const different = words.filter((_, offset) => unknown.has(at + offset));
    const meant = findTerm(words, different, context);
    if (meant && (!best || meant.distance < best.distance)) best = { ...meant, to: at + count };
  }
  if (best) return { to: best.to, terms: { term: best.term } };
  if (!unknown.has(at)) return undefined;
  return { to: at + 1, terms: { near: offer(elementAt(tokens, at), context) } };
}

/** A term, and how far it is from the words that stand for it. */
interface Meant {
  readonly term: string;
  readonly distance: number;
}

interface Candidate {
  readonly write: string;
  readonly letters: string;
  readonly distance: number;
  readonly isTerm: boolean;
}

/** The one term that the words stand for; `undefined` if there is none, or the choice is a guess. */
function findTerm(
  words: readonly HeardToken[],
  unknown: readonly HeardToken[],
  context: LexiconContext,
): Meant | undefined {
  const { language, terms } = context;
  const form = words.map(({ text }) => text).join(' ');
  const letters = words.map(({ folded }) => folded).join('');
  const sound = findSound(words.map(({ text }) => text).join(''), language);
  const isMeant = (write: string): boolean => keepsFacts(form, write, findRules(language));
  const same = distinct(
    // "Neumo tórax": the same letters in fewer words.
    (terms.bySound.get(sound) ?? []).filter((term) => term.letters !== letters || term.words < words.length),
  );
  if (same.length > 0) {
    const [term] = same;
    return term && same.length === 1 && isMeant(term.write)
      ? { term: withCase(words, term.write), distance: 0 }
      : undefined;
  }
  // Without the words of the language that are near, a term is a guess.
  if (unknown.length === 0 || context.isLate?.()) return undefined;
  const endsAlike = (each: Candidate): number => (each.letters.at(-1) === letters.at(-1) ? 1 : 0);
  // The words that are right allow the others no more differences.
  const max = Math.min(...unknown.map(({ folded }) => maxDistance(folded)));
  const isWhole = ({ letters: term }: Candidate): boolean =>
    words.length > 1 && words.some(({ folded }) => folded === term);
  const near = findNear(letters, sound, max + 1, context).filter((each) => !isWhole(each));
  const others = words.length === 1 ? suggested(elementAt(words, 0), context) : [];
  const [best, next] = distinct(
    [...near, ...others].toSorted((a, b) => a.distance - b.distance || endsAlike(b) - endsAlike(a)),
  );
  if (!best?.isTerm || best.distance > max || differInPrefix(best.letters, letters)) return undefined;
  if (best.distance > 1 && stem(best.letters).slice(-2) !== stem(letters).slice(-2)) return undefined;
  const isGuess = next && next.distance <= best.distance + (isOfFamily(best, next) ? 0 : 1);
  return isGuess || !isMeant(best.write) ? undefined : { term: withCase(words, best.write), distance: best.distance };
}

/** "Atelectasia" and "atelectásico": the nearer of them is meant. */
const isOfFamily = (a: Candidate, b: Candidate): boolean =>
  a.letters.slice(0, familyLetters) === b.letters.slice(0, familyLetters);
const familyLetters = 8;

/** Letters or sounds in which a misheard word of this length may differ from a term. */
const maxDistance = (letters: string): number =>
  letters.length < 6 ? 0 : letters.length < 10 ? 1 : letters.length < 16 ? 2 : 3;

function findNear(letters: string, sound: string, max: number, { terms }: LexiconContext): Candidate[] {
  return terms.terms.flatMap((term): Candidate[] => {
    if (Math.abs(term.letters.length - letters.length) > max) return [];
    const distance = Math.min(letterDistance(term.sound, sound, max), letterDistance(term.letters, letters, max));
    return distance <= max ? [{ ...term, distance, isTerm: true }] : [];
  });
}

/** Words of the language that are as near as a term make the term a guess. */
const suggested = ({ text, folded }: HeardToken, { dictionary, isLate }: LexiconContext): Candidate[] =>
  (isLate?.() ? [] : dictionary.suggest(text)).flatMap((write): Candidate[] => {
    const letters = fold(write);
    if (!/^\p{L}+$/u.test(letters)) return [];
    return [{ write, letters, distance: letterDistance(letters, folded, letters.length), isTerm: false }];
  });

/** One of those that differ only in their inflection. */
function distinct<T extends Pick<MedicalTerm, 'letters'>>(candidates: readonly T[]): T[] {
  const stems = new Set<string>();
  return candidates.filter(({ letters }) => {
    const isNew = !stems.has(stem(letters));
    stems.add(stem(letters));
    return isNew;
  });
}

/** "Hipo-" and "hiper-": prefixes of three letters or more that make opposites. */
const differInPrefix = (a: string, b: string): boolean => {
  const [first = '', second = ''] = [prefixOf(a), prefixOf(b)];
  return first !== second && first.length > 2 && second.length > 2;
};

function offer(word: HeardToken, context: LexiconContext): string[] {
  const sound = findSound(word.text, context.language);
  const near = [...findNear(word.folded, sound, maxDistance(word.folded) + 1, context), ...suggested(word, context)];
  const best = distinct(near.toSorted((a, b) => a.distance - b.distance)).slice(0, maxOffered);
  return best.map(({ write }) => withCase([word], write));
}

/** With a capital if the words begin with one. */
const withCase = ([first]: readonly HeardToken[], write: string): string =>
  first && /^\p{Lu}/u.test(first.text) ? write.charAt(0).toUpperCase() + write.slice(1) : write;
