/** The promise of the report language, over generated dictations (`LAUDIO_PROPERTY_RUNS=10000` by hand). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { prepareChecks } from '../../../src/domain/report/checks/check.ts';
import type { Report } from '../../../src/domain/report/document.ts';
import { write } from '../../../src/domain/report/write.ts';
import { dictation, measure, runs } from './generated.ts';
import { sections } from './written.ts';

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
const folded = (text: string): string => text.toLowerCase().replace(/\s/g, ' ');
const report = (text: string, language: Language, without: readonly string[] = []): Report =>
  write({ heard: { text }, language, sections, without });

describe.each(languages)('%s', (language) => {
  const holds = (property: (heard: string) => void): void =>
    fc.assert(
      fc.property(dictation(language), (text) => {
        property(text.normalize('NFC'));
      }),
      { numRuns: runs },
    );

  it('accounts for every word heard, once and in order', () =>
    holds((heard) => {
      const { provenance } = report(heard, language);
      let end = 0;
      for (const account of provenance.heard) {
        expect(account.start).toBeGreaterThanOrEqual(end);
        expect(wordsOf(heard.slice(end, account.start))).toEqual([]);
        end = account.end;
      }
      expect(wordsOf(heard.slice(end))).toEqual([]);
    }));

  it('tells the origin of every word of the document, and shows what was said as it was said', () =>
    holds((heard) => {
      const { sections: made, provenance } = report(heard, language);
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
    holds((heard) => {
      const { provenance } = report(heard, language);
      const kept = provenance.heard
        .filter(({ fate }) => fate === 'written')
        .flatMap(({ start, end }) => wordsOf(heard.slice(start, end)));
      const said = provenance.words
        .filter(({ origin }) => origin === 'said')
        .flatMap(({ heard: span }) => wordsOf(heard.slice(span!.start, span!.end)));
      expect(said.toSorted()).toEqual(kept.toSorted());
    }));

  it('keeps the order of what was said inside a section', () =>
    holds((heard) => {
      const { provenance } = report(heard, language);
      const moved = new Set(provenance.operations.filter(({ step }) => step === 'corrections').map(({ id }) => id));
      fc.pre(moved.size === 0);
      for (const key of new Set(provenance.words.map(({ section }) => section))) {
        const starts = provenance.words
          .filter(({ section, heard: span }) => section === key && span !== null)
          .map(({ heard: span }) => span!.start);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }
    }));

  it('undoes any conversion: without all of them every word stands as it was said', () =>
    holds((heard) => {
      let without: string[] = [];
      let made = report(heard, language);
      // What was hidden by one conversion may show another.
      for (let round = 0; made.provenance.operations.length > 0; round += 1) {
        expect(round).toBeLessThan(200);
        without = [...without, ...made.provenance.operations.map(({ id }) => id)];
        made = report(heard, language, without);
      }
      expect(made.sections.flatMap(({ text }) => wordsOf(folded(text)))).toEqual(wordsOf(folded(heard)));
    }));

  it('tells where each conversion was heard and what it was', () =>
    holds((heard) => {
      const { sections: made, provenance } = report(heard, language);
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
      fc.property(fc.array(measure(language), { minLength: 1, maxLength: 5 }), (measures) => {
        const stop = { 'pt-BR': 'ponto', 'en-US': 'period', 'es-ES': 'punto' }[language];
        const { sections: made } = report(measures.map(({ said }) => `${said} ${stop}`).join(' '), language);
        expect(made.find(({ key }) => key === 'findings')!.text).toBe(
          measures.map(({ written }) => `${written}.`).join(' '),
        );
      }),
      { numRuns: runs },
    ));

  it('raises no alarm about a document as it was written', () =>
    holds((heard) => {
      const check = prepareChecks({ language, template: sections, heard: { text: heard } });
      const { sections: made, provenance } = report(heard, language);
      const kinds = ['side_not_said', 'side_lost', 'number_changed', 'unit_changed', 'negation_changed'];
      expect(
        check(made, provenance).filter(({ kind, severity }) => severity === 'warning' && kinds.includes(kind)),
      ).toEqual([]);
    }));

  it('gives the same document for the same words', () =>
    holds((heard) => expect(report(heard, language)).toEqual(report(heard, language))));
});
