/**
 * The data of a language: every word and phrase that a step knows. Words are compared folded (lower case, without
 * accents) unless a field says otherwise. A list is one string: words separated by white space, phrases by commas.
 */
import type { BodyRegion } from '../../contract/template.ts';
import type { KnownUnit, WrittenUnit } from './units.ts';

/** The written form of spoken punctuation. */
export interface MarkRow {
  readonly out: string;
  readonly phrases: string;
  /**
   * The side to which the mark attaches: `left` as a comma, `right` as an opening parenthesis. A `link` has no spaces
   * between two codes, figures or letters, and is an ordinary word elsewhere ("barra posterior"). A mark that `asks`
   * precedes the questioned word if its sentence continues with one ("opacity ? pneumonia"), and is otherwise `left`.
   */
  readonly cling: 'left' | 'right' | 'both' | 'link' | 'asks';
}

/**
 * Decides whether a spoken mark is an ordinary word or a mark: the first pattern that fits decides, and without any it
 * is a mark. In a pattern `_` is the phrase, `(a|b)` one of these words, `{name}` a word of that set, `-os` a word with that ending, `#` a number, `^`
 * the beginning of a sentence, `$` the end of a clause, `§` the name of a section.
 */
export type Uses = readonly (readonly [verdict: 'mark' | 'word', pattern: string])[];

export interface MarkTables {
  readonly marks: readonly MarkRow[];
  readonly sets: Readonly<Record<string, string>>;
  readonly uses: Readonly<Record<string, Uses>>;
  /** Marks that are nouns too, and occur between written marks in a list. */
  readonly nouns: string;
  /** In lower case, with accents. A word of the language, or of an abbreviation in lower case, is none. */
  readonly hesitations: string;
  /** Nouns before the number of an item of a list, at the beginning of its sentence. */
  readonly items: string;
  /** Ordinals that number an item without a noun, from the first on: "first, …". */
  readonly itemOrdinals: string;
  /** Misheard forms of the spoken colon, which count only right after the name of a section. */
  readonly colons: string;
  /** Said before spoken punctuation or a section name, it makes ordinary words of them. */
  readonly escape: string;
}

export interface NumberTables {
  /** Words from 0 on; the place is the value. */
  readonly small: string;
  /** 20, 30, … 90. */
  readonly tens: string;
  /** 100, 200, … 900, if they are single words. */
  readonly hundreds: string;
  /** Word → value: other forms of the same. */
  readonly also: Readonly<Record<string, number>>;
  /** "two hundred": makes hundreds of the units before it. */
  readonly hundred: string;
  /** Before `hundred` it is a number, and an article elsewhere: "a hundred". */
  readonly oneHundred: string;
  readonly thousand: string;
  readonly million: string;
  /** Between hundreds, tens and units. */
  readonly and: string;
  /** Whether `and` is required between tens and units, and between hundreds and the rest. */
  readonly needsAnd: { readonly tens: boolean; readonly hundreds: boolean };
  /** Words for one that are articles as well. */
  readonly articles: string;
  /** Spoken decimal signs; `point` is one only before a unit, since it ends sentences too. */
  readonly decimal: {
    readonly sign: '.' | ',';
    readonly spoken: string;
    readonly point: string;
    /** As `point`, and after one it may be an ordinary word: "uno con cinco centímetros". */
    readonly unsure: string;
    /** Words after which a number may begin with the sign: "of point eight", "de vírgula oito". */
    readonly bareAfter: string;
    /** Words after which the sign is a noun: "at this point two nodules". */
    readonly nounAfter: string;
    /** Words that make a place of the sign and its number: "a point five centimeters from the carina". */
    readonly places: string;
  };
  /** Whether decimals are always spoken digit by digit ("three point one four"). */
  readonly digitByDigit: boolean;
  readonly connectors: {
    /** Between factors: written ` x `. */
    readonly times: string;
    readonly range: string;
    readonly and: string;
    /** Between the two pressures: written `/`. */
    readonly over: string;
    /** "three of twelve": if one is a figure, so is the other. */
    readonly of: string;
  };
  /** After a unit or a whole number: and a half. */
  readonly half: { readonly after: string; readonly alone: string };
  /** Signs before a number. */
  readonly signs: Readonly<Record<string, string>>;
  /**
   * Articles that make a superlative of a word that is a sign elsewhere ("el mayor de 12 mm"), some with a noun
   * between, and denials ("no greater than 1 cm"): these stay in words.
   */
  readonly superlatives: { readonly articles: string; readonly withNoun: string };
  /** The word for a negative number, and the words before which it is not one ("pelo menos"). */
  readonly minus: {
    readonly spoken: string;
    readonly notAfter: string;
    readonly contexts: string;
    /** Words before a percentage that may be below zero. */
    readonly strain: string;
  };
  /** Nouns of lists that are counted in whole numbers: "segmentos quatro vírgula cinco". */
  readonly listNouns: string;
  /** Words that make a pair of numbers a blood pressure. */
  readonly pressure: string;
  /** Words that make "20 over 40" a visual acuity. */
  readonly acuity: string;
  /** Words that make a pair of numbers a size. */
  readonly sizes: string;
  /** Words after which "por cento e vinte" is no percentage but a factor, as of a size. */
  readonly measuring: string;
  /** How many figures a number before a unit has at least for its thousands to be set apart: "1,800 mL". */
  readonly measuredFrom: 4 | 5;
  /** Whether thousands keep their word: "20 mil", and not "20.000". */
  readonly keepsThousand: boolean;
}

