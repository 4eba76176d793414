/**
 * Compares measurements of a prior with those of the present report: "nódulo de 6 mm" and, from the prior, "antes 4
 * mm". Measurements are paired by the words around them; if sides or places differ, or two would fit, there is no
 * suggestion.
 */
import type { Language } from '../../contract/shared.ts';
import { fold } from '../../domain/fold.ts';
import type { Span } from '../words/token.ts';

interface Part {
  readonly key: string | null;
  readonly text: string;
}

export interface Measurement extends Span {
  /** Index of its section. */
  readonly section: number;
  /** As written: `4 mm`, `1,2 x 0,8 cm`. */
  readonly text: string;
  /** The words of its clause, folded and cut to their stems. */
  readonly about: ReadonlySet<string>;
}

export interface Comparison {
  readonly present: Measurement;
  readonly prior: Measurement;
}

const measure = /(?<![\p{L}\p{N},.])\d+(?:[.,]\d+)?(?:\s*[x×]\s*\d+(?:[.,]\d+)?){0,2}\s*(?:mm|cm)(?![\p{L}\p{N}])/giu;
/** The boundaries of clauses. */
const clauses = /[;\n]|\.(?=\s|$)/g;

/** Words that say nothing about the measured thing, as stems. */
const empty = new Set(
  'medindo medida medid mede measur diamet diametro approxi aproxima cerca maior menor largest eixo axis antes previou previa anterio today hoje with from with para como esta este have has been sobre entre'.split(
    ' ',
  ),
);
/** Stems that exclude each other. */
const opposites: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [words('direito direita right derecho derecha dext'), words('esquerdo esquerda left izquierdo izquierda sinis')],
  [words('superior upper'), words('inferior lower')],
  [words('anterior anterio'), words('posterior posteri')],
  [words('medial media'), words('lateral later')],
];

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' ').map(stemWord));
}

/** Letters that identify a word: endings of number and gender do not. */
function stemWord(word: string): string {
  return word.slice(0, Math.max(4, Math.min(6, word.length - 1)));
}

/** The measurements of sections, in their order. */
export function measurementsIn(sections: readonly Part[]): Measurement[] {
  return sections.flatMap(({ text }, section) =>
    Array.from(text.matchAll(measure), (match): Measurement => {
      const start = match.index;
      const end = start + match[0].length;
      return {
        section,
        start,
        end,
        text: match[0].replace(/\s+/g, ' '),
        about: stemsIn(clauseAround(text, start, end)),
      };
    }),
  );
}

function clauseAround(text: string, start: number, end: number): string {
  const before = text.slice(0, start);
  const from = [...before.matchAll(clauses)].at(-1);
  const rest = text.slice(end);
  const to = rest.search(/[;\n]|\.(?=\s|$)/);
  return `${before.slice(from ? from.index + 1 : 0)} ${to < 0 ? rest : rest.slice(0, to)}`;
}

const stemsIn = (clause: string): ReadonlySet<string> =>
  new Set(
    (fold(clause.normalize('NFC')).match(/\p{L}{4,}/gu) ?? [])
      .map(stemWord)
      .filter((stem) => !empty.has(stem) && !empty.has(stem.slice(0, 5))),
  );

const has = (about: ReadonlySet<string>, some: ReadonlySet<string>): boolean =>
  [...some].some((stem) => about.has(stem));

/** How similar two clauses are; 0 if they cannot be about the same thing. */
function computeSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const isOpposite = opposites.some(
    ([these, those]) =>
      (has(one, these) && has(other, those) && !has(one, those)) ||
      (has(one, those) && has(other, these) && !has(one, these)),
  );
  if (isOpposite) return 0;
  return [...one].filter((stem) => other.has(stem)).length;
}

/** For each present measurement the most similar prior one; none if two are equally similar. */
export function findComparisons(present: readonly Part[], prior: readonly Part[]): Comparison[] {
  const previous = measurementsIn(prior);
  return measurementsIn(present).flatMap((measurement): Comparison[] => {
    const scored = previous
      .map((candidate) => ({ candidate, score: computeSimilarity(measurement.about, candidate.about) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
    const [best, next] = scored;
    if (!best) return [];
    // The findings and the impression state the same measurement twice.
    const isAlone =
      next?.score !== best.score ||
      scored.every(({ candidate, score }) => score !== best.score || sameText(candidate, best.candidate));
    return isAlone ? [{ present: measurement, prior: best.candidate }] : [];
  });
}

const sameText = (one: Measurement, other: Measurement): boolean => fold(one.text) === fold(other.text);

const formerly: Readonly<Record<Language, string>> = { 'pt-BR': 'antes', 'en-US': 'previously', 'es-ES': 'antes' };

/** "antes 4 mm", in the decimal sign of the language. */
export function comparisonWords(language: Language, { text }: Pick<Measurement, 'text'>): string {
  const written = language === 'en-US' ? text.replace(/(\d),(\d)/g, '$1.$2') : text.replace(/(\d)\.(\d)/g, '$1,$2');
  return `${formerly[language]} ${written}`;
}

/** The text with the words in parentheses after a measurement. */
export const withComparison = (text: string, { end }: Span, comparison: string): string =>
  `${text.slice(0, end)} (${comparison})${text.slice(end)}`;

/** Whether a comparison already follows the measurement, or the measurement is one. */
export const isCompared = (text: string, { start, end }: Span): boolean =>
  /^\s*(?:[([,]\s*)?(?:antes|previously|anteriormente|prior|era)\b/i.test(text.slice(end)) ||
  /(?:antes|previously|anteriormente|prior|era)\s*(?:de\s+)?$/i.test(text.slice(0, start));

/** The sentences of a text, with the marks that end them. */
export const sentencesOf = (text: string): string[] =>
  (text.match(/[^\n]+?(?:[.!?](?=\s|$)|$)/gmu) ?? [])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** The text with a sentence at the caret, with as much white space around it as it needs. */
export function withSentence(
  text: string,
  caret: number,
  sentence: string,
): { readonly text: string; readonly caret: number } {
  const before = text.slice(0, caret);
  const after = text.slice(caret);
  const gap = before === '' || /\s$/.test(before) ? '' : ' ';
  const tail = after === '' || /^[\s.,;)]/.test(after) ? '' : ' ';
  return { text: `${before}${gap}${sentence}${tail}${after}`, caret: caret + gap.length + sentence.length };
}
