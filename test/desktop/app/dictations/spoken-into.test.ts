/** What is spoken goes into the section where the caret is, at the caret; nothing is lost when it moves in mid-phrase. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { heardIn, liveReport, placedPhrases } from '../../../../desktop/app/dictations/live/live-report.ts';
import { mapToPieces } from '../../../../desktop/app/dictations/live/stretches.ts';
import { applyHandEdits } from '../../../../src/reporting/live/apply-hand-edits.ts';
import {
  moveToTargets,
  nextPlace,
  nextTakePlace,
  placeAfterPause,
} from '../../../../src/reporting/live/speech-targets.ts';
import type { SpeechTarget } from '../../../../src/reporting/live/speech-targets.ts';
import { withEmpty } from '../../../../src/reporting/live/words.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';

const sections = [
  { key: 'technique', title: 'Técnica' },
  { key: 'findings', title: 'Achados' },
  { key: 'impression', title: 'Impressão' },
];

/** The report after these phrases, while `partial` is being said; each word lasts a second. */
function heard(phrases: readonly string[], partial = ''): LiveReport {
  let end = 0;
  const timed = phrases.map((text, at) => {
    const words = text.split(' ').map((word) => ({ text: word, start: end, end: (end += 1) }));
    return { n: at + 1, text, start: words[0]!.start, end, words };
  });
  end += partial === '' ? 0 : partial.split(' ').length;
  const take = { from: 0, to: end * 10, id: 'trn_0', number: 0, phrases: timed, partial };
  const live = liveReport({
    ...heardIn(mapToPieces([{ from: 0, length: end * 10 }], [take]), 10),
    language: 'pt-BR',
    template: { sections } as never,
    macros: [],
    terms: [],
  });
  return { ...live, sections: withEmpty(live.sections, sections) };
}
/** As `heard`, with the times of the phrases; after `pauseAt` seconds nobody speaks for two. */
function heardWithTimes(phrases: readonly string[], pauseAt: number) {
  let at = 0;
  const timed = phrases.map((text) => {
    const start = at >= pauseAt ? at + 2 : at;
    at += text.split(' ').length;
    return { text, start, end: start + text.split(' ').length };
  });
  return { live: heard(phrases), phrases: placedPhrases({ number: 0, phrases: timed as never }) };
}
const wish = (live: LiveReport, section: string, after: number | null = null): SpeechTarget => ({
  section,
  title: section,
  from: nextPlace(live),
  after,
});
const shown = (live: LiveReport, wishes: readonly SpeechTarget[]): Record<string, string> =>
  Object.fromEntries(
    moveToTargets(live, wishes)
      .sections.filter(({ text }) => text !== '')
      .map(({ key, text }) => [key, text]),
  );

test('words go into the section that was chosen, and on where they were before it was', () => {
  const before = heard(['pulmões limpos ponto']);
  const wishes = [wish(before, 'impression')];
  expect(shown(before, wishes)).toEqual(shown(before, []));
  const after = heard(['pulmões limpos ponto', 'exame normal ponto']);
  expect(Object.values(shown(after, wishes))).toEqual(['Pulmões limpos.', 'Exame normal.']);
  expect(shown(after, wishes)['impression']).toBe('Exame normal.');
});

test('in mid-phrase the words that were said stay, while they may still change and when they are settled', () => {
  const during = heard(['pulmões limpos ponto'], 'sem derrame');
  const wishes = [wish(during, 'impression')];
  const text = (live: LiveReport) => shown(live, wishes);
  expect(text(heard(['pulmões limpos ponto'], 'sem derrame exame'))['impression']).toMatch(/^Exame/);
  const settled = text(heard(['pulmões limpos ponto', 'sem derrame exame normal ponto']));
  expect(settled['impression']).toBe('Exame normal.');
  expect(Object.values(settled).join(' ')).toContain('Sem derrame');
});

test('a section that is named aloud goes before the caret', () => {
  const wishes = [wish(heard(['achados pulmões limpos ponto']), 'technique')];
  const text = shown(
    heard(['achados pulmões limpos ponto', 'helicoidal ponto', 'impressão exame normal ponto']),
    wishes,
  );
  expect(text).toEqual({ technique: 'Helicoidal.', findings: 'Pulmões limpos.', impression: 'Exame normal.' });
});