export interface UnitRow extends Omit<WrittenUnit, 'written'> {
  /** The written form; `null` if the word stays and only its number becomes a figure. */
  readonly symbol: string | null;
  readonly phrases: string;
}

export interface UnitTables {
  /** Spoken forms of the units that every language writes alike. */
  readonly spoken: Readonly<Record<KnownUnit, string>>;
  /** Units of this language alone. */
  readonly own: readonly UnitRow[];
  /** Between two units: per. */
  readonly per: string;
  /** Spoken units after `per`: phrase → symbol. */
  readonly denominators: Readonly<Record<string, string>>;
}

/** A noun whose number has a special form: "grau dois" → grau II. */
export interface ClassRow {
  readonly phrases: string;
  readonly style: 'roman' | 'arabic';
  /** Greatest number; beyond it the words stay. */
  readonly max: number;
  /** Letters that may follow the number, as they are written. */
  readonly letters?: string;
  /** Letters that are a class without a number: "tipo A", "hepatite C". */
  readonly alone?: string;
  /** A letter after it is always one: "type a dissection". */
  readonly isSure?: true;
  /** In figures next to one of these words: "diabetes tipo dois", "type two diabetes". */
  readonly arabicBeside?: string;
  /** Its numbers are added: "Gleason 3+4=7". */
  readonly isSum?: true;
  /** Words between it and its number: "ASPECTS of eight". */
  readonly joint?: string;
}

export interface TermTables {
  readonly classes: readonly ClassRow[];
  /** Words between a name of `rads` and its number. */
  readonly category: string;
  /** Words after a number and a letter that is also a word: then it is a letter ("4 a na mama"). */
  readonly afterLetter: string;
  /** Numbers that agree with a noun: never of a class. */
  readonly counting: string;
  /** After "um": then it is an article ("tipo um pouco"). */
  readonly notAfterOne: string;
  /** Between a grade and the greatest there is: "grade two over six" → 2/6. */
  readonly outOf: string;
  /** Between the numbers of a sum: phrase → sign. */
  readonly sums: Readonly<Record<string, string>>;
  /** Letter → its spoken names; with accents where they distinguish them from other words. */
  readonly letters: Readonly<Record<string, string>>;
  /** Names of letters that are also words: a letter only among others. */
  readonly unsureLetters: string;
  /** Abbreviations that may be spelled letter by letter, or recognised in lower case. */
  readonly abbreviations: string;
  /** Those of them that never replace a word in lower case, because that is a word. */
  readonly onlySpelled: string;
  /** Written forms of names and codes: phrase → written. */
  readonly written: Readonly<Record<string, string>>;
  /** Titles of physicians, as they are written; words before one that is named; words after it that are no name. */
  readonly titles: {
    readonly written: Readonly<Record<string, string>>;
    readonly before: string;
    readonly notNames: string;
  };
  /** Words that make a single level of a letter that is also a word ("raiz esse um"), and nouns that have two vertebrae. */
  readonly levelNouns: string;
  readonly discNouns: string;
  /** Small words between two levels, or between a noun and its level. */
  readonly levelJoints: string;
  /** Words that directly precede such a letter only if it names a level: "de esse um". */
  readonly levelAfter: string;
  /** Words before a lead of an electrocardiogram whose letter is also a word: "en ve uno". */
  readonly leadNouns: string;
  /** Names of letters that make a level only next to another one, or after a noun: "esse um". */
  readonly pairedLevels: string;
  /** Words next to which T1 and T2 are sequences, not vertebrae. */
  readonly sequences: string;
  /** Spoken before a stage (`pT2`) → as written. */
  readonly stagePrefixes: Readonly<Record<string, string>>;
}

