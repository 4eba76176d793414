/** Numbers and terms in the form that a report writes; a value is never changed, and in doubt the words stay. */
import type { Change } from '../operation.ts';
import { phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { beginsText } from '../sections/section-names.ts';
import type { SectionNames } from '../sections/section-names.ts';
import { isBoundary } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { buildChange } from '../numbers/conversion.ts';
import type { Conversion } from '../numbers/conversion.ts';
import { classAt, radsAt } from '../numbers/classes.ts';
import type { ClassWords } from '../numbers/classes.ts';
import { levelAt, stageAt } from '../numbers/codes.ts';
import type { CodeWords } from '../numbers/codes.ts';
import { dateAt, loneYearAt, timeAt } from '../numbers/dates.ts';
import type { DateWords } from '../numbers/dates.ts';
import { abbreviationAt, markerAt } from '../numbers/letters.ts';
import { measureAt, signAt } from '../numbers/measures.ts';
import type { MeasureWords } from '../numbers/measure-words.ts';
import { ordinalAt } from '../numbers/ordinals.ts';
import { readNumbers } from '../numbers/reading.ts';
import type { NumberGrammar, NumberReading } from '../numbers/reading.ts';
import { titleAt } from '../numbers/titles.ts';
import type { TitleWords } from '../numbers/titles.ts';
import { elementAt } from '../../domain/elements.ts';

export interface NumberRules {
  readonly grammar: NumberGrammar;
  readonly measures: MeasureWords;
  readonly classes: ClassWords;
  readonly codes: CodeWords;
  readonly dates: DateWords;
  readonly sections: SectionNames;
  readonly titles: TitleWords;
  /** Phrase → its written form: compounds, and names of persons. */
  readonly written: PhraseIndex<string>;
}

/** The conversions, and the numbers that a person should decide about (tokens). */
export interface NumbersRead {
  readonly changes: Change[];
  readonly doubts: NumberReading['doubts'];
}

export function writeNumbers(tokens: readonly Token[], rules: NumberRules): NumbersRead {
  const reading = readNumbers(tokens, rules.grammar, (at) => beginsText(tokens, at, rules.sections));
  const changes: Change[] = [];
  let at = 0;
  while (at < tokens.length) {
    if (isBoundary(elementAt(tokens, at))) {
      at += 1;
      continue;
    }
    const sign = signAt(tokens, at, { reading, words: rules.measures });
    const start = sign?.to ?? at;
    const found = conversionAt(tokens, start, { rules, reading, isForced: sign !== undefined });
    for (const change of [
      sign && buildChange(tokens, at, { rule: 'sign', to: start, pieces: [{ from: at, to: start, text: sign.sign }] }),
      found && buildChange(tokens, start, found),
    ])
      if (change) changes.push(change);
    at = found && found.to > start ? found.to : start + 1;
  }
  return { changes, doubts: reading.doubts };
}

/** The first rule that fits decides. */
function conversionAt(
  tokens: readonly Token[],
  at: number,
  { rules, reading, isForced }: { rules: NumberRules; reading: NumberReading; isForced: boolean },
): Conversion | undefined {
  const token = elementAt(tokens, at);
  const isNumber = reading.numerals.has(at);
  if (token.kind === 'word') {
    const term = termAt(tokens, at, rules, reading);
    if (term) return term;
  }
  if (!isNumber && token.kind !== 'word') return undefined;
  const dates = { reading, units: rules.grammar.units, words: rules.dates };
  return (
    dateAt(tokens, at, dates) ??
    ordinalAt(tokens, at, { dates: rules.dates, numbers: rules.grammar.words }) ??
    (isNumber ? timeAt(tokens, at, dates) : undefined) ??
    (isNumber ? loneYearAt(tokens, at, dates) : undefined) ??
    measureAt(tokens, at, { reading, words: rules.measures, isForced })
  );
}

function termAt(
  tokens: readonly Token[],
  at: number,
  rules: NumberRules,
  reading: NumberReading,
): Conversion | undefined {
  const { codes, classes } = rules;
  const classed = radsAt(tokens, at, { reading, words: classes }) ?? classAt(tokens, at, { reading, words: classes });
  if (classed) return classed;
  const title = titleAt(tokens, at, rules.titles);
  if (title) return title;
  const phrase = phraseAt(tokens, at, rules.written);
  if (phrase) return { rule: 'term', to: phrase.to, pieces: [{ from: at, to: phrase.to, text: phrase.value }] };
  return (
    markerAt(tokens, at, { reading, words: codes.letters }) ??
    stageAt(tokens, at, { reading, words: codes }) ??
    levelAt(tokens, at, { reading, words: codes }) ??
    abbreviationAt(tokens, at, codes.letters)
  );
}
