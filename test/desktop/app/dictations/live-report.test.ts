/** Words that were heard live, as the report that the service would write of them. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { heardIn, liveReport } from '../../../../desktop/app/dictations/live/live-report.ts';
import type { HeardStretch } from '../../../../desktop/app/dictations/live/live-report.ts';
import { mapToPieces } from '../../../../desktop/app/dictations/live/stretches.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { textOf, withHand } from '../../../../src/reporting/live/hand-edits.ts';
import type { Phrase } from '../../../../src/contract/transcription.ts';
import { labelOpening } from '../../../../src/reporting/sections/label-opening.ts';
import type { Term } from '../../../../src/reporting/vocabulary/vocabulary.ts';
import { write } from '../../../../src/reporting/write.ts';

/** Samples in a second; each word lasts one. */
const rate = 10;
const sections = [
  { key: 'findings', title: 'Achados' },
  { key: 'impression', title: 'Impressão' },
];

function phrase(words: readonly string[], at: number, n: number): Phrase {
  const timed = words.map((text, word) => ({ text, start: at + word, end: at + word + 1 }));
  return { n, text: words.join(' '), start: at, end: at + words.length, words: timed };
}

/** A dictation of these phrases, after which something is being said. */
function stretchOf(phrases: readonly string[], partial: string): HeardStretch {
  let at = 0;
  const heard = phrases.map((text, n) => {
    const words = text.split(' ');
    at += words.length;
    return phrase(words, at - words.length, n + 1);
  });
  return { id: 'trn_1', number: 0, from: 0, to: (at + partial.split(' ').length) * rate, phrases: heard, partial };
}

function shown(language: Language, phrases: readonly string[], partial = '', terms: readonly Term[] = []) {
  const stretch = stretchOf(phrases, partial);
  const soFar = heardIn(mapToPieces([{ from: 0, length: stretch.to }], [stretch]), rate);
  return liveReport({ ...soFar, language, template: { sections }, macros: [], terms });
}
const textsOf = (all: ReturnType<typeof shown>): Record<string, string> =>
  Object.fromEntries(all.sections.map(({ key, text }) => [key, text]));

test.for([
  ['pt-BR', 'achados pulmões limpos ponto', 'nova linha sem derrame', 'Pulmões limpos.\nSem derrame.'],
  ['en-US', 'findings lungs are clear period', 'new line no effusion', 'Lungs are clear.\nNo effusion.'],
  ['es-ES', 'hallazgos pulmones limpios punto', 'nueva línea sin derrame', 'Pulmones limpios.\nSin derrame.'],
] as const)('a spoken command acts at once, in %s', ([language, said, partial, findings]) => {
  expect(textsOf(shown(language, [said], partial))).toEqual({ findings });
});

test.for([
  ['pt-BR', ['achados pulmões limpos ponto', 'sem derrame ponto', 'apagar isso'], 'Pulmões limpos.'],
  ['en-US', ['findings lungs are clear period', 'no effusion period', 'scratch that'], 'Lungs are clear.'],
  ['es-ES', ['hallazgos pulmones limpios punto', 'sin derrame punto', 'borra eso'], 'Pulmones limpios.'],
] as const)('words taken back by voice are gone, in %s', ([language, phrases, findings]) => {
  expect(textsOf(shown(language, phrases))).toEqual({ findings });
});

test('only provisional words are marked as such, in their section', () => {
  const said = shown('pt-BR', ['achados pulmões limpos ponto impressão'], 'exame normal');
  const partial = withHand(said, []).map(({ key, pieces }) => [
    key,
    pieces.flatMap(({ text, isPartial }) => (isPartial ? [text] : [])).join(''),
  ]);
  expect(partial).toEqual([
    ['findings', ''],
    ['impression', 'Exame normal.'],
  ]);
});