export interface DateTables {
  /** `day`: 10/03/2026; `month`: March 10, 2026. */
  readonly order: 'day' | 'month';
  /** `h`: 14h30; `:`: 14:30; `12`: 2:30 PM. */
  readonly clock: 'h' | ':' | '12';
  readonly months: string;
  /** Names of months that are words too, and so keep their small letter where no day or year follows. */
  readonly ordinaryMonths: string;
  /** Other names of months → number from 1. */
  readonly alsoMonths: Readonly<Record<string, number>>;
  /** Words for days: first, second … */
  readonly ordinals: Readonly<Record<string, number>>;
  /**
   * Where a ten and an ordinal are one number in figures ("sixty third" → 63rd): the ordinal that is a noun too
   * ("twenty second delay"), the words after it that make it an ordinal, and the words before it that do so if "of"
   * follows. `null`: nowhere.
   */
  readonly compoundOrdinals: { readonly noun: string; readonly before: string; readonly after: string } | null;
  /** Between day, month and year. */
  readonly of: string;
  readonly hours: string;
  readonly minutes: string;
  /** Between hours and minutes. */
  readonly and: string;
  /** Introduces a year that is spoken as two numbers: "of twenty twenty-one". */
  readonly beforeYear: string;
  /** Words before a time of the day, and before the time at which a span ends. */
  readonly at: string;
  readonly until: string;
}

export interface CorrectionTables {
  /** "digo", "I mean": the words after it replace similar ones before. */
  readonly markers: string;
  /** The same, but also ordinary words: without similar words they stay, and there is no question. */
  readonly weak: string;
  /** Markers only between two of a kind, with a comma: "right, no, left". */
  readonly between: string;
  /** Delete the last words. */
  readonly scratch: string;
  /** A marker before similar words, and otherwise a command to delete. */
  readonly strike: string;
  /** Words of one kind, one line each: one replaces another. */
  readonly kinds: readonly string[];
  readonly negations: string;
  /** Small words before a noun or a side: "do lado", "on the". */
  readonly fillers: string;
  /** Prepositions with their contractions, one line each, "of" first: a phrase replaces one with the same. */
  readonly prepositions: readonly string[];
  /** The weak markers that lead to a question if they are isolated; a noun if one of `goesOn` follows. */
  readonly apart: string;
  readonly goesOn: string;
}

export interface SpellingTables {
  readonly start: string;
  readonly end: string;
  /** Words of spelling alphabets: word → letter; others by their first letter after `as`. */
  readonly alphabet: Readonly<Record<string, string>>;
  readonly as: string;
  readonly double: string;
  readonly accents: Readonly<Record<string, string>>;
}

