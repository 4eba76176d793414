/** The rules of a language, read from its tables once. */
import type { Language } from '../contract/shared.ts';
import { findDirections } from './languages/directions.ts';
import { freeWords } from './languages/free-words.ts';
import { tables } from './languages/index.ts';
import { eponyms } from './languages/names.ts';
import { readClasses } from './numbers/classes.ts';
import { readCodes } from './numbers/codes.ts';
import { readDates } from './numbers/dates.ts';
import { readLetters } from './numbers/letters.ts';
import { readMeasureWords } from './numbers/measure-words.ts';
import { readNumberWords } from './numbers/numeral.ts';
import { readDecimalWords } from './numbers/reading.ts';
import { readTitles } from './numbers/titles.ts';
import { readUnits } from './numbers/units.ts';
import { readLexicon } from './checks/lexicon.ts';
import type { Lexicon } from './checks/lexicon.ts';
import { readFacts } from './facts.ts';
import { fold, wordList, wordSet } from '../domain/fold.ts';
import type { FactWords } from './facts.ts';
import { readInstructions } from './instructions/instruction-words.ts';
import type { InstructionWords } from './instructions/instruction-words.ts';
import { readLikes } from './words/token-kinds.ts';
import type { MacroWords } from './vocabulary/macros.ts';
import { indexPhrases, phraseSet } from './words/phrases.ts';
import { readSectionNames } from './sections/section-names.ts';
import type { SectionNames } from './sections/section-names.ts';
import { readMarks } from './steps/commands.ts';
import type { SpokenMarks } from './steps/commands.ts';
import { readCorrections } from './steps/corrections.ts';
import type { CorrectionWords } from './steps/corrections.ts';
import { readSpelling } from './steps/spelling.ts';
import type { ItemWords } from './steps/items.ts';
import type { SpellingWords } from './steps/spelling.ts';
import type { NumberRules } from './steps/numbers.ts';

export interface Rules {
  readonly language: Language;
  readonly marks: SpokenMarks;
  readonly numbers: NumberRules;
  readonly sections: SectionNames;
  readonly items: ItemWords;
  readonly titles: Readonly<Record<string, string>>;
  readonly corrections: CorrectionWords;
  /** Markers of a self-correction, as phrases. */
  readonly markers: string;
  readonly spelling: SpellingWords;
  readonly facts: FactWords;
  readonly lexicon: Lexicon;
  readonly instructions: InstructionWords;
  readonly macros: MacroWords;
}

const read = new Map<Language, Rules>();

/** The rules of a language: always the same object. */
export function findRules(language: Language): Rules {
  const known = read.get(language);
  if (known) return known;
  const rules = readRules(language);
  read.set(language, rules);
  return rules;
}

function readRules(language: Language): Rules {
  const {
    marks,
    numbers,
    units: unitTables,
    dates,
    terms,
    corrections,
    spelling,
    sections,
    macros,
    facts,
    lexicon,
    instructions,
  } = tables[language];
  const words = readNumberWords(numbers);
  const units = readUnits(unitTables);
  const grammar = { words, units, decimals: readDecimalWords(numbers) };
  const dateWords = readDates(dates);
  const names = readSectionNames(sections);
  const letters = readLetters(terms);
  const markers = `${corrections.markers}, ${corrections.strike}`;
  return {
    language,
    marks: readMarks(marks),
    numbers: {
      grammar,
      measures: readMeasureWords(numbers, { units, markers, ordinals: dateWords.ordinals }),
      classes: readClasses(terms, `${numbers.connectors.and} ${numbers.connectors.range}`, markers, { letters, units }),
      codes: readCodes(terms, numbers, letters, units),
      dates: dateWords,
      sections: names,
      titles: readTitles(terms),
      written: indexPhrases([...eponyms, ...findDirections(language), ...Object.entries(terms.written)]),
    },
    sections: names,
    items: {
      nouns: phraseSet(marks.items),
      ordinals: new Map(wordList(fold(marks.itemOrdinals)).map((word, at) => [word, at + 1])),
      numbers: words,
      sections: names,
    },
    titles: sections.titles,
    corrections: readCorrections(
      corrections,
      readLikes(corrections.kinds, { numbers: words, units, dates: dateWords }),
    ),
    markers,
    spelling: readSpelling(spelling, letters),
    facts: readFacts(facts, { grammar, dates: dateWords, free: freeWords[language] }),
    lexicon: readLexicon(facts, lexicon),
    instructions: readInstructions(instructions),
    macros: { callers: phraseSet(macros.callers), nouns: wordSet(macros.nouns), normals: phraseSet(macros.normals) },
  };
}