test('words that arrive only after the audio has ended come last', () => {
  const stretch = stretchOf(['one two'], '');
  const late: Phrase = { ...phrase(['three'], 0, 2), start: 2, end: 2 };
  const whole: HeardStretch = { ...stretch, to: 20, phrases: [...stretch.phrases, late] };
  expect(heardIn(mapToPieces([{ from: 0, length: 20 }], [whole]), rate).heard.text).toBe('one two three');
});

test('overwritten words are not shown, and inserted ones appear where they were inserted', () => {
  const before: HeardStretch = { ...stretchOf(['one two three four five six'], ''), to: 60 };
  const after: HeardStretch = { ...stretchOf(['seven eight'], ''), id: 'trn_2', number: 1, from: 60, to: 80 };
  const pieces = mapToPieces(
    [
      { from: 0, length: 20 },
      { from: 60, length: 20 },
      { from: 40, length: 20 },
    ],
    [before, after],
  );
  expect(heardIn(pieces, rate).heard.text).toBe('one two seven eight five six');
});

test('in whatever order words arrive, the final text equals the report of the service', () => {
  const word = fc.constantFrom(
    'achados',
    'impressão',
    'pulmões',
    'limpos',
    'ponto',
    'nova',
    'linha',
    'sem',
    'derrame',
    'seis',
    'milímetros',
    'apagar',
    'isso',
    'vírgula',
  );
  const phrases = fc.array(
    fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(
      phrases,
      fc.option(
        fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
        { nil: '' },
      ),
      (finals, partial) => {
        const text = [...finals, partial].filter((each) => each !== '').join(' ');
        const written = write({ heard: { text }, language: 'pt-BR', sections, label: labelOpening }).sections;
        const seen = shown('pt-BR', finals, partial);
        const wanted = written.filter((section) => section.text !== '').map((section) => [section.key, section.text]);
        expect(Object.entries(textsOf(seen))).toEqual(wanted);
        const isMarked = withHand(seen, []).some(({ pieces }) => pieces.some(({ isPartial }) => isPartial));
        expect(Object.fromEntries(withHand(seen, []).map((each) => [each.key, textOf(each)]))).toEqual(textsOf(seen));
        if (partial === '') expect(isMarked).toBe(false);
      },
    ),
    { numRuns: 80 },
  );
});

const terms: readonly Term[] = [
  { write: 'Klatskin', for: ['clat skin', 'clatskin'] },
  { write: 'Bosniak', for: ['bosnia'] },
  { write: 'McBurney', for: ['mac burney'] },
];

test('final words are written as the vocabulary has them, and those that are being said once the next words are there', () => {
  expect(textsOf(shown('pt-BR', ['achados tumor de clat skin'], '', terms))).toEqual({
    findings: 'Tumor de Klatskin.',
  });
  const partial = 'tumor de clat skin à direita com dilatação';
  expect(textsOf(shown('pt-BR', ['achados'], partial.split(' ').slice(0, 5).join(' '), terms))).toEqual({
    findings: 'Tumor de clat skin à.',
  });
  expect(textsOf(shown('pt-BR', ['achados'], partial, terms))).toEqual({
    findings: 'Tumor de Klatskin à direita com dilatação.',
  });
});

test('a word corrected while it was being spoken stays corrected', () => {
  const word = fc.constantFrom('clat', 'skin', 'clatskin', 'mac', 'burney', 'bosnia', 'tumor', 'de', 'rim', 'klatskim');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
      const written = (phrases: readonly string[], partial: string): number[] => {
        const { findings = '' } = textsOf(shown('pt-BR', ['achados', ...phrases], partial, terms));
        return terms.map((term) => findings.split(new RegExp(term.write, 'i')).length - 1);
      };
      const counts = [
        ...words.map((_, at) => written([], words.slice(0, at + 1).join(' '))),
        written([words.join(' ')], ''),
      ];
      for (const [at, count] of counts.entries())
        for (const [term, n] of count.entries()) expect(n).toBeGreaterThanOrEqual(counts[at - 1]?.[term] ?? 0);
    }),
    { numRuns: 40 },
  );
});