export interface SectionTables {
  /** The key is that of the kind (section-kinds.ts). A name that ends in a colon needs a colon after it. */
  readonly names: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
  /** Names of findings that are the diagnosis where they follow an examination, as in a consultation. */
  readonly assessments: string;
  /** After these a section name at the beginning of a sentence is part of it. */
  readonly continuations: string;
  /** Endings of words that continue a plural name as its verb ("achados correspondem"), except words of `notVerbs`. */
  readonly verbEndings: string;
  readonly notVerbs: string;
  /** Endings of adjectives that agree with the name of a findings section: the ending of the name → theirs. */
  readonly agreeing: Readonly<Record<string, string>>;
  /** Adjectives that continue a name if their clause ends, or continues, after them: "findings benign". */
  readonly predicates: string;
  /** Words that continue the name of a findings section ("achados normais"); a conclusion may begin with them. */
  readonly attributes: string;
  readonly next: string;
  readonly previous: string;
  /** Words before a section name that make it a target: "ir para". */
  readonly goTo: string;
}

export interface LanguageTables {
  readonly marks: MarkTables;
  readonly numbers: NumberTables;
  readonly units: UnitTables;
  readonly dates: DateTables;
  readonly terms: TermTables;
  readonly corrections: CorrectionTables;
  readonly spelling: SpellingTables;
  readonly sections: SectionTables;
  readonly macros: MacroTables;
  readonly facts: FactTables;
  readonly lexicon: LexiconTables;
  readonly messages: Messages;
  readonly instructions: InstructionTables;
}

/** Words that are facts: a report must keep them, and its checks compare them. */
export interface FactTables {
  readonly sides: Readonly<Record<'right' | 'left' | 'both', string>>;
  /** Letters for the sides, and whether they precede the part ("R lobe") or follow it ("lobo D"). */
  readonly shortSides: { readonly right: string; readonly left: string; readonly first: boolean };
  /** Paired body parts next to which such a letter is a side. */
  readonly sidedParts: string;
  /** Places that exclude each other, a row each: name → words. */
  readonly places: readonly Readonly<Record<string, string>>[];
  /** Words and phrases that deny. */
  readonly negations: string;
  /**
   * Words that a recogniser writes for a denial, a side, a number or a level, and nobody says. A phrase of regular
   * expressions without captures: `$` is a mark or the beginning, `{finding}` the first word of a finding, `{place}` a
   * word of `places`, `{part}` one of `sidedParts`.
   */
  readonly misheard: readonly string[];
  /** Words that may precede a unit of length without a number. */
  readonly beforeUnits: string;
  /** Words that deny a finding before them: "não observado", "is not seen". */
  readonly absences: string;
  /** Words that end the range of a negation. */
  readonly scopeEnds: string;
  /** Words that introduce an exception to a denial. */
  readonly exceptions: string;
  /** "outro", "novo", "significativo": a denial of other ones does not deny existing ones. */
  readonly others: string;
  /** Words that only compare with the other side, or with another exam. */
  readonly comparisons: string;
  readonly priors: string;
  /** Words about the past, or about procedures. */
  readonly history: string;
  /** Words that suspect, ask or exclude, and so do not affirm. */
  readonly hypothetical: string;
  /** Words for the communication of a critical result. */
  readonly communication: string;
  /**
   * In a sentence with one of these words about a critical finding, and none of `acute`, no immediate communication is
   * needed.
   */
  readonly chronic: string;
  readonly acute: string;
}

