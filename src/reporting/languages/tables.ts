/**
 * What a language brings, as data: every word and phrase that a step knows. Words are compared folded (lower case, without
 * accents) unless a field says otherwise. Lists stand in one string: words parted by white space, phrases by commas.
 */
import type { KnownUnit, WrittenUnit } from './units.ts';

/** How spoken punctuation is written. */
export interface MarkRow {
  readonly out: string;
  readonly phrases: string;
  /**
   * To which side the mark clings: `left` as a comma, `right` as an opening parenthesis. A `link` stands without spaces
   * between two codes, figures or letters, and is an ordinary word elsewhere ("barra posterior"). What `asks` stands before the
   * word that is asked about, where its sentence goes on with one ("opacity ? pneumonia"), and else as `left`.
   */
  readonly cling: 'left' | 'right' | 'both' | 'link' | 'asks';
}

/**
 * Where a spoken mark is an ordinary word, or is one after all: the first pattern that fits decides, and without any it is
 * a mark. In a pattern `_` is the phrase, `(a|b)` one of these words, `{name}` a word of that set, `#` a number, `^` the
 * beginning of a sentence, `$` the end of a clause, `§` the name of a section.
 */
export type Uses = readonly (readonly [verdict: 'mark' | 'word', pattern: string])[];

export interface MarkTables {
  readonly marks: readonly MarkRow[];
  readonly sets: Readonly<Record<string, string>>;
  readonly uses: Readonly<Record<string, Uses>>;
  /** Marks that are nouns too, and stand between written marks in a list. */
  readonly nouns: string;
  /** Said before spoken punctuation or a section name, it makes ordinary words of them. */
  readonly escape: string;
}

export interface NumberTables {
  /** Words from 0 on; the place is the value. */
  readonly small: string;
  /** 20, 30, … 90. */
  readonly tens: string;
  /** 100, 200, … 900, where they are words of their own. */
  readonly hundreds: string;
  /** Word → value: other forms of the same. */
  readonly also: Readonly<Record<string, number>>;
  /** "two hundred": makes hundreds of the units before it. */
  readonly hundred: string;
  /** Before `hundred` it is one of them, and an article elsewhere: "a hundred". */
  readonly oneHundred: string;
  readonly thousand: string;
  readonly million: string;
  /** Between hundreds, tens and units. */
  readonly and: string;
  /** Whether `and` must stand between tens and units, and between hundreds and the rest. */
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
    /** Words that make a place of the sign and its number: "a point five centimeters from the carina". */
    readonly places: string;
  };
  /** Decimals are said digit by digit whatever follows ("three point one four"). */
  readonly digitByDigit: boolean;
  readonly connectors: {
    /** Between factors: written ` x `. */
    readonly times: string;
    readonly range: string;
    readonly and: string;
    /** Between the two pressures: written `/`. */
    readonly over: string;
    /** "three of twelve": where the one is a figure, so is the other. */
    readonly of: string;
  };
  /** After a unit or a whole number: and a half. */
  readonly half: { readonly after: string; readonly alone: string };
  /** Signs before a number. */
  readonly signs: Readonly<Record<string, string>>;
  /**
   * Articles that make a superlative of what is a sign elsewhere ("el mayor de 12 mm"), of some with a noun between, and denials
   * ("no greater than 1 cm"): then it stays in words.
   */
  readonly superlatives: { readonly articles: string; readonly withNoun: string };
  /** The word for a negative number, and the words before which it is none ("pelo menos"). */
  readonly minus: { readonly spoken: string; readonly notAfter: string; readonly contexts: string };
  /** Nouns of lists that are counted in whole numbers: "segmentos quatro vírgula cinco". */
  readonly listNouns: string;
  /** Words by which a pair of numbers is a blood pressure. */
  readonly pressure: string;
  /** Words by which a pair of numbers is a size. */
  readonly sizes: string;
  /** Words after which "por cento e vinte" is no percentage but a factor, as of a size. */
  readonly measuring: string;
  /** Whether thousands keep their word: "20 mil", and not "20.000". */
  readonly keepsThousand: boolean;
}

export interface UnitRow extends Omit<WrittenUnit, 'written'> {
  /** As it is written; `null` where the word stays and only its number becomes a figure. */
  readonly symbol: string | null;
  readonly phrases: string;
}

export interface UnitTables {
  /** What is said for the units that every language writes alike. */
  readonly spoken: Readonly<Record<KnownUnit, string>>;
  /** Units of this language alone. */
  readonly own: readonly UnitRow[];
  /** Between two units: per. */
  readonly per: string;
  /** Units that are said after `per`: phrase → symbol. */
  readonly denominators: Readonly<Record<string, string>>;
}

/** A noun whose number is written in a way of its own: "grau dois" → grau II. */
export interface ClassRow {
  readonly phrases: string;
  readonly style: 'roman' | 'arabic';
  /** Greatest number; beyond it the words stay. */
  readonly most: number;
  /** Letters that may follow the number, as they are written. */
  readonly letters?: string;
  /** Letters that are a class without a number: "tipo A", "hepatite C". */
  readonly alone?: string;
  /** A letter after it is always one: "type a dissection". */
  readonly isSure?: true;
  /** In figures beside one of these words: "diabetes tipo dois", "type two diabetes". */
  readonly arabicBeside?: string;
  /** Its numbers are added: "Gleason 3+4=7". */
  readonly isSum?: true;
}

