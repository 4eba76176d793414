/** The words of a dictation, when they were said, and where they stand in the document. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import type { HeardWord } from '../../../src/domain/heard-text.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { traceEdit } from '../../../src/reporting/versions/edits.ts';
import {
  saidAt,
  saidWords,
  secondBefore,
  timedWords,
  findTime,
  wordAt,
} from '../../../src/reporting/versions/word-positions.ts';
import { write } from '../../../src/reporting/write.ts';

const template = [
  { key: 'findings', title: 'Achados' },
  { key: 'impression', title: 'Impressão' },
];

/** Each word of the text takes a second. */
const heardOf = (text: string): HeardWord[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index: start }, at) => ({
    start,
    end: start + word.length,
    from: at,
    to: at + 1,
  }));

function dictate(text: string, language: Language = 'pt-BR') {
  const { sections, provenance } = write({ heard: { text }, language, sections: template });
  const textOf = (section: string): string => sections.find(({ key }) => key === section)!.text;
  const said = saidWords(provenance.words, heardOf(text));
  return {
    sections,
    provenance,
    said,
    timed: timedWords(said),
    /** What of the document is marked while a word is heard. */
    marked: (word: string) =>
      said
        .filter(({ start, end }) => text.slice(start, end) === word)
        .flatMap(({ places }) => places.map(({ section, start, end }) => textOf(section).slice(start, end))),
    at: (section: string, words: string) => {
      const start = textOf(section).indexOf(words);
      return { section, start, end: start + words.length };
    },
  };
}

test('a word unchanged, converted, moved, or undone', () => {
  const text =
    'Achados: nódulo de cinco milímetros no lobo direito. Conclusão: nódulo pulmonar. Achados: coração grande, apagar isso, derrame.';
  const { marked, at, timed } = dictate(text);
  expect(marked('lobo')).toEqual(['lobo']);
  expect(marked('cinco')).toEqual(['5 mm']);
  expect(marked('milímetros')).toEqual(['5 mm']);
  expect(marked('pulmonar')).toEqual(['pulmonar']);
  expect(marked('apagar')).toEqual([]);
  // The whole of “5 mm” plays from its first word, wherever in it somebody clicks.
  const { section, start, end } = at('findings', '5 mm');
  const second = heardOf(text).find((word) => text.slice(word.start, word.end) === 'cinco')!.from;
  for (const caret of [start, start + 1, end - 1, end])
    expect(saidAt(timed, { section, start: caret, end: caret })?.from).toBe(second);
});

test('words that somebody typed have no sound; those around them keep theirs', () => {
  const text = 'Achados: nódulo no lobo direito.';
  const { sections, provenance } = dictate(text);
  const edited = sections.map((each) => ({ ...each, text: each.text.replace('no lobo', 'sólido no lobo') }));
  const traced = traceEdit({ sections, provenance }, edited, { by: 'Dra. Teste', transcript: text });
  const timed = timedWords(saidWords(traced.words, heardOf(text)));
  const start = edited[0]!.text.indexOf('sólido') + 1;
  expect(saidAt(timed, { section: 'findings', start, end: start })).toBeUndefined();
  const lobe = edited[0]!.text.indexOf('lobo');
  expect(saidAt(timed, { section: 'findings', start: lobe, end: lobe + 4 })).toMatchObject({ from: 3 });
});

test('a recogniser that gives times for some words, and only a confidence for others', () => {
  const words = timedWords([
    { start: 0, end: 4, from: 1, places: [] },
    { start: 5, end: 9, confidence: 0.2, places: [] },
    { start: 10, end: 14, from: 1.2, to: 2, places: [] },
  ]);
  expect(words.map(({ from, to }) => [from, to])).toEqual([
    [1, 1.2],
    [1.2, 2],
  ]);
  expect(wordAt(words, 0.9)).toBeUndefined();
  expect(wordAt(words, 1.1)?.start).toBe(0);
  expect(wordAt(words, 2)).toBeUndefined();
  expect(findTime(words, { start: 5, end: 9 })).toBeUndefined();
  expect(findTime(words, { start: 0, end: 14 })).toEqual({ from: 1, to: 2 });
  expect(secondBefore(words, 9)).toBe(1.2);
  expect(secondBefore(words, 3)).toBeUndefined();
});

const word = fc.constantFrom(
  'nódulo',
  'de',
  'cinco',
  'milímetros',
  'lobo',
  'direito',
  'vírgula',
  'ponto',
  'achados',
  'conclusão',
  'apagar isso',
);

test('at every second, the marked words are in the document and play from there; no word is marked for another', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const { sections, said, timed, provenance } = dictate(words.join(' '));
      for (const each of timed) {
        expect(wordAt(timed, (each.from + each.to) / 2)).toBe(each);
        for (const { section, start, end } of each.places) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(sections.find(({ key }) => key === section)!.text.length);
          expect(saidAt(timed, { section, start, end })!.from).toBeLessThanOrEqual(each.from);
        }
      }
      for (const { section, start, end, heard } of provenance.words) {
        const isMarked = said.some(({ places }) =>
          places.some((place) => place.section === section && place.start < end && start < place.end),
        );
        expect(isMarked).toBe(heard !== null);
      }
    }),
    { numRuns: 60 },
  );
});