/** The subjects of reports. */
export interface LexiconTables {
  /** Key of a finding → its names, singular and plural. */
  readonly findings: Readonly<Record<string, string>>;
  readonly maleOrgans: string;
  readonly femaleOrgans: string;
  readonly fetus: string;
  readonly pregnancy: string;
  readonly male: string;
  readonly female: string;
  /** Words around a number of years that make it the patient's age. */
  readonly patient: string;
  readonly years: string;
  readonly childhood: string;
  /** Relatives: a sentence about them is not about the patient. */
  readonly family: string;
  /** Modality → the words for it. */
  readonly modalities: Readonly<Record<string, string>>;
  /** Words next to "x-ray" that make it a device or a principle, not a radiograph. */
  readonly devices: string;
  /** Part of the spine → its words, in texts about the spine. */
  readonly spine: Readonly<Record<'cervical' | 'dorsal' | 'lumbar', string>>;
  /** Region → the words for it. */
  readonly regions: Readonly<Record<BodyRegion, string>>;
  /** Key of plausible.ts → its words. */
  readonly measured: Readonly<Record<string, string>>;
  /** Organ → its words: two sentences about different organs are about different things. */
  readonly organs: Readonly<Record<string, string>>;
  /** Words for a shift: the side after them is its direction. */
  readonly shifts: string;
  /** Words before an organ that place something in it or near it, so that the organ is not measured. */
  readonly within: string;
  /** Whether the measured noun follows its measure: "a 5 mm stone". */
  readonly measuresFirst: boolean;
  /** Verbs whose subject is measured. */
  readonly measures: string;
  /** Words that introduce a size ("com 10 cm") or a part ("com um cisto de 2 cm"). */
  readonly bears: string;
  /** "of", with its articles. */
  readonly genitives: string;
  /** Words after a measure, or before one (`distanceMarks`), that make it a distance. */
  readonly distances: string;
  readonly distanceMarks: string;
  /** Joints between two clauses of a sentence, in addition to "and". */
  readonly joints: string;
  /** Words before a measure that make it a limit, not a measurement. */
  readonly limits: string;
  /** Organ → the procedures that remove it. */
  readonly removals: Readonly<Record<string, string>>;
  /** Words with which a procedure leaves a part of the organ. */
  readonly partial: string;
  /** Phrases of a sentence that does not describe an organ, but where it was. */
  readonly removedSigns: string;
  /** "increased", "aumento": with one of `changedBy` before a measure, this is the difference to another exam. */
  readonly changes: string;
  readonly changedBy: string;
  /** Verbs right before such a measure: "cresceu 3 mm". */
  readonly grows: string;
  /** Words that make a measure a length, not a width. */
  readonly alongside: string;
  /** Words for a normal appearance. */
  readonly normal: string;
  /** Words that say nothing about the topic. */
  readonly small: string;
  /** "or", in its forms. */
  readonly alternatives: string;
  /** Words that only say that something is there, or was seen. */
  readonly introducing: string;
  /** Words without which a sentence says something else: how sure it is, whether it is over, how much of it there is. */
  readonly turning: string;
}

/** The messages of findings, by kind; `{name}` is a placeholder. */
export type Messages = Readonly<Record<string, string>>;

export interface MacroTables {
  /** Words that may precede the name of a macro. */
  readonly callers: string;
  /** Words that may follow it, and say what it is. */
  readonly nouns: string;
  /** Words that call all texts for normal findings, after a caller. */
  readonly normals: string;
}

/** Phrases of instructions; the patterns are the same everywhere (src/reporting/instructions/patterns.ts). */
export interface InstructionTables {
  /** Words of the patterns, by their names there. */
  readonly words: Readonly<Record<string, string>>;
  /** Polite words around an instruction that are no part of it. */
  readonly polite: string;
  /** The same, but never a word of a report. */
  readonly courtesies: string;
  /** Between two instructions. */
  readonly then: string;
  /** Beginnings of an instruction that follows another one. */
  readonly starts: string;
  /** Words before the name of the section that an instruction concerns: "nos achados", "in the findings section". */
  readonly inSection: string;
  /** Between two names of sections. */
  readonly and: string;
  /** Words before other words whose every place is meant. */
  readonly all: string;
  /** Words after an instruction or before it: every place in the report is meant. */
  readonly everywhere: string;
  /** Words around the name of a section that is meant in addition to the one that has the words. */
  readonly also: string;
  /** Words before the name of a section that exclude all others. */
  readonly only: string;
  /** Introduces an exception. */
  readonly except: string;
  /** Requests that change no words; an instruction with one of them is not carried out in part. */
  readonly otherVerbs: string;
  readonly articles: string;
  /** Words that precede a noun and mean nothing without it. */
  readonly dangling: string;
  /** Those of them, other than articles, that begin a sentence: "no effusion", "não há derrame". */
  readonly opening: string;
  /** Words before a finding that only say whether it is there: "no evidence of". */
  readonly signs: string;
  readonly nth: Readonly<Record<string, number>>;
  /** Answers, by reason; `{name}` is replaced. */
  readonly answers: Readonly<Record<string, string>>;
}
