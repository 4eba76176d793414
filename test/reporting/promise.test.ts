/** The promise of the report language, over generated dictations. */
import * as fc from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import type { Report } from '../../src/reporting/document.ts';
import { write } from '../../src/reporting/write.ts';
import type { Vocabulary } from '../../src/reporting/vocabulary/vocabulary.ts';
import { dictation, measure, runs, vocabulary } from './generated.ts';
import { sections } from './written.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
const folded = (text: string): string => text.toLowerCase().replace(/\s/g, ' ');
interface Given {
  readonly language: Language;
  readonly words: Vocabulary | undefined;
}
const report = (text: string, { language, words }: Given, without: readonly string[] = []): Report =>
  write({ heard: { text }, language, sections, without, ...(words && { vocabulary: words }) });

/** Dictations, and vocabularies, by which some promise was not kept. */
const counterexamples: Partial<Record<Language, [said: string, words: Vocabulary | undefined][]>> = {
  'pt-BR': [
    [
      'zero desconsiderar a última frase nódulo no lobo superior direito',
      { terms: [{ write: 'importante', for: ['a'] }], isHeard: false },
    ],
  ],
  'en-US': [
    ['two grams I mean one a', undefined],
    ['2 cm, I mean, 3 per second', undefined],
    [
      'two millimeters study notice',
      { terms: [{ write: 'remove the last sentence smooth', for: ['study'] }], isHeard: false },
    ],
  ],
};

describe.each(languages)('%s', (language) => {
  const holds = (property: (heard: string, given: Given) => void): void =>
    fc.assert(
      fc.property(dictation(language), vocabulary(language), (text, words) => {
        property(text.normalize('NFC'), { language, words });
      }),
      {
        numRuns: runs,
        examples: counterexamples[language] ?? [],
      },
    );

  it('accounts for every word heard, once and in order', () =>
    holds((heard, given) => {
      const { provenance } = report(heard, given);
      let end = 0;
      for (const account of provenance.heard) {
        expect(account.start).toBeGreaterThanOrEqual(end);
        expect(wordsOf(heard.slice(end, account.start))).toEqual([]);
        end = account.end;
      }
      expect(wordsOf(heard.slice(end))).toEqual([]);
    }));

  it('gives the origin of every word of the document, and keeps the spoken text', () =>
    holds((heard, given) => {
      const { sections: made, provenance } = report(heard, given);
      for (const { key, text } of made) {
        let end = 0;
        for (const run of provenance.words.filter(({ section }) => section === key)) {
          expect(wordsOf(text.slice(end, run.start))).toEqual([]);
          end = run.end;
          if (run.origin !== 'said') continue;
          expect(folded(text.slice(run.start, run.end))).toBe(folded(heard.slice(run.heard!.start, run.heard!.end)));
        }
        expect(wordsOf(text.slice(end))).toEqual([]);
      }
    }));

  it('writes every word that is accounted as written, and each one once', () =>
    holds((heard, given) => {
      const { provenance } = report(heard, given);
      const kept = provenance.heard
        .filter(({ fate }) => fate === 'written')
        .flatMap(({ start, end }) => wordsOf(heard.slice(start, end)));
      const said = provenance.words
        .filter(({ origin }) => origin === 'said')
        .flatMap(({ heard: span }) => wordsOf(heard.slice(span!.start, span!.end)));
      expect(said.toSorted()).toEqual(kept.toSorted());
    }));

  it('keeps the order of what was said inside a section', () =>
    holds((heard, given) => {
      const { provenance } = report(heard, given);
      const moved = new Set(provenance.operations.filter(({ step }) => step === 'corrections').map(({ id }) => id));
      fc.pre(moved.size === 0);
      for (const key of new Set(provenance.words.map(({ section }) => section))) {
        const starts = provenance.words
          .filter(({ section, heard: span }) => section === key && span !== null)
          .map(({ heard: span }) => span!.start);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }
    }));

  it('undoes any conversion: without all of them every word is as spoken', () =>
    holds((heard, given) => {
      let without: string[] = [];
      let made = report(heard, given);
      // What was hidden by one conversion may show another.
      for (let round = 0; made.provenance.operations.length > 0; round += 1) {
        expect(round).toBeLessThan(200);
        without = [...without, ...made.provenance.operations.map(({ id }) => id)];
        made = report(heard, given, without);
      }
      expect(made.sections.flatMap(({ text }) => wordsOf(folded(text)))).toEqual(wordsOf(folded(heard)));
    }));

  it('names place and original of each conversion', () =>
    holds((heard, given) => {
      const { sections: made, provenance } = report(heard, given);
      const ids = provenance.operations.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { source, target } of provenance.operations) {
        expect(source.end).toBeGreaterThan(source.start);
        if (target)
          expect(made.find(({ key }) => key === target.section)!.text.length).toBeGreaterThanOrEqual(target.end);
      }
    }));

  it('never changes the value of a measure', () =>
    fc.assert(
      fc.property(
        fc.array(measure(language), { minLength: 1, maxLength: 5 }),
        vocabulary(language),
        (measures, words) => {
          const stop = { 'pt-BR': 'ponto', 'en-US': 'period', 'es-ES': 'punto' }[language];
          // Without the word "doze por cento e vinte milímetros" may be 12% and 20 mm.
          const measuring = { 'pt-BR': 'medindo', 'en-US': 'measuring', 'es-ES': 'midiendo' }[language];
          const said = measures.map((each) => `${measuring} ${each.said} ${stop}`).join(' ');
          const { sections: made } = report(said, { language, words });
          expect(made.find(({ key }) => key === 'findings')!.text.toLowerCase()).toBe(
            measures.map(({ written }) => `${measuring} ${written.toLowerCase()}.`).join(' '),
          );
        },
      ),
      { numRuns: runs },
    ));

  it('raises no alarm about a document as it was written', () =>
    holds((heard, given) => {
      const check = prepareChecks({ language, template: sections, heard: { text: heard } });
      const { sections: made, provenance } = report(heard, given);
      const kinds = ['side_not_said', 'side_lost', 'number_changed', 'unit_changed', 'negation_changed'];
      expect(
        check(made, provenance).filter(({ kind, severity }) => severity === 'warning' && kinds.includes(kind)),
      ).toEqual([]);
    }));

  it('gives the same document for the same words', () =>
    holds((heard, given) => expect(report(heard, given)).toEqual(report(heard, given))));
});
