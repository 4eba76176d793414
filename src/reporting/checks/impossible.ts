/** Categories, levels, dates and weights that do not exist. */
import type { Language } from '../../contract/shared.ts';
import { rads } from '../languages/rads.ts';
import { maxPlaces } from './finding.ts';
import type { FoundFinding } from './finding.ts';
import type { ReadSection } from './reading.ts';

const systems = rads.filter(({ name }) => name.endsWith('-RADS'));

/** A category, such as `BI-RADS 4A`. */
export const categoryPattern = new RegExp(
  String.raw`\b(${systems.map(({ name }) => name).join('|')})[ :]{1,2}(\d{1,2}[A-CX]?)(?![\d.,]\d)`,
  'gi',
);

/** Vertebrae beyond the last, such as L45 of "L4-L5": transitional ones are L6 and T13, and C34 is a diagnosis. */
const levelPattern = /\b(?:L(?:[7-9]|[1-9]\d)|T(?:1[4-9]|[2-9]\d)|C(?:9|1\d))(?=[-/.,;: )]|$)/g;
const datePattern = /\b(\d{1,2})\/(\d{1,2})\/(\d{4})\b/g;
const weightPattern = /(?<![\d.,])(\d{1,9}(?:[.,]\d{1,9}){0,4}) ?kg\b/g;
/** The heaviest person on record. */
const maxKilograms = 650;

interface Place {
  readonly start: number;
  readonly end: number;
}

const findPlaces = (text: string, pattern: RegExp, isWrong: (match: RegExpExecArray) => boolean): Place[] =>
  Array.from(text.matchAll(pattern))
    .filter(isWrong)
    .map(({ 0: found, index }) => ({ start: index, end: index + found.length }));

const isNoCategory = ([, name = '', category = '']: RegExpExecArray): boolean => {
  const system = systems.find((each) => each.name.toUpperCase() === name.toUpperCase());
  const [min, max] = system?.range ?? [0, Infinity];
  return Number.parseInt(category, 10) < min || Number.parseInt(category, 10) > max;
};

const isNoDate =
  (language: Language) =>
  ([, first = '', second = '', year = '']: RegExpExecArray): boolean => {
    const [month, day] = language === 'en-US' ? [first, second] : [second, first];
    const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
    return date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day);
  };

/** Kilograms: of "1,540" and "1.540" the thousands where the language writes them so, and else the decimal. */
const isTooHeavy =
  (language: Language) =>
  ([, said = '']: RegExpExecArray): boolean => {
    const thousands = language === 'en-US' ? /,/g : /\./g;
    return Number(said.replace(thousands, '').replace(',', '.')) > maxKilograms;
  };

export function checkImpossible(sections: readonly ReadSection[], language: Language): FoundFinding[] {
  return sections.flatMap(({ key, text }) =>
    [
      ...findPlaces(text, categoryPattern, isNoCategory),
      ...findPlaces(text, levelPattern, () => true),
      ...findPlaces(text, datePattern, isNoDate(language)),
      ...findPlaces(text, weightPattern, isTooHeavy(language)),
    ]
      .slice(0, maxPlaces)
      .map(({ start, end }): FoundFinding => ({
        kind: 'unit_implausible',
        severity: 'warning',
        section: key,
        start,
        end,
        words: { written: text.slice(start, end) },
      })),
  );
}