export interface TermTables {
  readonly classes: readonly ClassRow[];
  /** Abbreviations that stand against a number of theirs: name → what is between ("CD20", "TTF-1"). */
  readonly numbered: Readonly<Record<string, string>>;
  /** Words between a name of `rads` and its number. */
  readonly category: string;
  /** Words after a number and a letter that is a word too: then it is a letter ("4 a na mama"). */
  readonly afterLetter: string;
  /** Numbers that agree with a noun: never of a class. */
  readonly counting: string;
  /** After "um": then it is an article ("tipo um pouco"). */
  readonly notAfterOne: string;
  /** Between a grade and the greatest there is: "grade two over six" → 2/6. */
  readonly outOf: string;
  /** Between the numbers of a sum: phrase → sign. */
  readonly sums: Readonly<Record<string, string>>;
  /** Names of letters: letter → names; with accents where that tells them from other words. */
  readonly letters: Readonly<Record<string, string>>;
  /** Names of letters that are words as well: a letter only among others. */
  readonly unsureLetters: string;
  /** Abbreviations that may be spelled letter by letter, or stand in lower case. */
  readonly abbreviations: string;
  /** Those of them that are never written for a word in lower case, because that is a word. */
  readonly onlySpelled: string;
  /** Written forms of names and codes: phrase → written. */
  readonly written: Readonly<Record<string, string>>;
  /** Words that make a lone level of a letter that is a word too: "raiz esse um". */
  readonly levelNouns: string;
  /** Small words between two levels, or between a noun and its level. */
  readonly levelJoints: string;
  /** Words that stand right before such a letter only where it names a level: "de esse um". */
  readonly levelAfter: string;
  /** Words before a lead of an electrocardiogram whose letter is a word as well: "en ve uno". */
  readonly leadNouns: string;
  /** Names of letters that make a level only beside another one, or after a noun: "esse um". */
  readonly pairedLevels: string;
  /** Words beside which T1 and T2 are sequences, and no vertebrae. */
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
  /** Other names of months → number from 1. */
  readonly alsoMonths: Readonly<Record<string, number>>;
  /** Words for days: first, second … */
  readonly ordinals: Readonly<Record<string, number>>;
  /** Between day, month and year. */
  readonly of: string;
  readonly hours: string;
  readonly minutes: string;
  /** Between hours and minutes. */
  readonly and: string;
  /** Before a year, where one is said as two numbers: "of twenty twenty-one". */
  readonly beforeYear: string;
  /** Words before a time of the day. */
  readonly at: string;
}

export interface CorrectionTables {
  /** "digo", "I mean": what follows takes the place of its like before. */
  readonly markers: string;
  /** The same, but words of their own as well: without a like they are left alone, and nobody is asked. */
  readonly weak: string;
  /** Markers only between two of a kind, with a comma: "right, no, left". */
  readonly between: string;
  /** Take back what was said last. */
  readonly scratch: string;
  /** A marker before its like, and else a command to take back. */
  readonly strike: string;
  /** Words of one kind, a line each: one takes the place of another. */
  readonly kinds: readonly string[];
  readonly negations: string;
  /** Small words before a noun or a side: "do lado", "on the". */
  readonly fillers: string;
  /** Prepositions with what they fuse with, a line each, "of" first: a phrase takes the place of one with the same. */
  readonly prepositions: readonly string[];
  /** Of the weak markers those that are asked about where they stand apart; a noun where one of `goesOn` follows. */
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
  /** By key of the kind (section-kinds.ts). A name that ends in a colon is one only with a colon after it. */
  readonly names: Readonly<Record<string, string>>;
  readonly titles: Readonly<Record<string, string>>;
  /** After these a section name at the beginning of a sentence is part of it. */
  readonly continuations: string;
  /** Endings of words that go on with a plural name as its verb ("achados correspondem"), but for words of `notVerbs`. */
  readonly verbEndings: string;
  readonly notVerbs: string;
  /** Endings of adjectives that agree with the name of what was seen: the ending of the name → theirs. */
  readonly agreeing: Readonly<Record<string, string>>;
  /** Adjectives that go on with a name where their clause ends, or goes on, after them: "findings benign". */
  readonly predicates: string;
  /** After the name of what was seen these go on with it ("achados normais"); what is concluded may begin with them. */
  readonly attributes: string;
  readonly next: string;
  readonly previous: string;
  /** Words before a section name that go to it: "ir para". */
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
  /** Letters for the sides, and whether they stand before the part ("R lobe") or after it ("lobo D"). */
  readonly shortSides: { readonly right: string; readonly left: string; readonly first: boolean };
  /** Parts of which there are two, that such a letter stands beside. */
  readonly sidedParts: string;
  /** Places that exclude each other, a row each: name → words. */
  readonly places: readonly Readonly<Record<string, string>>[];
  /** Words and phrases that deny. */
  readonly negations: string;
  /** After a finding they deny it: "não observado", "is not seen". */
  readonly absences: string;
  /** Words that end what a negation reaches. */
  readonly scopeEnds: string;
  /** After a denial: but for what is named then. */
  readonly exceptions: string;
  /** "outro", "novo", "significativo": a denial of other ones denies none that is there. */
  readonly others: string;
  /** The other side, or another exam, is only compared with. */
  readonly comparisons: string;
  readonly priors: string;
  /** Of what was once, or was done to the patient. */
  readonly history: string;
  /** What is suspected, asked or excluded, and so not affirmed. */
  readonly hypothetical: string;
  /** Somebody was told. */
  readonly communication: string;
  /** In a sentence that says this of a critical finding, and nothing of `acute`, nobody has to be told at once. */
  readonly chronic: string;
  readonly acute: string;
}