test('words go behind the word at the caret', () => {
  const before = heard(['achados rim normal ponto']);
  const rim = moveToTargets(before, []).sections.find(({ key }) => key === 'findings')!;
  const [first] = rim.runs;
  const wishes = [wish(before, 'findings', 'from' in first! ? first.from : first!.heard[0]!.from)];
  expect(shown(heard(['achados rim normal ponto', 'direito ponto']), wishes)['findings']).toMatch(/^Rim direito/i);
});

test('the document of the whole dictation has them there too', () => {
  const wishes = [wish(heard(['achados pulmões limpos ponto']), 'impression')];
  const live = heard(['achados pulmões limpos ponto', 'exame normal ponto']);
  const document = [
    { key: 'findings', title: 'Achados', text: 'Pulmões limpos. Exame normal.' },
    { key: 'impression', title: 'Impressão', text: '' },
  ];
  expect(applyHandEdits(document, live, [], wishes).map(({ text }) => text)).toEqual([
    'Pulmões limpos.',
    'Exame normal.',
  ]);
});

const words = ['rim', 'direito', 'lobo', 'hepático', 'nódulo', 'cisto', 'denso', 'calcificado', 'regular', 'aorta'];
const said = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 6 }),
    /** The caret moves after so many words of the phrase. */
    moves: fc.option(fc.record({ after: fc.nat(6), into: fc.constantFrom(...sections.map(({ key }) => key)) })),
  }),
  { minLength: 1, maxLength: 8 },
);

test('each word appears once, in the section with the caret at that moment', () => {
  fc.assert(
    fc.property(said, (plan) => {
      const phrases: string[] = [];
      const wishes: SpeechTarget[] = [];
      const expected = new Map<string, string>();
      let section: string | undefined;
      let n = 0;
      for (const { count, moves } of plan) {
        const phrase = Array.from(
          { length: count },
          () => `${words[n % words.length]}${'abcdefghij'[n++ % 7]}${'klmnop'[n % 6]}`,
        );
        const cut = moves ? Math.min(moves.after, count) : count;
        if (moves) {
          const live = heard(phrases, phrase.slice(0, cut).join(' '));
          const next = wish(live, moves.into);
          wishes.splice(0, Infinity, ...wishes.filter(({ from }) => from < next.from), next);
        }
        phrase.forEach((word, at) => {
          if (moves && at === cut) section = moves.into;
          expected.set(`${phrases.length} ${at} ${word}`, section ?? 'first');
        });
        if (moves && cut === count) section = moves.into;
        phrases.push(phrase.join(' '));
      }
      const plain = heard(phrases);
      const placed = moveToTargets(plain, wishes);
      const wordsOf = (live: LiveReport): string[] =>
        live.sections.flatMap(({ text }) => text.toLowerCase().match(/[\p{L}]+/gu) ?? []).toSorted();
      // Nothing is lost, and nothing is said twice.
      expect(wordsOf(placed)).toEqual(wordsOf(plain));
      const home = plain.sections.find(({ text }) => text !== '')!.key;
      for (const [of, key] of expected) {
        const word = of.split(' ')[2]!;
        const found = placed.sections.filter(({ text }) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'iu').test(text));
        expect(found.map((each) => each.key)).toContain(key === 'first' ? home : key);
      }
    }),
    { numRuns: 60 },
  );
});

test('after a pause only later speech moves, however late the earlier words arrive', () => {
  const said = ['pequeno derrame ponto', 'não há fratura ponto', 'exame normal ponto'];
  // Each word lasts a second; the pause is after the second phrase.
  const pause = { at: 7, spokenTo: 7 };
  const moves = (known: number): Record<string, string> | undefined => {
    const { live, phrases } = heardWithTimes(said.slice(0, known), 7);
    const from = placeAfterPause(live, phrases, pause);
    const { live: all } = heardWithTimes(said, 7);
    return from === undefined ? undefined : shown(all, [{ section: 'technique', title: 'Técnica', from, after: null }]);
  };
  expect([moves(0), moves(1)]).toEqual([undefined, undefined]);
  expect(moves(2)?.['technique']).toBe('Exame normal.');
  expect(moves(3)?.['technique']).toBe('Exame normal.');
});

test('words from before a take stay where they were said, also when they come after it has begun', () => {
  const { live } = heardWithTimes(['pequeno derrame ponto'], 7);
  const from = nextTakePlace(live);
  const { live: later } = heardWithTimes(['pequeno derrame ponto', 'não há fratura ponto'], 7);
  expect(shown(later, [{ section: 'technique', title: 'Técnica', from, after: null }])['technique']).toBeUndefined();
  expect(nextTakePlace({ sections: [], heard: [] })).toBe(0);
});
