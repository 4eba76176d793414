/** Measures in sentences, and those that nothing of the kind can have. */
import { phraseAt } from '../phrases.ts';
import type { Rules } from '../rules.ts';
import { isConclusion, tellsFindings } from './comparing.ts';
import type { Found } from './finding.ts';
import { baseUnit, lengths, plausible } from './plausible.ts';
import type { Plausible } from './plausible.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';

/** A measure: its numbers, in mm where it is a length. */
export interface Measure {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
  readonly unit: string;
  /** First of its words. */
  readonly at: number;
}

/** Whether a limit is named before it: "nodules under 6 mm". */
export const isLimit = ({ words }: Sentence, { at }: Measure, { lexicon, instructions }: Rules): boolean =>
  [1, 2].some((back) => {
    const word = words[at - back];
    // "o maior de 7 cm" is no limit.
    const isSuperlative = instructions.articles.has(words[at - back - 1]?.key ?? '');
    return word !== undefined && ((lexicon.limits.has(word.key) && !isSuperlative) || /^[<>≤≥]$/.test(word.key));
  });

/** The measures of a sentence, sizes as one. */
export function measuresIn({ words }: Sentence): Measure[] {
  const measures: Measure[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (!isFigure(words[at]!)) continue;
    const first = at;
    while (/^[x]$/.test(words[at + 1]?.key ?? '') && words[at + 2] && isFigure(words[at + 2]!)) at += 2;
    const unit = words[at + 1];
    if (unit?.fact !== 'unit') continue;
    const numbers = words.slice(first, at + 1).filter(isFigure);
    const scale = lengths[unit.value!];
    measures.push({
      start: words[first]!.start,
      end: unit.end,
      values: numbers.map(({ value }) => Number(value) * (scale ?? 1)),
      unit: scale === undefined ? unit.value! : 'mm',
      at: first,
    });
  }
  return measures;
}

const isFigure = ({ fact, value }: ReadWord): boolean => fact === 'number' && /^-?\d+(?:\.\d+)?$/.test(value ?? '');

/** Measures that nothing of the kind can have: mostly a unit or a decimal sign that is wrong. */
export function checkPlausible(sections: readonly ReadSection[], rules: Rules): Found[] {
  return sections
    .filter((section) => tellsFindings(section) || isConclusion(section))
    .flatMap(({ key, text, tokens, sentences }) =>
      sentences.flatMap((sentence) => {
        const measures = measuresIn(sentence);
        if (measures.length === 0) return [];
        return measures.flatMap((measure): Found[] => {
          const row = measuredBefore(sentence, measure, { tokens, rules });
          if (!row || isPlausible(measure, row, isAlong(sentence, rules))) return [];
          const written = text.slice(measure.start, measure.end);
          return [
            {
              kind: 'unit_implausible',
              severity: 'warning',
              section: key,
              start: measure.start,
              end: measure.end,
              words: { written },
            },
          ];
        });
      }),
    );
}

/** Endings of adjectives, folded, in our languages: they stand between a noun and its measure ("nódulo calcificado de 4 mm"). */
const adjective =
  /.(?:[ai]d[oa]s?|ic[oa]s?|ares?|al|ais|ales|os[oa]s?|oide|oides|ente|ante|ed|ic|ous|oid|ified)$|^(?:solid|focal|round)$/;

/** Nothing that is found in a body is larger. */
const anyFinding: Plausible = { unit: 'mm', least: 0.1, most: 300 };

/** A nodule of the lung is small by its name. */
const rowFor = (key: string, organs: Sentence['organs']): Plausible | undefined =>
  plausible[
    key === 'nodule' && organs.length > 0 && organs.every((organ) => organ.key === 'lung') ? 'pulmonary_nodule' : key
  ];

/** "com 2 cm no rim", "in the left kidney": where something is. */
const isWithin = (words: Sentence['words'], at: number, { lexicon, instructions }: Rules): boolean => {
  let before = at - 1;
  while (before >= 0 && (instructions.articles.has(words[before]!.key) || words[before]!.fact === 'side')) before -= 1;
  return lexicon.within.has(words[before]?.key ?? '');
};

/** What is measured: named before the measure, with nothing between that could be measured instead ("rim com cálculo de 8 mm"). */
function measuredBefore(
  { words, organs }: Sentence,
  measure: Measure,
  { tokens, rules }: { tokens: ReadSection['tokens']; rules: Rules },
): Plausible | undefined {
  const { lexicon, numbers } = rules;
  for (let at = measure.at - 1; at >= 0; at -= 1) {
    const word = words[at]!;
    const found = phraseAt(tokens, word.token, lexicon.measured);
    if (found) return isWithin(words, at, rules) ? undefined : rowFor(found.value, organs);
    if (phraseAt(tokens, word.token, lexicon.findings)) return anyFinding;
    // "com 10 cm", but "com um cisto de 2 cm"
    const isWith = /^(?:com|con|with)$/.test(word.key);
    const isSmall = isWith ? at === measure.at - 1 : lexicon.small.has(word.key);
    const isBetween =
      word.fact === 'side' || isSmall || numbers.measures.sizes.has(word.key) || adjective.test(word.key);
    // The last word of a name of several: "fração de ejeção".
    if (!isBetween && !endsMeasured(tokens, word.token, rules)) return undefined;
  }
  return undefined;
}

/** Whether the token is in a phrase that names what is measured. */
const endsMeasured = (tokens: ReadSection['tokens'], at: number, { lexicon }: Rules): boolean =>
  [1, 2, 3].some((back) => (at >= back ? (phraseAt(tokens, at - back, lexicon.measured)?.to ?? 0) > at : false));

const isAlong = ({ words }: Sentence, { lexicon }: Rules): boolean =>
  words.some(({ key }) => lexicon.alongside.has(key));

function isPlausible(
  { values, unit }: Measure,
  { unit: wanted, least, most, along }: Plausible,
  isLength: boolean,
): boolean {
  if (unit !== wanted && baseUnit[unit] !== wanted) return true;
  return values.every((value) => value >= least && value <= (isLength ? (along ?? most) : most));
}