/** What reports speak of. */
export interface LexiconTables {
  /** Key of a finding → its names, singular and plural. */
  readonly findings: Readonly<Record<string, string>>;
  readonly maleOrgans: string;
  readonly femaleOrgans: string;
  readonly fetus: string;
  readonly pregnancy: string;
  readonly male: string;
  readonly female: string;
  /** Around a number of years that is the patient's age. */
  readonly patient: string;
  readonly years: string;
  readonly childhood: string;
  /** Relatives: what a sentence says of them is not said of the patient. */
  readonly family: string;
  /** Modality → the words for it. */
  readonly modalities: Readonly<Record<string, string>>;
  /** Beside "x-ray": a device or a principle, and no radiograph. */
  readonly devices: string;
  /** Part of the spine → the words for it, where a text speaks of the spine. */
  readonly spine: Readonly<Record<'cervical' | 'dorsal' | 'lumbar', string>>;
  /** Region → the words for it. */
  readonly regions: Readonly<Record<string, string>>;
  /** What is measured (plausible.ts) → words for it. */
  readonly measured: Readonly<Record<string, string>>;
  /** Organ → the words that tell it: where two sentences speak of different ones, they speak of different things. */
  readonly organs: Readonly<Record<string, string>>;
  /** Something is moved: the side after it is where to. */
  readonly shifts: string;
  /** Before an organ: something is in it or near it, and not the organ is measured. */
  readonly within: string;
  /** The noun that is measured stands after its measure: "a 5 mm stone". */
  readonly measuresFirst: boolean;
  /** Verbs by which what stands before is measured. */
  readonly measures: string;
  /** Something has what follows: its own size ("com 10 cm"), or something else ("com um cisto de 2 cm"). */
  readonly bears: string;
  /** "of", with its articles. */
  readonly genitives: string;
  /** After a measure, or before one (`distanceMarks`): it is how far something is. */
  readonly distances: string;
  readonly distanceMarks: string;
  /** Between two clauses of a sentence, besides "and". */
  readonly joints: string;
  /** Before a measure: a limit that is named, and nothing that was measured. */
  readonly limits: string;
  /** Words by which a measure is a length, and not what is across. */
  readonly alongside: string;
  /** Said of what has nothing to see. */
  readonly normal: string;
  /** Words that say nothing of what is spoken of. */
  readonly small: string;
}

/** What a person reads of a finding, by kind; `{name}` is replaced. */
export type Messages = Readonly<Record<string, string>>;

export interface MacroTables {
  /** Words that may stand before the name of a macro. */
  readonly callers: string;
  /** Words that may stand after it, and say what it is. */
  readonly nouns: string;
}

/** How somebody asks for a change of a document; the patterns themselves are the same everywhere (src/reporting/instructions/patterns.ts). */
export interface InstructionTables {
  /** Words of the patterns, by their names there. */
  readonly words: Readonly<Record<string, string>>;
  /** Said around an instruction, and no part of it. */
  readonly polite: string;
  /** The same, but never a word of a report. */
  readonly courtesies: string;
  /** Between two instructions. */
  readonly then: string;
  /** How an instruction begins that comes after another one. */
  readonly starts: string;
  /** Before the name of a section that an instruction is about: "nos achados", "in the findings section". */
  readonly inSection: string;
  /** Between two names of sections. */
  readonly and: string;
  /** Before words: every place of them is meant. */
  readonly all: string;
  /** After an instruction or before it: every place in the document is meant. */
  readonly everywhere: string;
  /** Around the name of a section: it is meant besides the one where the words stand. */
  readonly also: string;
  /** Before the name of a section: no other is meant. */
  readonly only: string;
  /** Before what is not meant. */
  readonly except: string;
  /** What people ask for that is no change of words; an instruction with one of them is not half carried out. */
  readonly otherVerbs: string;
  /** Sounds between words. */
  readonly hesitations: string;
  readonly articles: string;
  /** Words that stand before a noun and are nothing without it. */
  readonly dangling: string;
  readonly nth: Readonly<Record<string, number>>;
  /** Answers, by reason; `{name}` is replaced. */
  readonly answers: Readonly<Record<string, string>>;
}
